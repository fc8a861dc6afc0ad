import type { TextFacts } from './text-facts.js';

/** The flag that takes a file, which says what can be done about one that is no text. */
export type Taker = '--file' | '--ids';

const ways: Readonly<Record<Taker, { readonly saved: string; readonly zeros: string; readonly piped: string }>> = {
  '--file': {
    saved: 'save it as .xlsx without a password',
    zeros: 'save it as "CSV UTF-8", or as .xlsx',
    piped: '--file - --results FILE',
  },
  '--ids': {
    saved: 'save the sheet with the column Id as "CSV UTF-8"',
    zeros: 'save it as "CSV UTF-8"',
    piped: '--ids -',
  },
};

const utf16 = 'is UTF-16: save it as "CSV UTF-8", or convert it by `iconv -f utf-16 -t utf-8`';

/** First bytes of files that are no text, and what to do with them. */
const others: readonly (readonly [bytes: readonly number[], what: (taker: Taker) => string])[] = [
  [[0xd0, 0xcf, 0x11, 0xe0], (taker) => `is an old or an encrypted workbook: ${ways[taker].saved}`],
  [[0x1f, 0x8b], (taker) => `is compressed: pipe it in, \`gzip -dc FILE | relctl … ${ways[taker].piped}\``],
  [[0xff, 0xfe], () => utf16],
  [[0xfe, 0xff], () => utf16],
  [[0x50, 0x41, 0x52, 0x31], () => 'is a Parquet file: write it as CSV or NDJSON'],
];

/** First bytes of a ZIP file, as workbooks are. */
const packed: readonly number[] = [0x50, 0x4b, 0x03, 0x04];

/** Bytes that tell what a file is. */
export const tellingBytes = 4;

const startsWith = (head: Uint8Array, bytes: readonly number[]): boolean =>
  bytes.every((byte, at) => head[at] === byte);

/** True for the first bytes of a workbook. */
export const isPacked = (head: Uint8Array): boolean => startsWith(head, packed);

/** What the first bytes of a file say that it is, and what to do; undefined for what may be a text, or is a workbook. */
export const otherThanText = (head: Uint8Array, taker: Taker): string | undefined =>
  others.find(([bytes]) => startsWith(head, bytes))?.[1](taker);

/** What is said of a workbook where none is taken. */
export const workbookFor = (taker: Taker): string => `is a workbook, or another ZIP file: ${ways[taker].saved}`;

/** Why bytes are no text in UTF-8, and what to do; undefined for a text. */
export function noUtf8({ hasZero, wrongLine }: TextFacts, taker: Taker): string | undefined {
  if (hasZero) return `holds bytes of zero, so it is no text in UTF-8: ${ways[taker].zeros}`;
  if (wrongLine === undefined) return undefined;
  return (
    `is no UTF-8 on line ${wrongLine}: save it as "CSV UTF-8", or convert it from what it is, such as ` +
    '`iconv -f windows-1252 -t utf-8`'
  );
}
