import type { RecordValue } from '../../core/values/value.js';
import type { PageKeys } from '../paging.js';
import { guidWords } from '../ids/guid-table.js';
import { contentWords } from './content-hash.js';
import { writeIdOf } from './rendered.js';

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
  const ids = new Uint32Array(records.length * guidWords);
  const kept = contents.slice(0, records.length * contentWords);
  const id = new Uint32Array(guidWords);
  let count = 0;
  for (const [index, record] of records.entries()) {
    if (!writeIdOf(record, idOf, id)) continue;
    ids.set(id, count * guidWords);
    if (count < index) kept.copyWithin(count * contentWords, index * contentWords, (index + 1) * contentWords);
    count += 1;
  }
  return { ids: ids.subarray(0, count * guidWords), contents: kept.subarray(0, count * contentWords) };
}
