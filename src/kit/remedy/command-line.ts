import type { Correction } from '../../core/errors/relctl-error.js';
import { shellCommand } from '../../core/text/shell/command.js';

interface KnownFlag {
  readonly type: 'boolean' | 'option';
  readonly char?: string | undefined;
  readonly multiple?: boolean | undefined;
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
export const wordsOf = ({ id }: Pick<Known, 'id'>): string => id.replaceAll(':', ' ');

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
  const [before, behind] = splitAtDashes(argv);
  const kept: string[] = [];
  for (let at = 0; at < before.length; at += 1) {
    const word = before[at] ?? '';
    const name = word.startsWith('-') ? flagNameOf(word, command) : undefined;
    const count = name !== undefined && takesNext(word, name, command) ? 2 : 1;
    if (name === undefined || !names.includes(name)) kept.push(...before.slice(at, at + count));
    at += count - 1;
  }
  return [...kept, ...behind];
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
  const [before, behind] = splitAtDashes(withoutFlags(argv, [...names, ...others], command));
  const end = behind.length === 0 ? '' : shellCommand(behind).slice('relctl'.length);
  return `${shellCommand(before)} ${flags}${end}`;
}

/** A word with another one in the place of one that it is or holds: in a list, before or behind `=`. */
function corrected(word: string, { given, meant }: Correction): string | undefined {
  if (word === given) return meant;
  const [start = '', ...rest] = word.split('=');
  const value = rest.join('=');
  if (start === given) return [meant, ...rest].join('=');
  if (rest.length > 0 && value === given) return `${start}=${meant}`;
  const items = word.split(',');
  return items.length > 1 && items.includes(given)
    ? items.map((item) => (item === given ? meant : item)).join(',')
    : undefined;
}

/** The command line with the word that was probably meant; undefined when the one that was given is not there. */
export function withCorrection(argv: readonly string[], correction: Correction): string | undefined {
  const at = argv.findIndex((word) => corrected(word, correction) !== undefined);
  if (at === -1) return undefined;
  return shellCommand(argv.map((word, index) => (index === at ? (corrected(word, correction) ?? word) : word)));
}
