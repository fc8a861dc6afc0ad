import type { RecordValue } from '../../core/values/value.js';
import { openLineStore } from '../../state/temporary-file.js';
import { recordBatches } from '../../core/values/batches.js';
import { fieldIds } from './columns.js';

/** Records that wait until their columns are known. */
export interface Staging {
  add(records: readonly RecordValue[]): void;
  /** Fields that the records have values of. */
  readonly fieldIds: ReadonlySet<string>;
  /** The records in batches, as they were added. */
  batches(): Generator<readonly RecordValue[]>;
  close(): void;
}

const batchRows = 500;

/**
 * Opens a staging file: in memory while it is small, then in a temporary file that only its owner can read. Its `add` throws
 * `local` when that file cannot be written.
 * @param most how many characters are kept in memory
 */
export function openStaging(most?: number): Staging {
  const ids = new Map<string, string>();
  const store = openLineStore(most);
  function* all(): Generator<RecordValue> {
    // JSON.stringify wrote each line, so it is a record.
    for (const line of store.lines()) yield JSON.parse(line) as RecordValue;
  }
  return {
    add(records) {
      for (const each of records) {
        for (const id of fieldIds(each)) if (!ids.has(id.toLowerCase())) ids.set(id.toLowerCase(), id);
        store.add(JSON.stringify(each));
      }
    },
    get fieldIds() {
      return new Set(ids.values());
    },
    batches: () => recordBatches(all(), batchRows),
    close: () => store.close(),
  };
}
