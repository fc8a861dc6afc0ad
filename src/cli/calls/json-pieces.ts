import { readBack } from '../../client/rows/rendered.js';
import { isList, isRecord, type RecordValue, type Value } from '../../plain/value.js';

/** Characters of a piece, about. */
const pieceCharacters = 256 * 1024;

// Array.isArray makes any[] of a readonly array.
function* partsOfList(items: readonly Value[]): Generator<string> {
  for (const [index, item] of items.entries()) {
    const value = isRecord(item) ? readBack(item) : item;
    yield `${index === 0 ? '' : ','}${JSON.stringify(value)}`;
  }
}

function* partsOfRecord(record: RecordValue): Generator<string> {
  let before = '';
  for (const name of Object.keys(record)) {
    const value = record[name];
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* partsOf(value);
    before = ',';
  }
}

function* partsOf(value: Value): Generator<string> {
  const [begin, parts, end] = isList(value)
    ? ['[', partsOfList(value), ']']
    : isRecord(value)
      ? ['{', partsOfRecord(value), '}']
      : [JSON.stringify(value), [], ''];
  yield begin;
  yield* parts;
  yield end;
}

/**
 * A result as JSON.stringify writes it, in pieces that are cut between values: a whole list as text takes more memory than
 * the list. Records that were kept as JSON are read back. Throws `local`.
 */
export function* jsonPieces(result: RecordValue): Generator<string> {
  let piece = '';
  for (const part of partsOf(result)) {
    piece += part;
    if (piece.length < pieceCharacters) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
