import { nearest } from '../../lexical/nearest.js';
import { shellWord } from '../../lexical/shell/command.js';
import { formatNames, formatOfName, textFormatNames, type FormatName } from '../../output/formats/index.js';
import { perhaps, usage } from '../../errors/usage.js';
import type { CsvFlags } from './csv.js';
import { namesOption, outputFileOption, textOption } from './kinds.js';
import { neutralGroup, option, switchFlag, type Values, inGroup } from './define.js';

/** Asks something of records, whatever gives them. */
const queryFlag = inGroup('OUTPUT', {
  query: textOption({
    summary: 'Print what this JMESPath gives of all records: "[].{Nr: Number, Name: Info}".',
    helpValue: 'EXPR',
  }),
});

/** Flags that choose among records, order them, or ask something of them. */
const queryFlags = inGroup('OUTPUT', {
  where: textOption({
    summary: `Only records for which this SQL is true: "Name like '%veen%' and not IsInactive".`,
    helpValue: 'CONDITION',
  }),
  sort: namesOption({ offers: 'columns', summary: 'Sort by these columns: SalesPrice:desc,Name.' }),
  ...queryFlag,
  count: switchFlag({ summary: 'Print how many records there are, not the records.' }),
});

/** The format of this name. Throws `usage`; a value that looks like a path points to --output-file. */
export function formatNamed(text: string): FormatName {
  const format = formatOfName(text);
  if (format !== undefined) return format;
  const looksLikePath = /[./\\]/.test(text);
  throw usage(
    '--output',
    `unknown output format '${text}'; the formats are ${formatNames.join(', ')}`,
    looksLikePath
      ? { advice: `A file is named by --output-file ${shellWord(text)}.` }
      : perhaps(text, nearest(text, formatNames)),
  );
}

const notUsual = formatNames.filter((name) => !textFormatNames.includes(name));

const formatFlags = neutralGroup('OUTPUT', {
  output: option(formatNamed, { offers: formatNames })({
    char: 'o',
    summary: `Format: ${formatNames.slice(0, -1).join(', ')} or ${formatNames.at(-1) ?? ''} (RELCTL_OUTPUT, but for ${notUsual.join(', ')}).`,
    env: 'RELCTL_OUTPUT',
    helpValue: 'FORMAT',
  }),
  json: switchFlag({ summary: 'The same as -o json.' }),
  'output-file': outputFileOption({
    summary: 'Write to this file when complete, not to stdout; its name may say the format: x.csv.',
  }),
  force: switchFlag({ summary: 'Replace the output file when it exists.' }),
  columns: namesOption({
    offers: 'column-words',
    summary: 'Columns to show: Id,AuditData.CreatedAt; Nr=Id for another title; * for all; help lists them.',
  }),
  'no-header': switchFlag({ summary: 'Leave the header of tables, CSV, TSV and workbooks out.' }),
});

/** Flags of every command that prints records. */
export const outputFlags = { ...formatFlags, ...queryFlags };

/** Flags of a command that prints what it wrote. */
export const writeOutputFlags = { ...formatFlags, ...queryFlag };

/** Flags of every command whatsoever. */
export const commonFlags = neutralGroup('GLOBAL', {
  quiet: switchFlag({
    char: 'q',
    summary: 'No warnings and notes, only errors.',
    env: 'RELCTL_QUIET',
  }),
  'no-input': switchFlag({ summary: 'Never ask in a terminal.', env: 'RELCTL_NO_INPUT' }),
});

/** Values of those flags. */
export type CommonFlags = Values<typeof commonFlags>;

/** Values of the flags of a command that prints records; some have no flags of CSV. */
export type OutputFlags = Values<typeof writeOutputFlags> &
  Partial<Values<typeof queryFlags>> &
  CommonFlags &
  Partial<CsvFlags>;

/** The file that flags name for the output; undefined for stdout. */
export const fileOf = ({ 'output-file': file }: Partial<Pick<OutputFlags, 'output-file'>>): string | undefined =>
  file === '-' ? undefined : file;
