import { stripVTControlCharacters } from 'node:util';
import { CLIError } from '@oclif/core/errors';
import { type RelctlError, type Remedy, perhaps, usage } from '../core/errors/relctl-error.js';
import { nearest } from '../core/text/text.js';
import { settingOfFlag } from '../kit/flags/common.js';

/** Fields that oclif's parser errors carry. Only names of flags and arguments are taken from them, never the context. */
interface ParserError {
  readonly parse?: unknown;
  readonly flags?: unknown;
  readonly args?: unknown;
}

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');

function missingArguments({ args }: ParserError): readonly { readonly name: string; readonly what: string }[] {
  if (!Array.isArray(args)) return [];
  return args.flatMap((arg: unknown) => {
    if (typeof arg !== 'object' || arg === null || !('name' in arg) || typeof arg.name !== 'string') return [];
    const what = 'description' in arg && typeof arg.description === 'string' ? arg.description : '';
    return [{ name: arg.name.toUpperCase(), what: what.replace(/\.$/, '') }];
  });
}

function missing(names: readonly string[], what: string, command: string): RelctlError {
  const [first = ''] = names;
  const listed = names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
  const verb = names.length === 1 ? 'is' : 'are';
  return usage(first, `${listed} ${verb} missing${what === '' ? '' : `: ${what}`}`, `relctl ${command} --help`);
}

/** Names that other programs have for flags. */
const synonymsOfFlags: Readonly<Record<string, readonly string[]>> = {
  where: ['filter'],
  output: ['format', 'result-format'],
  'output-file': ['out', 'outfile'],
  columns: ['select', 'fields'],
  limit: ['max', 'top', 'max-items'],
  'fields-of': ['workflow'],
  sort: ['order', 'order-by', 'sort-by', 'orderby'],
  quiet: ['silent'],
  trace: ['verbose', 'debug'],
  query: ['jq', 'jmespath'],
  profile: ['target-org'],
  yes: ['no-prompt'],
  envelope: ['dry-run', 'n'],
};

const nearestFlag = (name: string, known: readonly string[]): string | undefined =>
  known.find((flag) => Object.hasOwn(synonymsOfFlags, flag) && synonymsOfFlags[flag]?.includes(name)) ??
  nearest(name, known);

function unknownFlag(typed: readonly string[], known: readonly string[], command: string): RelctlError {
  // What stands behind the `=` may be a secret.
  const flags = typed.map((text) => text.split('=', 1)[0] ?? '');
  const [flag = ''] = flags;
  const setting = known.includes('set') ? settingOfFlag(flag) : undefined;
  if (setting !== undefined)
    return usage(flag, `unknown flag ${flags.join(', ')}`, {
      advice: `Use the setting: --set ${setting}=VALUE.`,
      hint: `relctl ${command} --help`,
    });
  const suggestion = nearestFlag(flag.replace(/^-+/, ''), known);
  const suggestedFlag = suggestion === undefined ? undefined : `--${suggestion}`;
  return usage(flag, `unknown flag ${flags.join(', ')}`, perhaps(flag, suggestedFlag, `relctl ${command} --help`));
}

const typographicDash = /^[-\u2010-\u2015\u2212]*[\u2010-\u2015\u2212][-\u2010-\u2015\u2212]*/;

type KnownFlags = Readonly<Record<string, { readonly char?: string | undefined }>>;

/**
 * Throws `usage` for a flag with a name that every object has, such as --constructor, which the parser takes for a known one,
 * and for a flag that begins with another dash, which it takes for an argument.
 */
export function refuseOddFlags(words: readonly string[], flags: KnownFlags, id: string): void {
  const command = id.replaceAll(':', ' ');
  const known = [...Object.entries(flags), ['help', { char: 'h' }] as const];
  const end = words.indexOf('--');
  for (const argument of end === -1 ? words : words.slice(0, end)) {
    const flag = argument.split('=', 1)[0] ?? '';
    if (flag.startsWith('--') && flag.slice(2) in {}) throw unknownFlag([argument], Object.keys(flags), command);
    const word = flag.replace(typographicDash, '');
    const entry = word === flag ? undefined : known.find(([name, { char }]) => name === word || char === word);
    if (entry === undefined) continue;
    const corrected = `${entry[0] === word ? '--' : '-'}${word}`;
    throw usage(
      corrected,
      `unknown flag ${flag}: it begins with the dash of a word processor`,
      perhaps(flag, corrected, `relctl ${command} --help`),
    );
  }
}

/** What to do about a second argument: the value of a switch in other programs, or one Id of several. */
function extraAdvice({ args }: ParserError, known: readonly string[]): Pick<Remedy, 'advice'> {
  return isTextList(args) && args.length === 1 && known.includes('ids')
    ? { advice: 'For several Ids, use --ids FILE, or --ids - for stdin. Put a name of several words in quotes.' }
    : {};
}

/**
 * Turns what oclif's parser throws into a `usage` error; anything that is not a parser error comes back unchanged.
 * oclif's own message is kept where it says what is wrong with a value, without its advice and indentation.
 */
export function usageError(thrown: unknown, known: readonly string[], id: string): unknown {
  if (!(thrown instanceof CLIError)) return thrown;
  const command = id.replaceAll(':', ' ');
  const error = thrown as ParserError & Error;
  if (isTextList(error.flags)) return unknownFlag(error.flags, known, command);
  const absent = missingArguments(error);
  if (absent.length > 0) {
    const names = absent.map(({ name }) => name);
    return missing(names, absent.length === 1 ? (absent[0]?.what ?? '') : '', command);
  }
  // oclif colours what it says, in a terminal.
  const said = stripVTControlCharacters(error.message);
  const flags = [...said.matchAll(/^\s*Missing required flag ([\w-]+)$/gm)].map(([, name = '']) => `--${name}`);
  if (flags.length > 0) return missing(flags, '', command);
  const lines = said.split('\n').map((line) => line.trim());
  const text = lines.filter((line) => line !== '' && line !== 'See more help with --help').join(' ');
  const message = text.charAt(0).toLowerCase() + text.slice(1);
  return usage(undefined, message, { hint: `relctl ${command} --help`, ...extraAdvice(error, known) });
}
