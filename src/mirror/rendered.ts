import { placeOf } from '../client/rendered.js';
import type { RecordValue } from '../plain/value.js';

/** A record, and its text as `-o ndjson` prints it, without the end of the line. */
export interface Kept {
  readonly record: RecordValue;
  readonly text: string;
}

/** A record of a page with its text; one that was rendered as NDJSON when it was decoded is read from that. */
export function keptOf(record: RecordValue): Kept {
  const place = placeOf(record);
  if (place === undefined) return { record, text: JSON.stringify(record) };
  const { page, row } = place;
  const bytes = page.textOf(row, row + 1);
  // Behind each row is the end of its line.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength - 1).toString('utf8');
  return { record: JSON.parse(text) as RecordValue, text };
}
