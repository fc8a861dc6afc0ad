import { cardFormat } from './card.js';
import { csv, tsv } from './csv.js';
import type { Format } from './format.js';
import { json, ndjson } from './json.js';
import { table } from './table.js';
import { yaml } from './yaml.js';

/** Every format by its name on the command line. */
export const formats = {
  table,
  card: cardFormat,
  json,
  ndjson,
  csv,
  tsv,
  yaml,
  // Loaded only when it is asked for.
  xlsx: { open: async (context) => (await import('./xlsx.js')).openWorkbook(context) },
} as const satisfies Record<string, Format | Format<Uint8Array>>;

/** Name of a format. */
export type FormatName = keyof typeof formats;

/** The names, as help and errors list them. */
export const formatNames = Object.keys(formats);

/** True when a text names a format. */
export function isFormatName(text: string): text is FormatName {
  return Object.hasOwn(formats, text);
}
