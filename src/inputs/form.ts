import { extname } from 'node:path';
import type { RelctlError } from '../errors/relctl-error.js';
import { usage } from '../errors/usage.js';
import type { InputBytes } from './bytes.js';

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

/** First bytes of files that are no text, and what to do with them. */
const others: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0xd0, 0xcf, 0x11, 0xe0], 'is an old or an encrypted workbook: save it as .xlsx without a password'],
  [[0x1f, 0x8b], 'is compressed: pipe it in, `gzip -dc FILE | relctl … --from - --results FILE`'],
  [[0xff, 0xfe], 'is UTF-16: save it as "CSV UTF-8", or convert it by `iconv -f utf-16 -t utf-8`'],
  [[0xfe, 0xff], 'is UTF-16: save it as "CSV UTF-8", or convert it by `iconv -f utf-16 -t utf-8`'],
  [[0x50, 0x41, 0x52, 0x31], 'is a Parquet file: write it as CSV or NDJSON'],
];

const startsWith = (head: Buffer, bytes: readonly number[]): boolean => bytes.every((byte, at) => head[at] === byte);

/** First bytes of a ZIP file, as workbooks are. */
const packed: readonly number[] = [0x50, 0x4b, 0x03, 0x04];

const refused = (name: string, what: string): RelctlError => usage('--from', `${name} ${what}`);

/** The form that the first character of a text shows. */
function formOfText(head: Buffer): InputForm {
  const [first] = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (first === '[') return 'json';
  return first === '{' ? 'ndjson' : 'csv';
}

/** Throws `usage` for bytes that are no text in UTF-8, in words that say what to do. */
function checkText({ name, text }: InputBytes): void {
  if (text.hasZero) {
    throw refused(name, 'holds bytes of zero, so it is no text in UTF-8: save it as "CSV UTF-8", or as .xlsx');
  }
  if (text.wrongLine === undefined) return;
  throw refused(
    name,
    `is no UTF-8 on line ${text.wrongLine}: save it as "CSV UTF-8", or convert it from what it is, such as ` +
      '`iconv -f windows-1252 -t utf-8`',
  );
}

/**
 * The form of a file: that which was asked for; else what its content shows, a workbook before all; else the ending of its
 * name. Throws `usage` for what has none of the forms.
 */
export function formOf(bytes: InputBytes, asked: InputForm | undefined): InputForm {
  const { name, head, length } = bytes;
  if (length === 0) throw refused(name, 'is empty: there is no header');
  const other = others.find(([first]) => startsWith(head, first));
  if (other !== undefined) throw refused(name, other[1]);
  const isPacked = startsWith(head, packed);
  if (isPacked && (asked ?? 'xlsx') === 'xlsx') return 'xlsx';
  const named = byEnding[extname(name).toLowerCase()];
  const form = asked ?? named;
  if (form === 'xlsx') throw refused(name, 'is no workbook: an .xlsx file begins with PK');
  checkText(bytes);
  return form ?? formOfText(head);
}
