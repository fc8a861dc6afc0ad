import { atRow, ofPage, partsOf, RenderedRow, type Row } from '../../src/client/rows/row.js';
import type { RenderedPage } from '../../src/client/rows/rendered-page.js';
import type { Piece, Writer } from '../../src/formats/writers/format.js';

/** The page of a rendered row, and its number there; undefined for a record. */
export const renderedAt = (row: Row | undefined): { readonly page: RenderedPage; readonly row: number } | undefined =>
  row instanceof RenderedRow ? { page: row[ofPage], row: row[atRow] } : undefined;

/** The text of rows: what they became, or what a writer makes of their records. */
export function* piecesOf(
  rows: readonly Row[],
  { records: write, placed = (text) => text }: Pick<Writer<Piece>, 'records' | 'placed'>,
): Generator<Piece> {
  for (const part of partsOf(rows)) yield 'text' in part ? placed(part.text) : write(part.records);
}
