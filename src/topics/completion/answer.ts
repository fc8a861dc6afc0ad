/** Shells whose words are read. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** Name of a shell. */
export type Shell = (typeof shells)[number];

/** The word that the cursor stands in. */
interface TypedWord {
  /** As it was typed. */
  readonly raw: string;
  /** What it means. */
  readonly text: string;
  /** The quotation mark that is still open at its end, if any. */
  readonly quote: '' | '"' | "'";
}

const blank = /[\t\n\r ]/;

/** Characters that a backslash takes as they are between double quotation marks; before others it stays. */
const escapable = '"\\$`';

/** Reads words as a shell does; variables and commands in them are not looked at. */
class LineReader {
  readonly #words: TypedWord[] = [];
  #raw = '';
  #text = '';
  #quote: TypedWord['quote'] = '';
  readonly #escapedInSingle: string;

  constructor(shell: Shell) {
    // Only fish knows a backslash between single quotation marks.
    this.#escapedInSingle = shell === 'fish' ? "'\\" : '';
  }

  #isEscape(character: string, next: string | undefined): boolean {
    if (character !== '\\' || next === undefined) return false;
    if (this.#quote === '') return true;
    return (this.#quote === '"' ? escapable : this.#escapedInSingle).includes(next);
  }

  #end(): void {
    this.#words.push({ raw: this.#raw, text: this.#text, quote: this.#quote });
    this.#raw = '';
    this.#text = '';
  }

  #take(character: string): void {
    const isMark = character === '"' || character === "'";
    this.#raw += character;
    if (isMark && this.#quote === '') this.#quote = character;
    else if (isMark && this.#quote === character) this.#quote = '';
    else this.#text += character;
  }

  /** All words of a line; the last one is empty where the line ends with a blank. */
  read(line: string): readonly TypedWord[] {
    for (let at = 0; at < line.length; at += 1) {
      const [character = '', next] = [line[at], line[at + 1]];
      if (this.#isEscape(character, next)) {
        this.#raw += `\\${next ?? ''}`;
        this.#text += next ?? '';
        at += 1;
      } else if (this.#quote === '' && blank.test(character)) {
        if (this.#raw !== '') this.#end();
      } else this.#take(character);
    }
    this.#end();
    return this.#words;
  }
}

/** All words of a line as a shell reads them (pure); the last one is empty where the line ends with a blank. */
const readWords = (shell: Shell, line: string): readonly TypedWord[] => new LineReader(shell).read(line);

const longest = 65_536;

/** Reads the line of a shell up to the cursor (pure). */
export function readLine(shell: Shell, line: string): { words: readonly string[]; current: TypedWord } {
  const words = readWords(shell, line.slice(0, longest));
  const current = words.at(-1) ?? { raw: '', text: '', quote: '' };
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
export interface Answer {
  readonly kind: 'words' | 'files' | 'folders';
  /** The part of the typed word before what is offered: `--columns=Id,`. */
  readonly kept: string;
  readonly offers: readonly Offer[];
  /** More may follow within the same word, so that no blank comes behind it. */
  readonly isOpen: boolean;
}

/** Nothing to offer. */
export const nothing: Answer = { kind: 'words', kept: '', offers: [], isOpen: false };

/** Words to offer. */
export const answer = (offers: readonly Offer[]): Answer => ({ ...nothing, offers });

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
function bashAnswer({ kind, kept, offers, isOpen }: Answer, current: TypedWord, replaced: string): readonly string[] {
  if (kind !== 'words') return [kind];
  const before = current.raw.endsWith(replaced) ? current.raw.slice(0, current.raw.length - replaced.length) : '';
  const staying = meaningOf('bash', before).length;
  const found = wordsStartingWith(offers, current.text.slice(kept.length));
  const usable = current.quote === "'" ? found.filter(({ word }) => !word.includes("'")) : found;
  return [
    isOpen ? 'open' : 'words',
    ...usable.map(({ word }) => inBash(`${kept}${word}`.slice(staying), current.quote)),
  ];
}

/** For zsh: how many characters stay, then words for _describe, which compares and quotes them. */
function zshAnswer({ kind, kept, offers, isOpen }: Answer, current: TypedWord): readonly string[] {
  // zsh has taken an opening quotation mark away already; within a word it stays, and whole words are compared.
  const isWhole = current.raw.replace(/^["']/, '') === current.text;
  const [staying, front] = isWhole ? [kept.length, ''] : [0, kept];
  const lines = offers.map(({ word, about = '' }) => {
    const escaped = `${front}${word}`.replaceAll(/[\\:]/g, '\\$&');
    return about === '' ? escaped : `${escaped}:${shortened(about)}`;
  });
  return [`${kind === 'words' && isOpen ? 'open' : kind} ${staying}`, ...lines];
}

function fishAnswer({ kind, kept, offers }: Answer): readonly string[] {
  if (kind !== 'words') return [kind, kept];
  return [
    kind,
    ...offers.map(({ word, about = '' }) => `${kept}${word}${about === '' ? '' : `\t${shortened(about)}`}`),
  ];
}

/** The answer as the script of a shell reads it: its kind, then a word a line; bash replaces `replaced`. */
export function answerFor(
  shell: Shell,
  all: Answer,
  { current, replaced }: { current: TypedWord; replaced: string },
): string {
  const shown = { ...all, offers: all.offers.filter(isPlain) };
  const lines =
    shell === 'bash'
      ? bashAnswer(shown, current, replaced)
      : shell === 'zsh'
        ? zshAnswer(shown, current)
        : fishAnswer(shown);
  return lines.map((line) => `${line}\n`).join('');
}
