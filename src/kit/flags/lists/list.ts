import { neutralGroup, type Values, option, switchFlag } from '../define.js';
import { settingOption, wholeOption, timeOption, bookmarkOption, textOption, namesOption } from '../kinds.js';

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
    summary: 'Keep these columns of each record, for what is gone at the next run of --changes-since; * for all.',
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

/** Values of those flags. */
type IncludeFlags = Values<typeof includeFlags>;

/** The parameters that the include flags stand for. */
export const includesOf = (
  flags: IncludeFlags,
): { readonly includeFields: boolean; readonly includeCounters: boolean } => ({
  includeFields: flags['include-fields'],
  includeCounters: flags['include-counters'],
});
