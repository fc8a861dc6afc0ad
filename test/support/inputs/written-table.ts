import { opt, record } from '../../../src/contract/build.js';
import { string } from '../../../src/contract/scalars.js';
import { allColumns } from '../../../src/formats/columns.js';
import type { Format, FormatContext } from '../../../src/formats/writers/format.js';

/**
 * Rows of texts as a format of this program writes them.
 * @param more how they are written, where that is not as usual
 */
export async function writtenRecords(
  format: Format | Format<Uint8Array> | Format<string | Uint8Array>,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  more: Partial<FormatContext> = {},
): Promise<Uint8Array> {
  const Sample = record('Sample', 'A sample.', Object.fromEntries(titles.map((title) => [title, opt(string, title)])));
  const usual = { isChosen: false, shape: 'list', hasHeader: true, width: undefined, hasColor: false } as const;
  const writer = await format.open({ ...usual, columns: allColumns(Sample), ...more });
  const records = rows.map((cells) => Object.fromEntries(titles.map((title, index) => [title, cells[index] ?? ''])));
  const pieces = [writer.begin(), writer.records(records), writer.end()];
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
}
