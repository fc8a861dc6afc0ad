import type { Cell } from '../../inputs/input.js';

const wanted = /^_*NULL$/;

/**
 * Finds the text that stands for null where rows are written again as CSV, which has none: that of --null-as; else `NULL`,
 * with one `_` more before it than any cell of the file has that is so.
 */
export class NullText {
  readonly #given: string | undefined;
  #length = 'NULL'.length;
  /** True where some cell is null. */
  isNeeded = false;

  /** @param given the text of --null-as */
  constructor(given: string | undefined) {
    this.#given = given;
  }

  /** Takes the cells of a row. */
  take(cells: readonly Cell[]): void {
    for (const cell of cells) {
      if (cell === null) this.isNeeded = true;
      else if (typeof cell === 'string' && cell.length >= this.#length && wanted.test(cell))
        this.#length = cell.length + 1;
    }
  }

  /** True where the text is not one that was given. */
  get isOwn(): boolean {
    return this.isNeeded && this.#given === undefined;
  }

  /** No other cell than null is written as it, once all rows were taken. */
  get text(): string {
    return this.#given ?? 'NULL'.padStart(this.#length, '_');
  }
}
