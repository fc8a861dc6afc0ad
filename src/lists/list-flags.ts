import { exitWords } from '../core/errors/kinds.js';
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
    summary: 'With -o csv or xlsx, write a file to edit and to write back with --file; it has a column _base.',
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
  resume: switchFlag({ summary: 'Resume an interrupted export to --output-file, if there is one.' }),
  restart: switchFlag({ summary: 'Discard an interrupted export and start over.' }),
  meta: switchFlag({ summary: 'Write a report of the export to FILE.meta.json.' }),
  consistent: switchFlag({
    summary: `Read the list again until two passes agree; ${exitWords('partial')} if four passes do not.`,
  }),
  expect: option(expectedOf)({
    summary: `Require N rows, or at least N (>=N); otherwise end with ${exitWords('partial')} and replace no file.`,
    helpValue: 'N',
  }),
  'max-shrink': wholeOption({ least: 0, most: 100 })({
    summary: `Refuse to replace a list with one that has this many percent fewer rows (${exitWords('partial')}); the default is 50, from 100 rows on.`,
    helpValue: 'PERCENT',
  }),
  concurrency: wholeOption(callsAtOnce)({
    summary: 'Number of concurrent page requests: 1 to 16; the default is 3.',
    env: 'RELCTL_CONCURRENCY',
  }),
  'lock-wait': durationOption({ summary: 'Wait this long for another run that writes the same file: 30s, 10m.' }),
  deadline: someDurationOption({ summary: 'Stop after this time, so that the export can be resumed: 90s, 30m, 2h.' }),
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

/** Throws `usage` for flags that need a file to write to. */
export function checkExportFlags(flags: Partial<ExportFlags & OutputFlags & ChangesFlags>): void {
  if (fileOf(flags) !== undefined) return;
  if (flags['max-shrink'] !== undefined && flags['changes-since'] === undefined) {
    throw usage('--max-shrink', '--max-shrink needs --output-file FILE, or --changes-since NAME');
  }
  const names = ['resume', 'restart', 'meta', 'consistent', 'lock-wait'] as const;
  const flag = names.find((name) => flags[name] !== undefined && flags[name] !== false);
  if (flag === undefined) return;
  throw usage(`--${flag}`, `--${flag} needs --output-file FILE`);
}

/** Options of a command that takes many ids, in no group of help. */
export const idsOptions = {
  ids: inputFileOption({
    summary: 'Read the Ids from this file (- is stdin): one Id per line, or the column Id of CSV or JSON.',
  }),
  concurrency: wholeOption(callsAtOnce)({
    summary: 'With --ids, the number of concurrent calls: 1 to 16; the default is 3.',
    env: 'RELCTL_CONCURRENCY',
  }),
};

/** The same as flags of a command that reads records. */
export const idsFlags = neutralGroup('IDS', idsOptions);

/** Says that lists stay what they are. */
export const noMember = 'none';

/** What becomes of lists within records. The fingerprint of an export holds what they mean together. */
export const listMemberFlags = neutralGroup('OUTPUT', {
  explode: option((text) => text.trim())({
    summary: 'Print a row for each item of this list, such as TelephoneNumbers; none does not expand lists.',
    helpValue: 'MEMBER',
  }),
  join: textOption({
    summary: "Join the items of a list with this text, such as '; '.",
    helpValue: 'TEXT',
  }),
});

/** Values of those flags. */
export type ListMemberFlags = Values<typeof listMemberFlags>;

/** Flags of a list without a period that tells what became of it since it was read before. */
export const changesFlags = {
  'changes-since': bookmarkOption({
    summary: 'Only records that are new, changed or gone since the last run with this name; see the column _change.',
    helpValue: 'NAME',
    helpGroup: 'CHANGES',
  }),
  show: namesOption({
    offers: 'columns',
    summary: 'With --changes-since, save these columns, to print them for gone records at the next run; * for all.',
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
  limit: wholeOption({ least: 1, most })({ summary: 'Stop after this many rows; a note says when more exist.' }),
  page: wholeOption({ least: 0, most })({
    summary: "Read only this page, by the service's own number; the default is the whole list.",
  }),
  'page-size': settingOption('pageSize')({
    summary: 'Rows per call; the default is 1000 for a whole list, otherwise 100.',
    helpValue: 'N',
  }),
});

/** Values of those flags. */
export type PagingFlags = Values<typeof pagingFlags>;

/** What a record is to bring along (interface document, Endpoints: includeFields, includeCounters). */
export const includeFlags = neutralGroup('CONTENT', {
  'include-fields': switchFlag({
    summary:
      'Request the field values of each record (assumed to work in lists too); each field has a column, Field.<name or id>.',
  }),
  'include-counters': switchFlag({
    summary:
      'Request the counters of each record (assumed to work in lists too); each kind has a column in CSV, Counter.<tab page>.',
  }),
});

/** The parameters that the include flags stand for. */
export const includesOf = (
  flags: Values<typeof includeFlags>,
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
