import type { ErrorShape } from '../../output/error.js';
import { formatNames, formats, isFormatName, type FormatName } from '../../output/formats/index.js';
import type { Environment } from '../../host/environment.js';
import { formatOfFile } from './file-ending.js';
import { jobVariable } from '../../host/parent-channel.js';
import { usage } from '../../errors/usage.js';

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
  const format = rawFormat(environment.argv) ?? environment.variables['RELCTL_OUTPUT'];
  return (format !== undefined && isFormatName(format) && formats[format].errors) || 'text';
}

/** Flags that say the format and the file of an output. */
export interface ChoiceFlags {
  readonly output?: string | undefined;
  readonly json?: boolean | undefined;
  readonly 'output-file'?: string | undefined;
}

/**
 * The format by flag or by the ending of the output file; undefined when neither says it. Throws `usage` for a format and an
 * ending that are none.
 */
export function chosenFormat(flags: ChoiceFlags): FormatName | undefined {
  const isSaid = flags.json === true || flags.output !== undefined;
  return formatOf(flags, isSaid ? undefined : formatOfFile(flags['output-file'] ?? ''));
}

/** The format of the data. Throws `usage` for an unknown one; a value that looks like a path points to --output-file. */
export function formatOf(
  flags: { readonly output?: string | undefined; readonly json?: boolean | undefined },
  fallback: string | undefined,
): FormatName | undefined {
  if (flags.json === true && flags.output !== undefined && flags.output !== 'json') {
    throw usage('--output', `--json and -o ${flags.output} exclude each other`);
  }
  const wanted = flags.json === true ? 'json' : (flags.output ?? fallback);
  if (wanted === undefined || isFormatName(wanted)) return wanted;
  const looksLikePath = /[./\\]/.test(wanted);
  throw usage(
    '--output',
    `unknown output format '${wanted}'; the formats are ${formatNames.join(', ')}`,
    looksLikePath ? `--output-file ${wanted}` : '-o json',
  );
}
