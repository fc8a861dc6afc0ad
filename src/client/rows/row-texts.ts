import type { OpenOverflow } from '../ids/overflow-guids.js';
import { PageText } from './page-text.js';

/** A member that a record gets in front of its own. */
interface Lead {
  readonly name: string;
  readonly value: string;
}

/** Leads of the rows of a page. There are few different ones, and an object for each row of a long list takes memory. */
export class Leads {
  /** The different ones; rows have their numbers, from 1. */
  #leads: Lead[] = [];
  #numbers: Uint32Array = new Uint32Array();

  /** Gives a row a lead in the place of any other. */
  put(row: number, { name, value }: Lead): void {
    this.#numbers = withRoom(this.#numbers, row + 1);
    const isSame = (lead: Lead): boolean => lead.name === name && lead.value === value;
    const known = this.#leads.findIndex(isSame);
    this.#numbers[row] = known === -1 ? this.#leads.push({ name, value }) : known + 1;
  }

  /** The lead of a row; undefined where it has none. */
  of(row: number): Lead | undefined {
    return this.#leads[(this.#numbers[row] ?? 0) - 1];
  }

  clear(): void {
    if (this.#leads.length === 0) return;
    this.#leads = [];
    this.#numbers.fill(0);
  }
}

/** Words that rows are given room for at first; most pages have no more than 1,000 rows. */
export const usualRows = 1024;

/** The same words, with room for at least so many, and for twice as many when there is too little. */
export function withRoom(words: Uint32Array, count: number): Uint32Array {
  if (count <= words.length) return words;
  const larger = new Uint32Array(Math.max(usualRows, words.length * 2, count));
  larger.set(words);
  return larger;
}

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
