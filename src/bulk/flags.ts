import { neutral, option, switchFlag, type Values } from '../cli/flags/define.js';
import { callsAtOnce } from '../cli/flags/lists/export.js';
import { usage } from '../errors/usage.js';
import { choiceOption, inputFileOption, keptFileOption, textOption, wholeOption } from '../cli/flags/kinds.js';

const helpGroup = 'ROWS OF A FILE';

/** The flag of commands whose records can be read back, by the contract or by an imported operation. */
export const settleFlag = neutral({
  settle: switchFlag({
    summary: 'Find out what became of unknown rows of an earlier run, and send nothing.',
    helpGroup,
  }),
});

/** The flag of commands whose rows may have the column `_base`. */
export const baseFlags = neutral({
  'no-base': switchFlag({
    summary: 'Write what the cells say, whatever the records are by now; _base is neither needed nor looked at.',
    helpGroup,
  }),
});

/** How many rows may fail: a number, or a share of all rows in percent. */
export interface MostErrors {
  readonly count: number;
  readonly isShare: boolean;
}

/** A number of rows, or a share: `20`, `5%`. Throws `usage` that names the flag. */
function mostErrorsOf(text: string, flag: string): MostErrors {
  const [, digits = '', sign = ''] = /^(\d{1,9})(%?)$/.exec(text) ?? [];
  const isShare = sign === '%';
  if (digits !== '' && !(isShare && Number(digits) > 100)) return { count: Number(digits), isShare };
  throw usage(flag, `${flag} takes a number of rows or a share of them such as 20 or 5%, not '${text}'`);
}

const mostErrorsOption = option(mostErrorsOf, { helpValue: 'N|N%' });

/** Flags of a command that writes a row of a file each. */
export const bulkFlags = neutral({
  file: inputFileOption({
    summary: 'Write each row of this file, or of stdin by -: CSV, TSV, NDJSON, JSON, xlsx.',
    helpGroup,
  }),
  'input-format': choiceOption(['csv', 'tsv', 'ndjson', 'json', 'xlsx'])({
    summary: 'What the file of --file is; without it, what its content and its name show.',
    helpGroup,
  }),
  delimiter: choiceOption(['comma', 'semicolon', 'tab', 'pipe'])({
    summary: 'What separates its cells; without it, what its header shows.',
    helpGroup,
  }),
  decimal: choiceOption(['point', 'comma'])({
    summary: 'What its decimals have: point, or comma; without it a point, and what may part thousands is refused.',
    helpGroup,
  }),
  sheet: textOption({ summary: 'The sheet of a workbook; the default is the first.', helpValue: 'NAME', helpGroup }),
  map: textOption({
    multiple: true,
    multipleNonGreedy: true,
    summary:
      'What a column stands for: a flag, a member of the record, a field; or nothing (COLUMN=); may be repeated.',
    helpValue: 'COLUMN=FLAG',
    helpGroup,
  }),
  'null-as': textOption({ summary: 'Text of a cell that means: make it empty.', helpValue: 'TEXT', helpGroup }),
  'skip-invalid': switchFlag({ summary: 'Send the other rows when some have mistakes.', helpGroup }),
  results: keptFileOption({
    summary: 'What became of each row, as CSV; the default stands beside the input.',
    helpGroup,
  }),
  resume: switchFlag({ summary: 'Go on with rows that were not sent, or failed.', helpGroup }),
  restart: switchFlag({ summary: 'Begin anew although the same file was written before.', helpGroup }),
  'retry-unknown': switchFlag({
    summary: 'With --resume, send rows again of which it is not known whether they were done.',
    helpGroup,
  }),
  concurrency: wholeOption(callsAtOnce)({ summary: 'Writes under way at once: 1 to 16; the default is 1.', helpGroup }),
  'max-errors': mostErrorsOption({
    summary: 'Stop when more rows than these have failed: a number, or a share of all rows.',
    helpGroup,
  }),
});

/** Values of those flags. */
export type BulkFlags = Values<typeof bulkFlags>;

/** Flags of an undo of the rows of a batch. */
export const undoFlags = neutral({
  row: wholeOption({ least: 1, most: 10_000_000 })({
    multiple: true,
    multipleNonGreedy: true,
    summary: 'Put back this row alone, by its number in `writes show --rows`; may be repeated.',
    helpGroup,
  }),
  results: keptFileOption({
    summary: 'What became of each row, as CSV; the default stands beside the results of the batch.',
    helpGroup,
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
