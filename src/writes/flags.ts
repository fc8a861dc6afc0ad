import { neutralGroup, option, switchFlag, type Values, repeated } from '../kit/flags/define.js';
import type { OutputFlags } from '../kit/flags/common.js';
import { usage } from '../core/errors/relctl-error.js';
import { callsAtOnce } from '../kit/flags/readers.js';
import { choiceOption, inputFileOption, rereadFileOption, textOption, wholeOption } from '../kit/flags/kinds.js';

/** The flag of commands whose records can be read back, by the contract or by an imported operation. */
export const settleFlag = neutralGroup('ROWS OF A FILE', {
  settle: switchFlag({ summary: 'Read the outcome of unknown rows of an earlier run, and send nothing.' }),
});

/** The flag of commands whose rows may have the column `_base`. */
export const baseFlags = neutralGroup('ROWS OF A FILE', {
  'no-base': switchFlag({
    summary: 'Write the cells without checking whether the records changed; _base is ignored.',
  }),
});

function mostErrorsOf(text: string, flag: string): { readonly count: number; readonly isShare: boolean } {
  const [, digits = '', sign = ''] = /^(\d{1,9})(%?)$/.exec(text) ?? [];
  const isShare = sign === '%';
  if (digits !== '' && !(isShare && Number(digits) > 100)) return { count: Number(digits), isShare };
  throw usage(flag, `${flag} takes a number or a percentage of rows such as 20 or 5%, not '${text}'`);
}

const mostErrorsOption = option(mostErrorsOf, { helpValue: 'N|N%' });

/** Flags of a command that writes a row of a file each. */
export const bulkFlags = neutralGroup('ROWS OF A FILE', {
  file: inputFileOption({ summary: 'Write each row of this file (- is stdin): CSV, TSV, NDJSON, JSON, xlsx.' }),
  'input-format': choiceOption(['csv', 'tsv', 'ndjson', 'json', 'xlsx'])({
    summary: 'Format of --file; the default is detected from its content and name.',
  }),
  delimiter: choiceOption(['comma', 'semicolon', 'tab', 'pipe'])({
    summary: 'Delimiter of its cells; the default is detected from its header.',
  }),
  decimal: choiceOption(['point', 'comma'])({
    summary: 'Decimal separator of its cells; the default is a point, and relctl refuses an ambiguous 1.234 or 1,234.',
  }),
  sheet: textOption({ summary: 'Sheet of a workbook; the default is the first.', helpValue: 'NAME' }),
  map: textOption({
    ...repeated,
    summary: 'Map a column to a flag, a member of the record or a field; COLUMN= ignores it; may be repeated.',
    helpValue: 'COLUMN=FLAG',
  }),
  'null-as': textOption({ summary: 'Text of a cell that makes the value empty.', helpValue: 'TEXT' }),
  'skip-invalid': switchFlag({ summary: 'Send the other rows if some have mistakes.' }),
  results: rereadFileOption({ summary: 'CSV file for the outcome of each row; the default is next to the input.' }),
  resume: switchFlag({ summary: 'Send the rows that were not sent, or failed.' }),
  restart: switchFlag({ summary: 'Start over although the same file was written before.' }),
  'retry-unknown': switchFlag({
    summary: 'With --resume, send unknown rows again, which may repeat writes.',
  }),
  concurrency: wholeOption(callsAtOnce)({ summary: 'Number of concurrent writes: 1 to 16; the default is 1.' }),
  'max-errors': mostErrorsOption({
    summary: 'Stop after more failed rows than this: a number, or a percentage of all rows.',
  }),
});

/** Values of those flags. */
export type BulkFlags = Values<typeof bulkFlags>;

/** The flags that say how output is written: those of the same names say how the rows of a file are read. */
export function outputFlagsOf(flags: Omit<OutputFlags, 'delimiter' | 'decimal' | 'null-as'>): OutputFlags {
  const own = Object.entries(flags).filter(([name]) => !['delimiter', 'decimal', 'null-as'].includes(name));
  return Object.fromEntries(own) as unknown as OutputFlags;
}

/** Flags of an undo of the rows of a batch. */
export const undoFlags = neutralGroup('ROWS OF A FILE', {
  row: wholeOption({ least: 1, most: 10_000_000 })({
    ...repeated,
    summary: 'Undo only this row, by its number in `writes show --rows`; may be repeated.',
  }),
  results: rereadFileOption({
    summary: 'CSV file for the outcome of each row; the default is next to the results of the batch.',
  }),
  resume: bulkFlags.resume,
  restart: bulkFlags.restart,
  'retry-unknown': bulkFlags['retry-unknown'],
  ...settleFlag,
  concurrency: bulkFlags.concurrency,
  'max-errors': bulkFlags['max-errors'],
});

/** Values of those flags. */
export type UndoFlags = Values<typeof undoFlags>;

/** Throws `usage` for a flag of another way that was not asked for. */
export function checkUnasked(
  { flags, asked: flagNames }: { readonly flags: object; readonly asked: readonly string[] },
  input: Readonly<Record<string, unknown>>,
): void {
  const name = Object.keys(flags).find((each) => input[each] !== undefined && input[each] !== false);
  if (name !== undefined) throw usage(`--${name}`, `--${name} needs --${flagNames[0]}`, `--${flagNames[0]} FILE`);
}
