import { extname } from 'node:path';
import type { RelctlError } from '../errors/relctl-error.js';
import { usage } from '../errors/usage.js';
import type { InputBytes } from './bytes.js';
import { isPacked, noUtf8, otherThanText } from './no-text.js';

/** A form of input files, as --input-format names them. */
export type InputForm = 'csv' | 'tsv' | 'ndjson' | 'json' | 'xlsx';

const byEnding: Readonly<Record<string, InputForm>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
  '.xlsx': 'xlsx',
  '.xlsm': 'xlsx',
};

const taker = '--file';

const refused = (name: string, what: string): RelctlError => usage(taker, `${name} ${what}`);

/** The form that the first character of a text shows. */
function formOfText(head: Buffer): InputForm {
  const [first] = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (first === '[') return 'json';
  return first === '{' ? 'ndjson' : 'csv';
}

/**
 * The form of a file: that which was asked for; else what its content shows, a workbook before all; else the ending of its
 * name. Throws `usage` for what has none of the forms.
 */
export function formOf(bytes: InputBytes, asked: InputForm | undefined): InputForm {
  const { name, head, length } = bytes;
  if (length === 0) throw refused(name, 'is empty: there is no header');
  const other = otherThanText(head, taker);
  if (other !== undefined) throw refused(name, other);
  if (isPacked(head) && (asked ?? 'xlsx') === 'xlsx') return 'xlsx';
  const named = byEnding[extname(name).toLowerCase()];
  const form = asked ?? named;
  if (form === 'xlsx') throw refused(name, 'is no workbook: an .xlsx file begins with PK');
  const wrong = noUtf8(bytes.text, taker);
  if (wrong !== undefined) throw refused(name, wrong);
  return form ?? formOfText(head);
}
