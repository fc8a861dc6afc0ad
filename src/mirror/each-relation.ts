import { contentsOf } from '../client/rows/rendered.js';
import type { RecordValue } from '../plain/value.js';
import { hashText } from './content.js';

/** A record that a relation has now. */
export interface Found {
  readonly record: RecordValue;
  /** Empty for a record without one: it is known by its content. */
  readonly id: string;
  readonly hash: string;
}

/** The records that came for a relation; the last of those with one Id, whatever the case of its letters. */
export function foundOf(records: readonly RecordValue[]): readonly Found[] {
  const contents = contentsOf(records);
  const found = new Map<string, Found>();
  for (const [at, record] of records.entries()) {
    const id = typeof record['Id'] === 'string' ? record['Id'] : '';
    const hash = hashText(contents, at);
    const key = id === '' ? hash : id.toLowerCase();
    found.delete(key);
    found.set(key, { record, id, hash });
  }
  return [...found.values()];
}
