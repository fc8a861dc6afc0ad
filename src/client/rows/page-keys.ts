import type { RecordValue } from '../../plain/value.js';
import type { PageKeys } from '../paging.js';
import { guidWords, readGuid, writeHashOfId } from '../ids/guid-table.js';
import { contentWords } from './content-hash.js';
import { idWordsOf } from './rendered.js';

/** Words that are added some at a time, in room for as many as there may be. */
class Words {
  readonly #words: Uint32Array;
  #length = 0;

  constructor(most: number) {
    this.#words = new Uint32Array(most);
  }

  add(words: Uint32Array): void {
    this.#words.set(words, this.#length);
    this.#length += words.length;
  }

  get added(): Uint32Array {
    return this.#words.subarray(0, this.#length);
  }
}

/** One text of words behind the other. */
function joined(first: Uint32Array, second: Uint32Array): Uint32Array {
  if (second.length === 0) return first;
  if (first.length === 0) return second;
  const all = new Uint32Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

const none = new Uint32Array();

/**
 * The keys of the records of a page that have an Id. Throws `local`.
 * @param contents the hashes of the records, two words each
 * @param idOf gives the Id of a record, also of a row
 */
export function pageKeysOf(
  records: readonly RecordValue[],
  contents: Uint32Array,
  idOf: (record: RecordValue) => string | undefined,
): PageKeys {
  const words = idWordsOf(records, idOf);
  // Nearly always each of them has a GUID.
  if (words !== undefined)
    return { guids: words, hashes: none, contents: contents.subarray(0, records.length * contentWords) };
  const [guids, hashes] = [new Words(records.length * guidWords), new Words(records.length * guidWords)];
  const [ofGuids, ofHashes] = [new Words(records.length * contentWords), new Words(records.length * contentWords)];
  const id = new Uint32Array(guidWords);
  for (const [index, record] of records.entries()) {
    const text = idOf(record);
    if (text === undefined) continue;
    const isGuid = readGuid(text, id);
    if (!isGuid) writeHashOfId(text, id);
    (isGuid ? guids : hashes).add(id);
    const at = index * contentWords;
    (isGuid ? ofGuids : ofHashes).add(contents.subarray(at, at + contentWords));
  }
  return { guids: guids.added, hashes: hashes.added, contents: joined(ofGuids.added, ofHashes.added) };
}
