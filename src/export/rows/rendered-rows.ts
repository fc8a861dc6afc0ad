import type { RecordValue } from '../../plain/value.js';
import { placeOf, type Place, type RenderedPage } from '../../client/rows/rendered.js';
import type { Piece, Writer } from '../../output/formats/format.js';

/** Rows of one page whose texts follow each other. */
interface Stretch {
  readonly page: RenderedPage;
  readonly from: number;
  to: number;
  /** Those of them that have text. */
  rows: number;
}

/** The text of the rows of a page. */
export interface RowsText {
  /** One after the other. To be read once. */
  readonly pieces: Iterable<Piece>;
  /** The records that were not rendered when they were decoded. */
  readonly others: readonly RecordValue[];
  /** The pages of the rendered rows. The bytes of the pieces may be theirs, so they are filled again only when these are written. */
  readonly pages: ReadonlySet<RenderedPage>;
}

/** True for a row of the page of a stretch that goes on with its text: rows between them have none. */
const goesOn = ({ page, to }: Stretch, at: Place): boolean =>
  page === at.page && (to === at.row || (to < at.row && page.isBlank(to, at.row)));

/** The rows in stretches of rendered ones, and of records. */
function stretchesOf(records: readonly RecordValue[]): readonly (Stretch | RecordValue[])[] {
  const all: (Stretch | RecordValue[])[] = [];
  let last: Stretch | RecordValue[] | undefined;
  const begin = <S extends Stretch | RecordValue[]>(stretch: S): S => {
    all.push((last = stretch));
    return stretch;
  };
  for (const record of records) {
    const at: Place | undefined = placeOf(record);
    if (at === undefined) (Array.isArray(last) ? last : begin<RecordValue[]>([])).push(record);
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
 * The rows in their order. The bytes of a text may be those of its page; the first part of a long text counts the rows of all
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
 * others what the writer makes of them.
 */
export function piecesOf(
  records: readonly RecordValue[],
  { records: write, placed = (rows) => rows }: Pick<Writer<Piece>, 'records' | 'placed'>,
): RowsText {
  const stretches = stretchesOf(records);
  function* pieces(): Generator<Piece> {
    for (const stretch of stretches) {
      if (Array.isArray(stretch)) yield write(stretch);
      else for (const text of stretch.page.piecesOf(stretch.from, stretch.to)) yield placed(text);
    }
  }
  const others = stretches.flatMap((stretch) => (Array.isArray(stretch) ? stretch : []));
  const pages = new Set(stretches.flatMap((stretch) => (Array.isArray(stretch) ? [] : [stretch.page])));
  return { pieces: pieces(), others, pages };
}
