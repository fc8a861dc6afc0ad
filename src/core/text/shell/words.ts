/** Shells whose words are read. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** Name of a shell. */
export type Shell = (typeof shells)[number];

/** The word that the cursor stands in. */
export interface TypedWord {
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
export const readWords = (shell: Shell, line: string): readonly TypedWord[] => new LineReader(shell).read(line);
