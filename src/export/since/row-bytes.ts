import { digestBytes } from './digest.js';

/** Bytes of a GUID. */
export const idBytes = 16;

/** Bytes of a row: the Id, which is a GUID, and the digest behind it. */
export const rowBytes = idBytes + digestBytes;

/** How many rows are given at once. */
const pieceRows = 2048;

/** The bytes of a GUID. */
export const bytesOfId = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

/** Bytes without a copy. */
export const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Below 0 when the Id of the first row comes first, 0 when both have the same. */
export function compareIds(left: Buffer, right: Buffer): number {
  // Most Ids differ in their first word, which takes no call to compare.
  const byStart = left.readUInt32BE(0) - right.readUInt32BE(0);
  return byStart !== 0 ? byStart : left.compare(right, 0, idBytes, 0, idBytes);
}

/**
 * True for bytes that are rows: complete, and with ascending Ids.
 * @param before the row before them
 */
export function areRows(bytes: Buffer, before?: Buffer): boolean {
  if (bytes.length % rowBytes !== 0) return false;
  if (before !== undefined && compareIds(before, bytes) >= 0) return false;
  for (let at = rowBytes; at < bytes.length; at += rowBytes) {
    if (bytes.compare(bytes, at - rowBytes, at - digestBytes, at, at + idBytes) <= 0) return false;
  }
  return true;
}

/** Two sequences of rows in the order of their Ids as one; of rows with the same Id only the later one. */
export function* mergedRows(
  earlier: Generator<Buffer, undefined>,
  later: Generator<Buffer, undefined>,
): Generator<Buffer, undefined> {
  let [left, right] = [earlier.next().value, later.next().value];
  while (left !== undefined && right !== undefined) {
    const order = compareIds(left, right);
    if (order < 0) yield left;
    else yield right;
    if (order <= 0) left = earlier.next().value;
    if (order >= 0) right = later.next().value;
  }
  for (; left !== undefined; left = earlier.next().value) yield left;
  for (; right !== undefined; right = later.next().value) yield right;
}

/** Rows, each of which is valid until the next one, in pieces that stay. */
export function* inPieces(rows: Iterable<Buffer>): Generator<Buffer, undefined> {
  let piece = Buffer.allocUnsafe(pieceRows * rowBytes);
  let length = 0;
  for (const row of rows) {
    piece.set(row, length);
    length += rowBytes;
    if (length < piece.length) continue;
    yield piece;
    piece = Buffer.allocUnsafe(pieceRows * rowBytes);
    length = 0;
  }
  if (length > 0) yield piece.subarray(0, length);
}
