import { inPieces, rowBytes } from '../../../src/export/since/row-bytes.js';
import type { RowCollector } from '../../../src/export/since/row-collector.js';
import type { OtherRows, RowsOnDisk, RowsToWrite } from '../../../src/export/since/rows.js';

/** The bytes of the rows of GUIDs that a collector has. */
export const packedRows = (collector: RowCollector): Buffer => Buffer.concat([...inPieces(collector.sorted())]);

/** Rows that stand in memory, as those of an open file are read. */
export const rowsInMemory = (packed: Uint8Array, others: OtherRows = []): RowsOnDisk => ({
  guids: packed.length / rowBytes,
  others,
  read: (into, place) => into.set(packed.subarray(place * rowBytes, place * rowBytes + into.length)),
  close: () => undefined,
});

/** The rows of a collector, as those of an open file are read. */
export const rowsOf = (collector: RowCollector): RowsOnDisk => rowsInMemory(packedRows(collector), collector.others);

/** The rows of a collector, as they are written. */
export const toWrite = (collector: RowCollector): RowsToWrite => ({
  others: collector.others,
  pieces: () => [packedRows(collector)],
  close: () => undefined,
});
