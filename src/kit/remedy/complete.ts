import type { Config } from '@oclif/core';
import type { RelctlError, Correction } from '../../core/errors/relctl-error.js';
import type { Context } from '../host/context.js';
import { named, profileUsed, withProfile } from './profile-in-line.js';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Kind } from '../../core/errors/kinds.js';
import { shellCommand, shellWord } from '../../core/text/text.js';

/** Names of flags whose value may be a secret, where the command has no flag of that name. */
const secretFlag = /key|pass|secret|token|pwd|cred/i;

/** A name within a word, and the secret behind it: `apiKey=…`, `RELCTL_PASSWORD=…`, `"password": "…"`. Bounded, to stay fast. */
const namedSecret =
  /(?:pass(?:wor|wd|phr)|pwd|secret|token|api[-_]?key)[\w-]{0,40}["']?\s{0,3}[=:\s]\s{0,3}["']?(.+)/gis;

const loginOfAddress = /:\/\/(\S{1,2000})@/g;

/** The address of a PostgreSQL database with a user alone, which is no secret. */
const userAlone = /\bpostgres(?:ql)?:\/\/[^:@\s]{0,200}@(?![^]*@)/i;

const plain = /\bplain:(.+)$/gs;

const isSecretReference = (text: string): boolean => /^(?:env|file|cmd|keyring):/.test(text);

function secretsInWord(word: string): readonly string[] {
  const secrets = [namedSecret, loginOfAddress, plain].flatMap((form) =>
    [...word.replace(userAlone, '').matchAll(form)].map(([, secret = '']) => secret),
  );
  return secrets.filter((secret) => !isSecretReference(secret));
}

function secretOfFlag(word: string, next: string, { command }: Failed): readonly string[] {
  const [, name = '', value = next] = /(?:^|\s)--?([^=\s]+)(?:=(.*))?$/s.exec(word) ?? [];
  const isKnown = command !== undefined && Object.hasOwn(command.flags, name) && !name.endsWith('-from');
  return isKnown || !secretFlag.test(name) || isSecretReference(value) || value.startsWith('--') ? [] : [value];
}

/** A secret, and as messages may name it: without the user of an address, without what stands behind it in a list or in JSON. */
const formsOf = (secret: string): readonly string[] =>
  [/^/, /^[^:]*:/, /["&,\s].*$/s].map((other) => secret.replace(other, ''));

function secretsIn(failed: Failed): readonly string[] {
  const { argv } = failed;
  const secrets = argv.flatMap((word, at) => [
    ...secretOfFlag(word, argv[at + 1] ?? '', failed),
    ...secretsInWord(word),
  ]);
  const forms = new Set(secrets.flatMap(formsOf).filter((text) => text !== ''));
  return [...forms].toSorted((left, right) => right.length - left.length);
}

const factsThatRepeatInput = ['path', 'profile', 'url'] as const;

/** Letters from which on a secret is hidden in a sentence: shorter ones are found in words that have nothing to do with it. */
const leastHidden = 4;

/**
 * The same error without what may be a secret in the command line: nobody should have typed it there, and an error must not
 * bring it into a log. A line to try that would repeat it gives way to the help of the command.
 */
export function withoutTypedSecrets(error: RelctlError, failed: Failed): RelctlError {
  const secrets = secretsIn(failed);
  if (secrets.length === 0) return error;
  const hidden = (text: string): string =>
    secrets
      .filter(({ length }) => length >= leastHidden)
      .reduce((current, secret) => current.replaceAll(secret, '(hidden)'), text);
  // As a shell takes it, a quote is written otherwise.
  const tells = (text: string): boolean =>
    secrets.some((secret) => text.includes(secret) || text.includes(secret.replaceAll("'", "'\\''")));
  const { message, hint = '', advice = '', excerpt, facts } = error;
  return error.but({
    message: hidden(message),
    excerpt: excerpt?.map(hidden),
    facts: {
      ...facts,
      ...Object.fromEntries(factsThatRepeatInput.map((name) => [name, facts[name] && hidden(facts[name])])),
    },
    ...(tells(advice) ? { advice: undefined } : {}),
    ...(tells(hint)
      ? { hint: `relctl ${failed.command === undefined ? '' : `${commandWords(failed.command)} `}--help` }
      : {}),
  });
}

const couldTake = ({ command, argv }: Failed, flag: string): boolean =>
  command !== undefined && flag in command.flags && !argv.some((word) => word.split('=', 1)[0] === `--${flag}`);

const again = ({ argv }: Failed): string => shellCommand(argv);

const help = ({ command }: Failed): string =>
  command === undefined ? 'relctl --help' : `relctl ${commandWords(command)} --help`;

function lineThatShowsCall(failed: Failed): string {
  const { command, argv } = failed;
  const isWrite = command !== undefined && 'confirm' in command.flags;
  const flag = isWrite ? 'envelope' : 'trace';
  return command !== undefined && couldTake(failed, flag) ? withFlags(argv, `--${flag}`, command) : 'relctl doctor';
}

const testing = ({ command }: Failed): string =>
  command?.id === 'profile:test' ? 'relctl doctor --profile NAME' : 'relctl profile test NAME';

function fileToBlame({
  reportedCode: code = '',
  facts: { path },
}: RelctlError): { readonly code: string; readonly path: string } | undefined {
  return path === undefined || !/^(?:E[A-Z]+|foreign)$/.test(code) || process.platform === 'win32'
    ? undefined
    : { code, path };
}

function nearestFolder(path: string): string {
  const folder = dirname(path);
  return folder === path || existsSync(folder) ? folder : nearestFolder(folder);
}

function lineAboutFile(error: RelctlError): string | undefined {
  const file = fileToBlame(error);
  if (file === undefined) return undefined;
  const folder = shellWord(nearestFolder(file.path));
  if (file.code === 'ENOSPC' || file.code === 'EDQUOT') return `df -h ${folder}`;
  return file.code === 'ENOENT' ? `ls ${folder}` : `ls -ld ${shellWord(file.path)}`;
}

function lineThatRedirects({ command, argv }: Failed, { facts: { code, path } }: RelctlError): string | undefined {
  if (code !== 'no-file' || path === undefined || command === undefined) return undefined;
  return `${shellCommand(withoutFlags(argv, ['output-file'], command))} > ${shellWord(path)}`;
}

/** True for a path that is not there because its ~ was not expanded: nobody wants a folder of that name. */
function hasTilde(error: RelctlError): boolean {
  const file = fileToBlame(error);
  return file?.code === 'ENOENT' && /(?:^|\/)~(?:[\w.-]*\/|$)/.test(file.path);
}

const tildeWords =
  'The shell does not expand ~ in quotes or after =: use $HOME instead, or pass the path as a separate word.';

function makesFolder({ argv }: Failed, error: RelctlError): string | undefined {
  const file = fileToBlame(error);
  return file?.code === 'ENOENT' ? `mkdir -p ${shellWord(dirname(file.path))} && ${shellCommand(argv)}` : undefined;
}

const usual: Readonly<Record<Kind, (failed: Failed, error: RelctlError) => string>> = {
  bug: (failed) => `RELCTL_DEBUG=1 ${again(failed)}`,
  usage: (failed, error) => lineAboutFile(error) ?? help(failed),
  profile: () => 'relctl profile show NAME',
  refused: lineThatShowsCall,
  'not-found': () => 'relctl whoami',
  'no-answer': testing,
  'bad-answer': lineThatShowsCall,
  partial: again,
  'outcome-unknown': lineThatShowsCall,
  local: (failed, error) =>
    lineThatRedirects(failed, error) ??
    makesFolder(failed, error) ??
    lineAboutFile(error) ??
    (error.facts.foreignCode === 'ENOSPC' ? 'df -h' : 'relctl doctor'),
  locked: (failed) =>
    failed.command !== undefined && 'lock-wait' in failed.command.flags
      ? withFlags(failed.argv, '--lock-wait 10m', failed.command)
      : again(failed),
  different: ({ command, argv }) => shellCommand(command ? withoutFlags(argv, ['exit-code'], command) : argv),
  conflict: again,
  interrupted: again,
};

const usualLine = (error: RelctlError, failed: Failed): string => usual[error.kind](failed, error);

/** Where an error came about. */
export interface ErrorContext {
  readonly config: Config;
  readonly context: Context;
}

function failedIn({ config, context: { environment } }: ErrorContext): Failed {
  const { argv } = environment;
  const end = argv.findIndex((word) => word.startsWith('-'));
  const words = end === -1 ? argv : argv.slice(0, end);
  for (let count = words.length; count > 0; count -= 1) {
    const command = config.findCommand(words.slice(0, count).join(':'));
    if (command !== undefined) return { command, argv };
  }
  return { command: undefined, argv };
}

function lineToTry(error: RelctlError, failed: Failed): string {
  const { hint, correction } = error;
  // A yes was meant for what was typed.
  const argv = failed.command === undefined ? failed.argv : withoutFlags(failed.argv, ['yes'], failed.command);
  const corrected = correction && withCorrection(argv, correction);
  if (corrected !== undefined) return corrected;
  if (hint === undefined) return usualLine(error, failed);
  if (!hint.startsWith('-')) return hint;
  const { command } = failed;
  return command !== undefined && hasFlags(command, hint)
    ? withFlags(failed.argv, hint, command)
    : usualLine(error, failed);
}

/**
 * The same error with a whole command line as its hint, that can be pasted and uses the profile that the failed command
 * used: the flags of a hint stand in the command that failed, a wrong word is put right in it, and where an error says
 * nothing, its kind does.
 */
export function completed(error: RelctlError, errorContext: ErrorContext): RelctlError {
  const failed = failedIn(errorContext);
  const isTilde = hasTilde(error);
  const tried = error.remedy.hint === null || isTilde ? undefined : lineToTry(error, failed);
  const line = tried && named(tried, error.facts.profile ?? profileUsed(errorContext.context));
  const said = isTilde ? tildeWords : error.advice;
  const advice = said && withProfile(said, errorContext.config, errorContext.context);
  const excerpt = error.excerpt?.map((each) =>
    each.startsWith('relctl ') ? withProfile(each, errorContext.config, errorContext.context) : each,
  );
  const hint = line && withProfile(line, errorContext.config, errorContext.context);
  const whole = error.but({ hint, advice, excerpt });
  return withoutTypedSecrets(whole, failed);
}

interface KnownFlag {
  readonly type: 'boolean' | 'option';
  readonly char?: string | undefined;
}

/** A command as the manifest has it, or as it is loaded. */
export interface Known {
  readonly id: string;
  readonly flags: Readonly<Record<string, KnownFlag>>;
}

/** The command line that failed. */
export interface Failed {
  /** Undefined when its words are those of no command. */
  readonly command: Known | undefined;
  /** All arguments, the words of the command first. */
  readonly argv: readonly string[];
}

/** The words of a command as a person types them. */
export const commandWords = ({ id }: Pick<Known, 'id'>): string => id.replaceAll(':', ' ');

function flagNameOf(word: string, { flags }: Known): string | undefined {
  const [start = ''] = word.split('=', 1);
  if (start.startsWith('--')) return start.slice(2) in flags ? start.slice(2) : undefined;
  return Object.entries(flags).find(([, { char }]) => char !== undefined && word.startsWith(`-${char}`))?.[0];
}

/** True when a command has all flags of some text: `--page 1 --page-size 10`. */
export const hasFlags = (command: Known, flags: string): boolean =>
  flags.split(' ').every((word) => !word.startsWith('-') || flagNameOf(word, command) !== undefined);

const takesNext = (word: string, name: string, { flags }: Known): boolean =>
  flags[name]?.type === 'option' && (word.startsWith('--') ? !word.includes('=') : word.length === 2);

function splitAtDashes(argv: readonly string[]): readonly [before: readonly string[], behind: readonly string[]] {
  const end = argv.indexOf('--');
  return end === -1 ? [argv, []] : [argv.slice(0, end), argv.slice(end)];
}

/** The arguments without some flags and their values. */
export function withoutFlags(argv: readonly string[], names: readonly string[], command: Known): readonly string[] {
  const [before, after] = splitAtDashes(argv);
  const others: string[] = [];
  for (let at = 0; at < before.length; at += 1) {
    const word = before[at] ?? '';
    const name = word.startsWith('-') ? flagNameOf(word, command) : undefined;
    const count = name !== undefined && takesNext(word, name, command) ? 2 : 1;
    if (name === undefined || !names.includes(name)) others.push(...before.slice(at, at + count));
    at += count - 1;
  }
  return [...others, ...after];
}

/** Flags that do not go with others, by the flag that takes their place. */
const instead: Readonly<Record<string, readonly string[]>> = {
  // --json is a format too.
  output: ['json'],
  // What goes on does not begin anew, and rows that are unknown are sent again only where that is asked for anew.
  resume: ['restart', 'settle', 'retry-unknown'],
  settle: ['restart', 'resume', 'retry-unknown'],
  // What a query cannot do, they do without it.
  where: ['query'],
  sort: ['query'],
};

/** The command line with these flags, as a shell takes them, in the place of their values now. */
export function withFlags(argv: readonly string[], flags: string, command: Known): string {
  const names = flags.split(' ').flatMap((word) => (word.startsWith('-') ? [flagNameOf(word, command) ?? ''] : []));
  const others = names.flatMap((name) => instead[name] ?? []).filter((name) => !names.includes(name));
  const [before, after] = splitAtDashes(withoutFlags(argv, [...names, ...others], command));
  const end = after.length === 0 ? '' : shellCommand(after).slice('relctl'.length);
  return `${shellCommand(before)} ${flags}${end}`;
}

/** A word with another one in the place of one that it is or holds: in a list, before or behind `=`. */
function corrected(word: string, { given, meant: correctedLine }: Correction): string | undefined {
  if (word === given) return correctedLine;
  const [start = '', ...rest] = word.split('=');
  const value = rest.join('=');
  if (start === given) return [correctedLine, ...rest].join('=');
  if (rest.length > 0 && value === given) return `${start}=${correctedLine}`;
  const items = word.split(',');
  return items.length > 1 && items.includes(given)
    ? items.map((item) => (item === given ? correctedLine : item)).join(',')
    : undefined;
}

/** The command line with the word that was probably meant; undefined when the one that was given is not there. */
export function withCorrection(argv: readonly string[], correction: Correction): string | undefined {
  const at = argv.findIndex((word) => corrected(word, correction) !== undefined);
  if (at === -1) return undefined;
  return shellCommand(argv.map((word, index) => (index === at ? (corrected(word, correction) ?? word) : word)));
}
