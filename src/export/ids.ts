import { guidOfDigits } from '../lexical/values/guid.js';
import type { PageKeys, RowKey } from '../client/paging.js';

const form = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const guid = new RegExp(`^${form}$`);
const onlyGuids = new RegExp(`^(?:${form})*$`);
const guidLength = 36;

/**
 * The keys of the rows of one page: GUIDs as 16 bytes each, so that a million rows take megabytes; other Ids as they are; and
 * hashes of the contents, 8 bytes each, first those of GUIDs.
 */
export interface PackedIds<Bytes = Buffer> {
  readonly guids: Bytes;
  readonly others: readonly string[];
  readonly contents: Bytes;
}

/** The same as a journal has them: bytes in base64. */
export type KeptIds = PackedIds<string>;

/** GUIDs that are tested together. The stack has no room for a test of some 100,000. */
const testedGuids = 1024;

/** True for a text of GUIDs in lower case, one directly behind the other. */
function areGuids(text: string): boolean {
  const step = testedGuids * guidLength;
  for (let at = 0; at < text.length; at += step) if (!onlyGuids.test(text.slice(at, at + step))) return false;
  return true;
}

const packed = (guids: string): Buffer => Buffer.from(guids.replaceAll('-', ''), 'hex');

/** The bytes of a GUID are those of its digits, the highest first. */
function packedWords(words: Uint32Array): Buffer {
  const bytes = Buffer.alloc(words.byteLength);
  // By index: an iterator would make an object for each word.
  for (let word = 0; word < words.length; word += 1)
    bytes.writeUInt32BE(words[word] ?? 0, word * Uint32Array.BYTES_PER_ELEMENT);
  return bytes;
}

const packedContents = (words: Uint32Array): Buffer => Buffer.from(words.buffer, words.byteOffset, words.byteLength);

/** Packs the keys of the rows of a page. GUIDs become lower case. */
export function packIds({ ids, contents }: PageKeys): PackedIds {
  if (ids instanceof Uint32Array) return { guids: packedWords(ids), others: [], contents: packedContents(contents) };
  // Nearly always all of them are GUIDs, where one test for many is quick, or none is.
  const all = ids.every(({ length }) => length === guidLength) ? ids.join('').toLowerCase() : undefined;
  if (all !== undefined && areGuids(all)) return { guids: packed(all), others: [], contents: packedContents(contents) };
  if (!ids.some((id) => guid.test(id.toLowerCase())))
    return { guids: packed(''), others: ids, contents: packedContents(contents) };
  const guids: string[] = [];
  const others: string[] = [];
  const places: { readonly ofGuids: number[]; readonly ofOthers: number[] } = { ofGuids: [], ofOthers: [] };
  for (const [place, id] of ids.entries()) {
    const lower = id.toLowerCase();
    const isGuid = guid.test(lower);
    (isGuid ? guids : others).push(isGuid ? lower : id);
    (isGuid ? places.ofGuids : places.ofOthers).push(place);
  }
  const order = [...places.ofGuids, ...places.ofOthers];
  const words = order.flatMap((place) => [contents[place * 2] ?? 0, contents[place * 2 + 1] ?? 0]);
  return { guids: packed(guids.join('')), others, contents: packedContents(Uint32Array.from(words)) };
}

function* unpackedIds({ guids, others }: KeptIds): Generator<string> {
  const digits = Buffer.from(guids, 'base64').toString('hex');
  for (let at = 0; at < digits.length; at += 32) {
    yield guidOfDigits(digits.slice(at, at + 32));
  }
  yield* others;
}

/** Unpacks keys, those with GUIDs first. */
export function* unpackIds(kept: KeptIds): Generator<RowKey> {
  // A copy, because the offset of a Uint32Array must be a multiple of four.
  const words = new Uint32Array(Uint8Array.from(Buffer.from(kept.contents, 'base64')).buffer);
  let at = 0;
  for (const id of unpackedIds(kept)) {
    yield { id, left: words[at] ?? 0, right: words[at + 1] ?? 0 };
    at += 2;
  }
}
