import { neutralGroup, type Values, option, switchFlag, neutral } from '../kit/flags/define.js';
import {
  settingOption,
  wholeOption,
  timeOption,
  bookmarkOption,
  textOption,
  namesOption,
  durationOption,
  someDurationOption,
  inputFileOption,
} from '../kit/flags/kinds.js';
import { connectionFlags, outputFlags, withNamesFlags, fileOf, type OutputFlags } from '../kit/flags/common.js';
import { csvFlags } from '../kit/flags/csv.js';
import { RelctlError, usage } from '../core/errors/relctl-error.js';
import { callsAtOnce, wholeOf } from '../kit/flags/readers.js';

/** The flag of lists whose records can be edited in a file. */
export const forEditFlags = neutral({
  'for-edit': switchFlag({
    summary: 'With -o csv or xlsx, a file to edit and to feed back by --file, with a column _base.',
    helpGroup: 'OUTPUT',
  }),
});

interface Expected {
  readonly rows: number;
  /** More are as well. */
  readonly isLeast: boolean;
}

function expectedOf(text: string, flag: string): Expected {
  const isLeast = text.startsWith('>=');
  const rows = wholeOf(isLeast ? text.slice(2) : text, flag, { least: 0, most: 2 ** 31 - 1 });
  return { rows, isLeast };
}

/** Flags of a list that is exported to a file. */
export const exportFlags = neutralGroup('EXPORT', {
  resume: switchFlag({ summary: 'Resume an export to --output-file that was interrupted, if one was.' }),
  restart: switchFlag({ summary: 'Throw an interrupted export away and begin anew.' }),
  meta: switchFlag({ summary: 'Write a report of the export to FILE.meta.json.' }),
  consistent: switchFlag({
    summary: 'Read the list again until two passes agree on its records; exit code 8 after four that do not.',
  }),
  expect: option(expectedOf)({
    summary: 'Exit code 8, and no file is replaced, unless the list has N rows, or at least N (>=N).',
    helpValue: 'N',
  }),
  'max-shrink': wholeOption({ least: 0, most: 100 })({
    summary:
      'Refuse to replace a list by one with so many per cent fewer rows (exit code 8); the default is 50, from 100 rows on.',
    helpValue: 'PERCENT',
  }),
  concurrency: wholeOption(callsAtOnce)({
    summary: 'Pages under way at once: 1 to 16; the default is 3.',
    env: 'RELCTL_CONCURRENCY',
  }),
  'lock-wait': durationOption({ summary: 'Wait for another run that writes the same file: 30s, 10m.' }),
  deadline: someDurationOption({ summary: 'Stop after this time, resumable: 90s, 30m, 2h.' }),
});

/** Values of those flags. */
export type ExportFlags = Values<typeof exportFlags>;

/** How many calls to keep under way. */
export const concurrencyOf = ({ concurrency = 3 }: Partial<ExportFlags>): number => concurrency;

/** Throws `partial` when a list has another number of rows than --expect says. */
export function checkExpected({ expect: expected }: Partial<ExportFlags>, rows: number): void {
  if (expected === undefined || (expected.isLeast ? rows >= expected.rows : rows === expected.rows)) return;
  const expectation = `${expected.isLeast ? 'at least ' : ''}${expected.rows}`;
  throw new RelctlError('partial', `the list has ${rows} rows, and --expect says ${expectation}`, {
    facts: { code: 'unexpected-count' },
  });
}

type FileFlags = Partial<ExportFlags & OutputFlags & ChangesFlags>;

/** Throws `usage` for flags that need a file to write to. */
export function checkExportFlags(flags: FileFlags): void {
  if (fileOf(flags) !== undefined) return;
  if (flags['max-shrink'] !== undefined && flags['changes-since'] === undefined) {
    throw usage('--max-shrink', '--max-shrink needs --output-file FILE, or --changes-since NAME');
  }
  const names = ['resume', 'restart', 'meta', 'consistent', 'lock-wait'] as const;
  const flag = names.find((name) => flags[name] !== undefined && flags[name] !== false);
  if (flag === undefined) return;
  throw usage(`--${flag}`, `--${flag} needs --output-file FILE`);
}

