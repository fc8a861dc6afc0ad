import { RelctlError } from '../core/errors/relctl-error.js';

/** A place in a document as people count it, both from 1. */
export interface LineAndColumn {
  readonly line: number;
  readonly column: number;
}

/** Counts lines and columns of a text of which only the last piece is kept. */
export class TextPosition {
  #lines = 1;
  #columns = 0;

  /** The place at the end of a piece that follows the dropped text. */
  positionAfter(piece: string): LineAndColumn {
    let line = this.#lines;
    let last = -1;
    for (let at = piece.indexOf('\n'); at !== -1; at = piece.indexOf('\n', at + 1)) {
      line += 1;
      last = at;
    }
    return { line, column: last === -1 ? this.#columns + piece.length + 1 : piece.length - last };
  }

  /** Counts UTF-16 units of a text that is dropped and holds no line feed. */
  skip(units: number): void {
    this.#columns += units;
  }

  drop(piece: string): void {
    const { line, column } = this.positionAfter(piece);
    this.#lines = line;
    this.#columns = column - 1;
  }
}

/** A RelctlError with line and column, unless it has a path already; any other error as it is. */
export function located(thrown: unknown, positionOf: () => LineAndColumn): unknown {
  if (!(thrown instanceof RelctlError) || thrown.facts.path !== undefined) return thrown;
  const { line, column } = positionOf();
  const message = `${thrown.message} (line ${line}, column ${column})`;
  return thrown.but({ message, facts: { ...thrown.facts, path: `${line}:${column}` } });
}
