import type { RelctlError } from '../../errors/relctl-error.js';
import { wordsOf, type Failed } from './command-line.js';

/** Names of flags whose value may be a secret, where the command has no flag of that name. */
const secretFlag = /key|pass|secret|token|pwd|cred/i;

/** A name within a word, and the secret behind it: `apiKey=…`, `RELCTL_PASSWORD=…`, `"password": "…"`. Bounded, to stay fast. */
const namedSecret =
  /(?:pass(?:wor|wd|phr)|pwd|secret|token|api[-_]?key)[\w-]{0,40}["']?\s{0,3}[=:\s]\s{0,3}["']?(.+)/gis;

/** The user and the password of an address. */
const login = /:\/\/(\S{1,2000})@/g;

/** The address of a PostgreSQL database with a user alone, which is no secret. */
const userAlone = /\bpostgres(?:ql)?:\/\/[^:@\s]{0,200}@(?![^]*@)/i;

const plain = /\bplain:(.+)$/gs;

/** A value that says where a secret is, and is none. */
const isReference = (text: string): boolean => /^(?:env|file|cmd|keyring):/.test(text);

/** What stands in a word behind a name, in an address or behind `plain:`. */
function withinWord(word: string): readonly string[] {
  const found = [namedSecret, login, plain].flatMap((form) =>
    [...word.replace(userAlone, '').matchAll(form)].map(([, secret = '']) => secret),
  );
  return found.filter((secret) => !isReference(secret));
}

/** The value of a flag that the command does not have, or that takes a reference to a secret. */
function ofFlag(word: string, next: string, { command }: Failed): readonly string[] {
  const [, name = '', value = next] = /(?:^|\s)--?([^=\s]+)(?:=(.*))?$/s.exec(word) ?? [];
  const isKnown = command !== undefined && Object.hasOwn(command.flags, name) && !name.endsWith('-from');
  return isKnown || !secretFlag.test(name) || isReference(value) || value.startsWith('--') ? [] : [value];
}

/** A secret, and as messages may name it: without the user of an address, without what stands behind it in a list or in JSON. */
const formsOf = (secret: string): readonly string[] =>
  [/^/, /^[^:]*:/, /["&,\s].*$/s].map((other) => secret.replace(other, ''));

function secretsIn(failed: Failed): readonly string[] {
  const { argv } = failed;
  const found = argv.flatMap((word, at) => [...ofFlag(word, argv[at + 1] ?? '', failed), ...withinWord(word)]);
  const forms = new Set(found.flatMap(formsOf).filter((text) => text !== ''));
  return [...forms].toSorted((left, right) => right.length - left.length);
}

/** The facts of an error that may repeat what was typed. */
const typedFacts = ['path', 'profile', 'url'] as const;

/** Letters from which on a secret is hidden in a sentence: shorter ones are found in words that have nothing to do with it. */
const leastHidden = 4;

/**
 * The same error without what may be a secret in the command line: nobody should have typed it there, and an error must not
 * bring it into a log. A line to try that would repeat it gives way to the help of the command.
 */
export function withoutSecrets(error: RelctlError, failed: Failed): RelctlError {
  const secrets = secretsIn(failed);
  if (secrets.length === 0) return error;
  const hidden = (text: string): string =>
    secrets
      .filter(({ length }) => length >= leastHidden)
      .reduce((shown, secret) => shown.replaceAll(secret, '(hidden)'), text);
  // As a shell takes it, a quote is written otherwise.
  const tells = (text: string): boolean =>
    secrets.some((secret) => text.includes(secret) || text.includes(secret.replaceAll("'", "'\\''")));
  const { message, hint = '', advice = '', excerpt, facts } = error;
  return error.but({
    message: hidden(message),
    excerpt: excerpt?.map(hidden),
    facts: { ...facts, ...Object.fromEntries(typedFacts.map((name) => [name, facts[name] && hidden(facts[name])])) },
    ...(tells(advice) ? { advice: undefined } : {}),
    ...(tells(hint)
      ? { hint: `relctl ${failed.command === undefined ? '' : `${wordsOf(failed.command)} `}--help` }
      : {}),
  });
}