/** Flags of a command that takes many ids. */
export const idsFlags = neutralGroup('IDS', {
  ids: inputFileOption({
    summary: 'Ask for each relation in this file, or in stdin by -: an Id a line, or the column Id of CSV or JSON.',
  }),
  concurrency: wholeOption(callsAtOnce)({
    summary: 'With --ids, calls under way at once: 1 to 16; the default is 3.',
    env: 'RELCTL_CONCURRENCY',
  }),
});

/** Says that lists stay what they are. */
export const noMember = 'none';

/** What becomes of lists within records. The fingerprint of an export holds what they mean together. */
export const listMemberFlags = neutralGroup('OUTPUT', {
  explode: option((text) => text.trim())({
    summary:
      'A row for each item of this list of the records, such as TelephoneNumbers; none leaves lists as they are.',
    helpValue: 'MEMBER',
  }),
  join: textOption({
    summary: "Lists as text: the texts of their items with this between them, such as '; '.",
    helpValue: 'TEXT',
  }),
});

/** Values of those flags. */
export type ListMemberFlags = Values<typeof listMemberFlags>;

/** Flags of a list without a period that tells what became of it since it was read before. */
export const changesFlags = {
  'changes-since': bookmarkOption({
    summary: 'Only what is new, changed or gone since the run of this name before, by a column _change.',
    helpValue: 'NAME',
    helpGroup: 'CHANGES',
  }),
  show: namesOption({
    offers: 'columns',
    summary: 'Save these columns of each record, for what is gone at the next run of --changes-since; * for all.',
    helpGroup: 'CHANGES',
  }),
};

/** Values of those flags. */
export type ChangesFlags = Values<typeof changesFlags>;

const times = 'a time, a date (its midnight), now, today, yesterday, -7d, -2h';

/** An end after everything: dates after June 2079 are refused by some databases. No clock decides what lies before it. */
export const endOfTime = '2079-01-01T00:00:00';

/** Flags of a list with a period. */
export const periodFlags = neutralGroup('PERIOD', {
  from: timeOption({ summary: `Start of the period: ${times}. Where clocks change, the earlier instant.` }),
  to: timeOption({ summary: `End of the period: ${times}. Where clocks change, the later instant.` }),
});

/** Values of those flags. */
export type PeriodFlags = Values<typeof periodFlags>;

const most = 2 ** 31 - 1;

/** Flags of a paged list (interface document, Limits). */
export const pagingFlags = neutralGroup('PAGING', {
  limit: wholeOption({ least: 1, most })({ summary: 'Stop after this many rows; says on stderr when more exist.' }),
  page: wholeOption({ least: 0, most })({
    summary: "Only this page, by the service's own number; the default is the whole list.",
  }),
  'page-size': settingOption('pageSize')({
    summary: 'Rows to ask for in one call; the default is 1000 for a whole list, else 100.',
    helpValue: 'N',
  }),
});

/** Values of those flags. */
export type PagingFlags = Values<typeof pagingFlags>;

/** What a record is to bring along (interface document, Endpoints: includeFields, includeCounters). */
export const includeFlags = neutralGroup('CONTENT', {
  'include-fields': switchFlag({
    summary:
      'Ask for the field values of each record (assumed to come in lists too); in rows each field has a column, Field.<name or id>.',
  }),
  'include-counters': switchFlag({
    summary:
      'Ask for the counters of each record (assumed to come in lists too); in CSV each kind has a column, Counter.<tab page>.',
  }),
});

type IncludeFlags = Values<typeof includeFlags>;

/** The parameters that the include flags stand for. */
export const includesOf = (
  flags: IncludeFlags,
): { readonly includeFields: boolean; readonly includeCounters: boolean } => ({
  includeFields: flags['include-fields'],
  includeCounters: flags['include-counters'],
});

/** Flags of a list with pages. */
export const pagedListFlags = {
  ...connectionFlags,
  ...pagingFlags,
  ...exportFlags,
  ...outputFlags,
  ...withNamesFlags,
  ...listMemberFlags,
  ...csvFlags,
};

const { limit } = pagingFlags;
const { expect, 'max-shrink': maxShrink } = exportFlags;

/** Flags of a list that comes as a whole: those of pages would do nothing. */
export const wholeListFlags = {
  ...connectionFlags,
  limit,
  expect,
  'max-shrink': maxShrink,
  ...outputFlags,
  ...withNamesFlags,
  ...listMemberFlags,
  ...csvFlags,
};
