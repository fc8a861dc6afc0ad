import { placeOf } from '../client/rows/rendered.js';
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
  // Behind each row is the end of its line.
  const text = place.page.textOf(place.row).slice(0, -1);
  return { record: JSON.parse(text) as RecordValue, text };
}
