import { basename } from 'node:path';
import { formatNames, formats, type FormatName } from '../../output/formats/index.js';
import { usage } from '../../errors/usage.js';

const endingsOf = (name: FormatName): readonly string[] => [name, ...(formats[name].endings ?? [])];

const byEnding = new Map(formatNames.flatMap((name) => endingsOf(name).map((ending) => [ending, name] as const)));

const endingOf = (file: string): string | undefined =>
  /\.([a-z0-9]+)(?:\.gz)?$/.exec(basename(file).toLowerCase())?.[1];

/** The format that the name of a file ends in: `.csv`, `.csv.gz`; undefined when it ends in none. */
export function formatByName(file: string): FormatName | undefined {
  return byEnding.get(endingOf(file) ?? '');
}

const forPrograms = formatNames.filter((name) => formats[name].audience === 'programs').flatMap(endingsOf);
const knownEndings = `${forPrograms
  .toSorted()
  .map((ending) => `.${ending}`)
  .join(', ')}, .gz behind them, and .txt for people`;

/**
 * The format that the name of an output file says; undefined for one without an ending, and for `.txt`, which is for people.
 * Throws `usage` for an ending that is no format: the file would not hold what its name says.
 */
export function formatOfFile(file: string): FormatName | undefined {
  const format = formatByName(file);
  const ending = endingOf(file);
  if (format !== undefined || ending === undefined || ending === 'txt') return format;
  throw usage('--output-file', `--output-file ${file}: its ending is no format; known are ${knownEndings}`, '-o csv');
}
