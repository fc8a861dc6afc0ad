import type { RecordValue } from '../plain/value.js';
import { tmpdir } from 'node:os';
import { writeAll } from '../files/durable.js';
import { attempt } from '../files/failure.js';
import { readLines } from '../files/lines.js';
import { openTemporaryFile, type TemporaryFile } from '../files/temporary-file.js';
import { recordBatches } from '../plain/batches.js';
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

/** How many characters are kept in memory before they are written to a file. */
const mostCharacters = 1024 * 1024;

const batchRows = 500;

/**
 * Opens a staging file: in memory while it is small, then in a temporary file that only its owner can read. Its `add` throws
 * `local` when that file cannot be written.
 * @param most how many characters are kept in memory
 */
export function openStaging(most = mostCharacters): Staging {
  const ids = new Map<string, string>();
  let lines: string[] = [];
  let held = 0;
  let temporary: TemporaryFile | undefined;
  const flush = (): void => {
    const file = (temporary ??= openTemporaryFile(tmpdir()));
    attempt(file.path, () => writeAll(file.handle, Buffer.from(`${lines.join('\n')}\n`)));
    lines = [];
    held = 0;
  };
  function* all(): Generator<RecordValue> {
    // JSON.stringify wrote each line, so it is a record.
    if (temporary !== undefined) for (const line of readLines(temporary.handle)) yield JSON.parse(line) as RecordValue;
    for (const line of lines) yield JSON.parse(line) as RecordValue;
  }
  return {
    add(records) {
      for (const each of records) {
        for (const id of fieldIds(each)) if (!ids.has(id.toLowerCase())) ids.set(id.toLowerCase(), id);
        const line = JSON.stringify(each);
        lines.push(line);
        held += line.length;
        if (held >= most) flush();
      }
    },
    get fieldIds() {
      return new Set(ids.values());
    },
    batches: () => recordBatches(all(), batchRows),
    close: () => temporary?.close(),
  };
}
