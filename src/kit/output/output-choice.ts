import type { ErrorShape } from '../../formats/error.js';
import { formatOfName, formats, type FormatName, formatNames } from '../../formats/writers/index.js';
import type { Environment } from '../host/environment.js';
import { jobVariable } from '../host/parent-channel.js';
import { usage } from '../../core/errors/relctl-error.js';
import type { OutputFlags } from '../flags/common.js';
import { basename } from 'node:path';

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

/** The format that the name of a file says; undefined without an ending and for `.txt`. Throws `usage` for another ending. */
function formatOfFile(file: string): FormatName | undefined {
  const format = formatByName(file);
  const ending = endingOf(file);
  if (format !== undefined || ending === undefined || ending === 'txt') return format;
  throw usage('--output-file', `--output-file ${file}: its ending is unknown; known are ${knownEndings}`, '-o csv');
}

/** The last value that raw arguments give a flag, by its name or its letter, before anything is parsed. */
export function rawValue(argv: readonly string[], name: string, letter: string): string | undefined {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  let value: string | undefined;
  words.forEach((word, index) => {
    if (word === `-${letter}` || word === `--${name}`) value = words[index + 1];
    else if (word.startsWith(`--${name}=`)) value = word.slice(`--${name}=`.length);
    else if (word.startsWith(`-${letter}`)) value = word.slice(2).replace(/^=/, '');
  });
  return value;
}

const rawFormat = (argv: readonly string[]): string | undefined =>
  rawValue(
    argv.map((word) => (word === '--json' ? '--output=json' : word)),
    'output',
    'o',
  );

/** Shape of an error: one JSON object when JSON was asked for, also when the arguments cannot be parsed. */
export function errorShape(environment: Environment): ErrorShape {
  // The run that a job belongs to shows what the job says, in the shape that it was asked for itself.
  if (environment.variables[jobVariable] !== undefined) return 'text';
  const format = formatOfName(rawFormat(environment.argv) ?? environment.variables['RELCTL_OUTPUT'] ?? '');
  return (format !== undefined && formats[format].errors) || 'text';
}

/** Flags that name a format. */
export type FormatFlags = Pick<OutputFlags, 'output' | 'json'>;

/** The format that the flags name; undefined when they name none. Throws `usage` for two. */
export function flaggedFormat({ output, json }: FormatFlags): FormatName | undefined {
  if (!json) return output;
  if (output === undefined || output === 'json') return 'json';
  throw usage('--output', `--json and -o ${output} cannot be used together`);
}

/** The format by flag or ending of the file; undefined when neither says it. Throws `usage` for no format, and for two. */
export const chosenFormat = (flags: Pick<OutputFlags, 'output' | 'json' | 'output-file'>): FormatName | undefined =>
  flaggedFormat(flags) ?? formatOfFile(flags['output-file'] ?? '');
