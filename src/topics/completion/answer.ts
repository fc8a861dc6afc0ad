/** Shells whose words are read. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** Name of a shell. */
export type Shell = (typeof shells)[number];

interface TypedWord {
  /** As it was typed. */
  readonly raw: string;
  /** What it means. */
  readonly text: string;
  /** The quotation mark that is still open at its end, if any. */
  readonly quote: '' | '"' | "'";
}

const noWord: TypedWord = { raw: '', text: '', quote: '' };

/** Parts of a line: blanks, an escaped character, text between quotation marks, of which the last may be open, or a character. */
const parts = /([\t\n\r ]+)|\\(.)|"((?:\\["\\$`]|[^"])*)("|$)|'([^']*)('|$)|./gs;

/** The same in fish, which alone knows a backslash between single quotation marks. */
const partsInFish = /([\t\n\r ]+)|\\(.)|"((?:\\["\\$`]|[^"])*)("|$)|'((?:\\['\\]|[^'])*)('|$)|./gs;

function meaningOfPart(shell: Shell, [all, , escaped, double, , single]: RegExpMatchArray): string {
  const inSingle = shell === 'fish' ? single?.replaceAll(/\\(['\\])/g, '$1') : single;
  return escaped ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? inSingle ?? all;
}

/** All words of a line as a shell reads them, without a look at variables and commands; the last is empty behind a blank. */
function readWords(shell: Shell, line: string): readonly TypedWord[] {
  const words: TypedWord[] = [];
  let word: TypedWord = noWord;
  for (const part of line.matchAll(shell === 'fish' ? partsInFish : parts)) {
    const [all, blanks, , , endOfDouble, , endOfSingle] = part;
    if (blanks !== undefined) {
      if (word.raw !== '') words.push({ ...word, quote: '' });
      word = noWord;
      continue;
    }
    const quote = endOfDouble === '' ? '"' : endOfSingle === '' ? "'" : '';
    word = { raw: word.raw + all, text: word.text + meaningOfPart(shell, part), quote };
  }
  return [...words, word];
}

const longest = 65_536;

/** Reads the line of a shell up to the cursor (pure). */
export function readLine(shell: Shell, line: string): { words: readonly string[]; current: TypedWord } {
  const words = readWords(shell, line.slice(0, longest));
  const current = words.at(-1) ?? noWord;
  return { words: words.slice(1, -1).map(({ text }) => text), current };
}

/** The meaning of the beginning of a word (pure). */
export const meaningOf = (shell: Shell, raw: string): string => readWords(shell, raw).at(-1)?.text ?? '';

/** A word that may be typed, with what it is for. */
export interface Offer {
  readonly word: string;
  readonly about?: string | undefined;
}

/** What may stand where the cursor is. */
export interface Completions {
  readonly kind: 'words' | 'files' | 'folders';
  /** The part of the typed word before what is offered: `--columns=Id,`. */
  readonly kept: string;
  readonly offers: readonly Offer[];
  /** More may follow within the same word, so that no blank comes behind it. */
  readonly isOpen: boolean;
}

/** Nothing to offer. */
export const nothing: Completions = { kind: 'words', kept: '', offers: [], isOpen: false };

/** Words to offer. */
export const answer = (offers: readonly Offer[]): Completions => ({ ...nothing, offers });

/** What came from outside could hold a line break, or what a terminal obeys; such a word is not offered. */
const isPlain = ({ word }: Offer): boolean => !/[\p{C}\p{Zl}\p{Zp}]/u.test(word);

const longestAbout = 72;

function shortened(about: string): string {
  const [sentence = ''] = about.split(/(?<=[.;:]) /);
  const line = sentence.replaceAll(/[\p{C}\s]+/gu, ' ').replace(/[.;:]$/, '');
  return line.length > longestAbout ? `${line.slice(0, longestAbout - 1)}…` : line;
}

function wordsStartingWith(offers: readonly Offer[], typed: string): readonly Offer[] {
  const exact = offers.filter(({ word }) => word.startsWith(typed));
  const lower = typed.toLowerCase();
  return exact.length > 0 ? exact : offers.filter(({ word }) => word.toLowerCase().startsWith(lower));
}

function inBash(text: string, quote: TypedWord['quote']): string {
  if (quote === "'") return text;
  return quote === '"'
    ? text.replaceAll(/["\\$`]/g, '\\$&')
    : text.replaceAll(/[^\p{L}\p{M}\p{N}_@%+=:,./-]/gu, '\\$&');
}

/** For bash, which replaces the end of the word behind the last character that breaks words, and compares nothing itself. */
function bashAnswer(
  { kind, kept: typedPart, offers, isOpen }: Completions,
  current: TypedWord,
  replaced: string,
): readonly string[] {
  if (kind !== 'words') return [kind];
  const before = current.raw.endsWith(replaced) ? current.raw.slice(0, current.raw.length - replaced.length) : '';
  const staying = meaningOf('bash', before).length;
  const matches = wordsStartingWith(offers, current.text.slice(typedPart.length));
  const usable = current.quote === "'" ? matches.filter(({ word }) => !word.includes("'")) : matches;
  return [
    isOpen ? 'open' : 'words',
    ...usable.map(({ word }) => inBash(`${typedPart}${word}`.slice(staying), current.quote)),
  ];
}

/** For zsh: how many characters stay, then words for _describe, which compares and quotes them. */
function zshAnswer({ kind, kept: typedPart, offers, isOpen }: Completions, current: TypedWord): readonly string[] {
  // zsh has taken an opening quotation mark away already; within a word it stays, and whole words are compared.
  const isWhole = current.raw.replace(/^["']/, '') === current.text;
  const [staying, front] = isWhole ? [typedPart.length, ''] : [0, typedPart];
  const lines = offers.map(({ word, about = '' }) => {
    const escaped = `${front}${word}`.replaceAll(/[\\:]/g, '\\$&');
    return about === '' ? escaped : `${escaped}:${shortened(about)}`;
  });
  return [`${kind === 'words' && isOpen ? 'open' : kind} ${staying}`, ...lines];
}

function fishAnswer({ kind, kept: typedPart, offers }: Completions): readonly string[] {
  if (kind !== 'words') return [kind, typedPart];
  return [
    kind,
    ...offers.map(({ word, about = '' }) => `${typedPart}${word}${about === '' ? '' : `\t${shortened(about)}`}`),
  ];
}

/** The answer as the script of a shell reads it: its kind, then a word a line; bash replaces `replaced`. */
export function answerFor(
  shell: Shell,
  all: Completions,
  { current, replaced }: { current: TypedWord; replaced: string },
): string {
  const plain = { ...all, offers: all.offers.filter(isPlain) };
  const lines =
    shell === 'bash'
      ? bashAnswer(plain, current, replaced)
      : shell === 'zsh'
        ? zshAnswer(plain, current)
        : fishAnswer(plain);
  return lines.map((line) => `${line}\n`).join('');
}
