import type { OpenOverflow } from '../ids/overflow-guids.js';
import { PageText } from './page-text.js';
import { withRoom } from './words.js';

/** A text for some rows of a page, such as an Id that is no GUID. Nothing is kept until the first row has one. */
export class RowTexts {
  readonly #openFile: OpenOverflow | undefined;
  #text: PageText | undefined;
  /** Place behind the text of each row. */
  #ends: Uint32Array = new Uint32Array();
  /** Rows up to the last one that has a text. */
  #rows = 0;

  /** @param openFile opens the file for what is too long for memory */
  constructor(openFile: OpenOverflow | undefined) {
    this.#openFile = openFile;
  }

  /** Keeps the text of a row, which stands behind all that have one. */
  keep(row: number, text: string): void {
    if (text === '') return;
    this.#text ??= new PageText(this.#openFile);
    this.#ends = withRoom(this.#ends, row + 1);
    this.#ends.fill(this.#endBefore(this.#rows), this.#rows, row);
    this.#ends[row] = this.#text.add(text);
    this.#rows = row + 1;
  }

  /** The text of a row; empty where it has none. Throws `local`. */
  of(row: number): string {
    if (row >= this.#rows || this.#text === undefined) return '';
    return this.#text.textOf(this.#endBefore(row), this.#endBefore(row + 1));
  }

  clear(): void {
    this.#rows = 0;
    this.#text?.clear();
  }

  #endBefore(row: number): number {
    return row === 0 ? 0 : (this.#ends[row - 1] ?? 0);
  }
}
