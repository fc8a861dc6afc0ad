import { nearest } from '../core/text/nearest.js';
import { guessCommands, type Names as Commands } from './guess.js';
import type { HelpRequest } from './help/help.js';

/** What the arguments ask for. */
export type ProgramRequest =
  | { readonly kind: 'version' }
  | { readonly kind: 'help'; readonly wanted: HelpRequest }
  | { readonly kind: 'command'; readonly id: string; readonly rest: readonly string[] }
  | UnknownWords;

interface UnknownWords {
  readonly kind: 'unknown';
  readonly words: string;
  /** Command lines that may be meant, without the program's name. */
  readonly suggestions: readonly string[];
  /** What was typed behind the words that the only suggestion stands for. */
  readonly rest?: readonly string[];
}

/** The names that can be asked for: commands and topics with `:` between words, and pages of help. */
export interface Names extends Commands {
  readonly pages: readonly string[];
}

const versionArguments: readonly string[] = ['--version', '-V', '-v', 'version'];

function leadingWords(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((argument) => argument.startsWith('-'));
  return end === -1 ? argv : argv.slice(0, end);
}

function longestMatch(words: readonly string[], ids: readonly string[]): number {
  for (let count = words.length; count > 0; count -= 1) if (ids.includes(words.slice(0, count).join(':'))) return count;
  return 0;
}

/** The flag before a `--` that asks for help: `-h` for a short one, `--help` for all. */
function helpFlag(argv: readonly string[]): '-h' | '--help' | undefined {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  return words.includes('--help') ? '--help' : words.includes('-h') ? '-h' : undefined;
}

const endsInHelp = (words: readonly string[], { topics }: Names): boolean =>
  words.at(-1) === 'help' && longestMatch(words, topics) === words.length - 1;

function unknown(words: readonly string[], names: Names, argv: readonly string[] = []): UnknownWords {
  const suggestions = guessCommands(words, names);
  const [first = '', second] = suggestions;
  const count = first.split(' ').length;
  const isQuotedCommand =
    second === undefined && count <= words.length && names.commands.includes(first.replaceAll(' ', ':'));
  const rest = isQuotedCommand ? { rest: argv.slice(count) } : {};
  return { kind: 'unknown', words: words.slice(0, 2).join(' '), suggestions, ...rest };
}

function help(words: readonly string[], names: Names, isBrief: boolean): ProgramRequest {
  if (words.length === 0) return { kind: 'help', wanted: { isBrief } };
  const count = longestMatch(words, [...names.commands, ...names.topics]);
  if (count === 0) return unknown(words, names);
  return { kind: 'help', wanted: { id: words.slice(0, count).join(':'), isBrief } };
}

function helpCommand(argv: readonly string[], words: readonly string[], names: Names): ProgramRequest {
  const [name = ''] = words;
  if (argv[1] === '--all') return { kind: 'help', wanted: { isEverything: true } };
  const request = help(words, names, helpFlag(argv) === '-h');
  if (words.length === 1 && helpFlag(argv) === undefined && names.pages.includes(name))
    return { kind: 'help', wanted: { page: name, ...(request.kind === 'help' ? { id: name } : {}) } };
  if (request.kind !== 'unknown') return request;
  const page = nearest(name, names.pages);
  const suggestions = page === undefined ? request.suggestions : [page];
  return { kind: 'unknown', words: `help ${words.join(' ')}`, suggestions: suggestions.map((each) => `help ${each}`) };
}

function command(argv: readonly string[], words: readonly string[], names: Names): ProgramRequest {
  const count = longestMatch(words, names.commands);
  if (count > 0) return { kind: 'command', id: words.slice(0, count).join(':'), rest: argv.slice(count) };
  if (words.length === 0) return { kind: 'unknown', words: argv[0] ?? '', suggestions: [] };
  return words.length === longestMatch(words, names.topics) ? help(words, names, false) : unknown(words, names, argv);
}

/** Reads the arguments up to the command's name (pure). */
export function resolveCommand(argv: readonly string[], names: Names): ProgramRequest {
  const words = leadingWords(argv);
  const [first = ''] = argv;
  if (versionArguments.includes(first) && !names.commands.includes(first)) return { kind: 'version' };
  if (words[0] === 'help' && !names.commands.includes('help')) return helpCommand(argv, words.slice(1), names);
  const flag = argv.length === 0 ? '-h' : helpFlag(argv);
  if (flag !== undefined || endsInHelp(words, names)) return help(words, names, flag === '-h');
  return command(argv, words, names);
}
