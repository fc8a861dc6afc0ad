import { neutralGroup, type Values } from '../define.js';
import { settingOption, wholeOption } from '../kinds.js';

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
