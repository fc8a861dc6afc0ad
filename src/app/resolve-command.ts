import { guessCommands, type Names } from './guess.js';

/** What the arguments ask for. */
export type Asked =
  | { readonly kind: 'version' }
  /** `id` is a command or topic with `:` between its words; none for the root. */
  | { readonly kind: 'help'; readonly id?: string }
  | { readonly kind: 'command'; readonly id: string; readonly rest: readonly string[] }
  | { readonly kind: 'unknown'; readonly words: string; readonly suggestions: readonly string[] };

/** How the version is asked for; bin/run.js answers the same words when they stand alone. */
const versionWords: readonly string[] = ['--version', '-V', '-v', 'version'];

function leadingWords(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((argument) => argument.startsWith('-'));
  return end === -1 ? argv : argv.slice(0, end);
}

function longestMatch(words: readonly string[], ids: readonly string[]): number {
  for (let count = words.length; count > 0; count -= 1) if (ids.includes(words.slice(0, count).join(':'))) return count;
  return 0;
}

/** `--help`, no words at all, or `relctl relation help`, as other programs have it. */
function asksForHelp(argv: readonly string[], words: readonly string[], { topics }: Names): boolean {
  if (argv.length === 0) return true;
  if (words.at(-1) === 'help' && longestMatch(words, topics) === words.length - 1) return true;
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).some((argument) => argument === '--help' || argument === '-h');
}

function unknown(words: readonly string[], names: Names): Asked {
  return { kind: 'unknown', words: words.slice(0, 2).join(' '), suggestions: guessCommands(words, names) };
}

function help(words: readonly string[], names: Names): Asked {
  const count = longestMatch(words, [...names.commands, ...names.topics]);
  if (words.length === 0) return { kind: 'help' };
  return count === 0 ? unknown(words, names) : { kind: 'help', id: words.slice(0, count).join(':') };
}

/** True where the first argument asks for the version, and no command has that name. */
const asksForVersion = ([first = '']: readonly string[], { commands }: Names): boolean =>
  versionWords.includes(first) && !commands.includes(first);

/** Reads the arguments up to the command's name (pure). */
export function resolveCommand(argv: readonly string[], names: Names): Asked {
  const words = leadingWords(argv);
  if (asksForVersion(argv, names)) return { kind: 'version' };
  if (words[0] === 'help' && !names.commands.includes('help')) return help(words.slice(1), names);
  const count = longestMatch(words, names.commands);
  if (asksForHelp(argv, words, names)) return help(words, names);
  if (count > 0) return { kind: 'command', id: words.slice(0, count).join(':'), rest: argv.slice(count) };
  if (words.length === 0) return { kind: 'unknown', words: argv[0] ?? '', suggestions: [] };
  return words.length === longestMatch(words, names.topics) ? help(words, names) : unknown(words, names);
}
