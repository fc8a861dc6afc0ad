import { rowBytes, type OtherRows } from '../../../src/lists/changes-since/bookmark-file.js';
import { textDigest } from '../../../src/lists/changes-since/digest.js';
import { noRows, RowIndex, type RowsOnDisk, SnapshotRows } from '../../../src/lists/changes-since/snapshot-rows.js';
import { openTemporaryFile } from '../../../src/state/temporary-file.js';

/** Rows of Ids with the digests of texts, as they come in a list. */
export function rowsOfTexts(texts: Iterable<readonly [id: string, text: string]>): SnapshotRows {
  const rows = new SnapshotRows(new RowIndex(noRows), openTemporaryFile);
  for (const [id, text] of texts) rows.take(id, textDigest(text));
  return rows;
}

/** The bytes of the rows of GUIDs. */
export const packedRows = (rows: SnapshotRows): Buffer => Buffer.concat([...rows.pieces()]);

/** Rows that stand in memory, as those of an open file are read. */
const rowsInMemory = (packed: Uint8Array, others: OtherRows = []): RowsOnDisk => ({
  guids: packed.length / rowBytes,
  others,
  read: (into, place) => into.set(packed.subarray(place * rowBytes, place * rowBytes + into.length)),
  close: () => undefined,
});

/** The index of such rows, as if they were in an open file. */
export const indexOf = (rows: SnapshotRows): RowIndex => new RowIndex(rowsInMemory(packedRows(rows), rows.others));
