import type { ErrorShape } from '../../output/error.js';
import { formatOfName, formats, type FormatName } from '../../output/formats/index.js';
import type { Environment } from '../../host/environment.js';
import { formatOfFile } from './file-ending.js';
import { jobVariable } from '../../host/parent-channel.js';
import { usage } from '../../errors/usage.js';
import type { OutputFlags } from '../flags/output.js';

/** The last value given for `-o`/`--output`/`--json` in raw arguments, before anything is parsed. */
function rawFormat(argv: readonly string[]): string | undefined {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  let format: string | undefined;
  words.forEach((word, index) => {
    if (word === '--json') format = 'json';
    else if (word === '-o' || word === '--output') format = words[index + 1];
    else if (word.startsWith('--output=')) format = word.slice('--output='.length);
    else if (/^-o./.test(word)) format = word.slice(2).replace(/^=/, '');
  });
  return format;
}

/** Shape of an error: one JSON object when JSON was asked for, also when the arguments cannot be parsed. */
export function errorShape(environment: Environment): ErrorShape {
  // The run that a job belongs to shows what the job says, in the shape that it was asked for itself.
  if (environment.variables[jobVariable] !== undefined) return 'text';
  const format = formatOfName(rawFormat(environment.argv) ?? environment.variables['RELCTL_OUTPUT'] ?? '');
  return (format !== undefined && formats[format].errors) || 'text';
}

/** Flags that name a format. */
export type FormatFlags = Pick<OutputFlags, 'output' | 'json'>;

/** Flags that say the format and the file of an output. */
export type ChoiceFlags = Pick<OutputFlags, 'output' | 'json' | 'output-file'>;

/** The format that the flags name; undefined when they name none. Throws `usage` for two. */
export function flaggedFormat({ output, json }: FormatFlags): FormatName | undefined {
  if (!json) return output;
  if (output === undefined || output === 'json') return 'json';
  throw usage('--output', `--json and -o ${output} exclude each other`);
}

/**
 * The format by flag or by the ending of the output file; undefined when neither says it. Throws `usage` for an ending that
 * is no format, and for two formats.
 */
export const chosenFormat = (flags: ChoiceFlags): FormatName | undefined =>
  flaggedFormat(flags) ?? formatOfFile(flags['output-file'] ?? '');
