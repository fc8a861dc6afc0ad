import type { Value } from './value.js';

/** How a cell of a row is written. */
export interface CellLayout {
  readonly member: string;
  readonly before: string;
  /** The cell for a value of the member; undefined when it is left out, with what stands before it. */
  readonly of: (value: Value | undefined) => string | undefined;
  /** A text that is not empty is the cell, as the layout of the row says; without it `of` makes the cell of a text. */
  readonly isCopied: boolean;
}

/** How texts are copied to cells. */
export interface CopiedTexts {
  /** What stands around each of them. */
  readonly around: string;
  /** What stands around a text with one of the characters that have escapes. */
  readonly wrap: string;
  /** What stands for a character of ASCII; for itself where it calls for `wrap` only. */
  readonly escapes: Readonly<Record<string, string>>;
  /** The first and the last of characters with which the row of a record is made by its format. */
  readonly beyond: readonly (readonly [first: number, last: number])[];
}

/** How a row is put together of its cells. */
export interface RowLayout {
  readonly cells: readonly CellLayout[];
  /** Needed where a cell is copied. */
  readonly copied?: CopiedTexts;
  /** A character that stands in the place of the first one of the row. */
  readonly first?: string;
  readonly end: string;
}

/** Texts in JSON, as JSON.stringify writes them, but for some characters. */
export function jsonTexts(beyond: CopiedTexts['beyond']): CopiedTexts {
  const escapes: Record<string, string> = {};
  for (let code = 0; code < 0x60; code += 1) {
    const character = String.fromCharCode(code);
    const escape = JSON.stringify(character).slice(1, -1);
    if (escape !== character) escapes[character] = escape;
  }
  return { around: '"', wrap: '', escapes, beyond };
}
