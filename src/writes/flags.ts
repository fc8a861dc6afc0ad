import { neutralGroup, option, switchFlag, type Values, repeated } from '../kit/flags/define.js';

import { usage } from '../core/errors/relctl-error.js';
import { callsAtOnce } from '../kit/flags/readers.js';
import { choiceOption, inputFileOption, rereadFileOption, textOption, wholeOption } from '../kit/flags/kinds.js';

/** The flag of commands whose records can be read back, by the contract or by an imported operation. */
export const settleFlag = neutralGroup('ROWS OF A FILE', {
  settle: switchFlag({ summary: 'Find out what became of unknown rows of an earlier run, and send nothing.' }),
});

/** The flag of commands whose rows may have the column `_base`. */
export const baseFlags = neutralGroup('ROWS OF A FILE', {
  'no-base': switchFlag({
    summary: 'Write what the cells say, whatever the records are by now; _base is neither needed nor looked at.',
  }),
});

/** How many rows may fail: a number, or a share of all rows in percent. */
export interface MostErrors {
  readonly count: number;
  readonly isShare: boolean;
}

function mostErrorsOf(text: string, flag: string): MostErrors {
  const [, digits = '', sign = ''] = /^(\d{1,9})(%?)$/.exec(text) ?? [];
  const isShare = sign === '%';
  if (digits !== '' && !(isShare && Number(digits) > 100)) return { count: Number(digits), isShare };
  throw usage(flag, `${flag} takes a number of rows or a share of them such as 20 or 5%, not '${text}'`);
}

const mostErrorsOption = option(mostErrorsOf, { helpValue: 'N|N%' });

/** Flags of a command that writes a row of a file each. */
export const bulkFlags = neutralGroup('ROWS OF A FILE', {
  file: inputFileOption({ summary: 'Write each row of this file, or of stdin by -: CSV, TSV, NDJSON, JSON, xlsx.' }),
  'input-format': choiceOption(['csv', 'tsv', 'ndjson', 'json', 'xlsx'])({
    summary: 'What the file of --file is; without it, what its content and its name show.',
  }),
  delimiter: choiceOption(['comma', 'semicolon', 'tab', 'pipe'])({
    summary: 'What separates its cells; without it, what its header shows.',
  }),
  decimal: choiceOption(['point', 'comma'])({
    summary: 'What its decimals have: point, or comma; without it a point, and a lone 1.234 or 1,234 is refused.',
  }),
  sheet: textOption({ summary: 'The sheet of a workbook; the default is the first.', helpValue: 'NAME' }),
  map: textOption({
    ...repeated,
    summary:
      'What a column stands for: a flag, a member of the record, a field; or nothing (COLUMN=); may be repeated.',
    helpValue: 'COLUMN=FLAG',
  }),
  'null-as': textOption({ summary: 'Text of a cell that means: make it empty.', helpValue: 'TEXT' }),
  'skip-invalid': switchFlag({ summary: 'Send the other rows when some have mistakes.' }),
  results: rereadFileOption({ summary: 'What became of each row, as CSV; the default stands beside the input.' }),
  resume: switchFlag({ summary: 'Go on with rows that were not sent, or failed.' }),
  restart: switchFlag({ summary: 'Begin anew although the same file was written before.' }),
  'retry-unknown': switchFlag({
    summary: 'With --resume, send rows again of which it is not known whether they were done.',
  }),
  concurrency: wholeOption(callsAtOnce)({ summary: 'Writes under way at once: 1 to 16; the default is 1.' }),
  'max-errors': mostErrorsOption({
    summary: 'Stop when more rows than these have failed: a number, or a share of all rows.',
  }),
});

/** Values of those flags. */
export type BulkFlags = Values<typeof bulkFlags>;

/** Flags of an undo of the rows of a batch. */
export const undoFlags = neutralGroup('ROWS OF A FILE', {
  row: wholeOption({ least: 1, most: 10_000_000 })({
    ...repeated,
    summary: 'Put back this row alone, by its number in `writes show --rows`; may be repeated.',
  }),
  results: rereadFileOption({
    summary: 'What became of each row, as CSV; the default stands beside the results of the batch.',
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
