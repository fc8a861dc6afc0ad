import { basename } from 'node:path';
import { isFormatName, type FormatName } from '../../output/formats/index.js';
import { usage } from '../../errors/usage.js';

/** Endings that are called otherwise than their format. */
const otherEndings: Readonly<Record<string, FormatName>> = { yml: 'yaml', jsonl: 'ndjson' };

const endingOf = (file: string): string | undefined =>
  /\.([a-z0-9]+)(?:\.gz)?$/.exec(basename(file).toLowerCase())?.[1];

/** The format that the name of a file ends in: `.csv`, `.csv.gz`; undefined when it ends in none. */
export function formatByName(file: string): FormatName | undefined {
  const ending = endingOf(file) ?? '';
  if (Object.hasOwn(otherEndings, ending)) return otherEndings[ending];
  return isFormatName(ending) ? ending : undefined;
}

const knownEndings = '.csv, .tsv, .json, .ndjson, .jsonl, .yaml, .yml and .xlsx, .gz behind them, and .txt for people';

/**
 * The format that the name of an output file says; undefined for one without an ending, and for `.txt`, which is for people.
 * Throws `usage` for an ending that is no format: the file would not hold what its name says.
 */
export function formatOfFile(file: string): FormatName | undefined {
  const format = formatByName(file);
  const ending = endingOf(file);
  if (format !== undefined || ending === undefined || ending === 'txt') return format;
  throw usage(
    '--output-file',
    `--output-file ${file}: its ending is no format; known are ${knownEndings}`,
    'Say the format: -o csv',
  );
}
