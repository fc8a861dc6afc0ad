import type { Piece } from '../../formats/writers/format.js';

/** Joins two pieces, so that they become one member of a compressed file. */
export function joined(left: Piece, right: Piece): Piece {
  if (left === '') return right;
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  return Buffer.concat([Buffer.from(left), Buffer.from(right)]);
}

/** Pieces behind another one. */
export function* behind(first: Piece, others: Iterable<Piece>): Generator<Piece> {
  yield first;
  yield* others;
}

/** A page of a compressed file is one member of it, or several of about so many bytes. */
const memberBytes = 8 * 1024 * 1024;

/** Joins pieces to members of a compressed file. */
export function* membersOf(pieces: Iterable<Piece>): Generator<Piece> {
  let member: Buffer[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    const each = Buffer.from(piece);
    member.push(each);
    bytes += each.length;
    if (bytes < memberBytes) continue;
    yield Buffer.concat(member);
    [member, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(member);
}
