import type { RecordValue } from '../../../core/values/value.js';
import { placeOf, slicesOf, type Place, type RenderedPage } from '../../../client/rows/rendered.js';
import type { Piece, Writer } from '../../../formats/writers/format.js';

/** Rows of one page whose texts follow each other. */
interface Stretch {
  readonly page: RenderedPage;
  readonly from: number;
  to: number;
  /** Those of them that have text. */
  rows: number;
}

/** True for a row of the page of a stretch that goes on with its text: rows between them have none. */
const goesOn = ({ page, to }: Stretch, at: Place): boolean =>
  page === at.page && (to === at.row || (to < at.row && page.isBlank(to, at.row)));

/** The rows in stretches of those that are text as it is written, and of records. */
function stretchesOf(records: readonly RecordValue[]): readonly (Stretch | RecordValue[])[] {
  const all: (Stretch | RecordValue[])[] = [];
  let last: Stretch | RecordValue[] | undefined;
  const begin = <S extends Stretch | RecordValue[]>(stretch: S): S => {
    all.push((last = stretch));
    return stretch;
  };
  for (const record of records) {
    const at: Place | undefined = placeOf(record);
    if (at === undefined || at.page.isJson) (Array.isArray(last) ? last : begin<RecordValue[]>([])).push(record);
    else if (last === undefined || Array.isArray(last) || !goesOn(last, at))
      begin({ page: at.page, from: at.row, to: at.row + 1, rows: 1 });
    else {
      last.to = at.row + 1;
      last.rows += 1;
    }
  }
  return all;
}

/** Rows that were rendered when they were decoded, as text, or records. */
export type RowsPart =
  { readonly text: Uint8Array; readonly rows: number } | { readonly records: readonly RecordValue[] };

/**
 * The rows in their order. The bytes of a text are valid until the next part is asked for; the first part of a long text counts the rows of all
 * of it. Throws `local`.
 */
export function* partsOf(records: readonly RecordValue[]): Generator<RowsPart> {
  for (const stretch of stretchesOf(records)) {
    if (Array.isArray(stretch)) yield { records: stretch };
    else {
      let { rows } = stretch;
      for (const text of stretch.page.piecesOf(stretch.from, stretch.to)) {
        yield { text, rows };
        rows = 0;
      }
    }
  }
}

/**
 * The text of the rows of a page: of those that were rendered when they were decoded the bytes that were made then, of
 * others what the writer makes of them, some at a time. Bytes are valid until the next
 * piece is asked for. Throws `local`.
 */
export function* piecesOf(
  records: readonly RecordValue[],
  { records: write, placed = (rows) => rows }: Pick<Writer<Piece>, 'records' | 'placed'>,
): Generator<Piece> {
  for (const stretch of stretchesOf(records)) {
    if (Array.isArray(stretch)) for (const some of slicesOf(stretch)) yield write(some);
    else for (const text of stretch.page.piecesOf(stretch.from, stretch.to)) yield placed(text);
  }
}
