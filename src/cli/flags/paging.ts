import { Flags } from '@oclif/core';
import { integerFlag } from './checked.js';
import { defined } from '../../plain/defined.js';

const helpGroup = 'PAGING';

/** Flags of a paged list (interface document, Limits). */
export const pagingFlags = {
  limit: Flags.string({
    summary: 'Stop after this many rows; says on stderr when more exist.',
    helpValue: 'N',
    helpGroup,
  }),
  page: Flags.string({
    summary: "Only this page, by the service's own number; the default is the whole list.",
    helpValue: 'N',
    helpGroup,
  }),
  'page-size': Flags.string({ summary: 'Rows to ask for in one call.', helpValue: 'N', helpGroup }),
};

/** Values of the paging flags as parsed. */
export interface PagingFlags {
  readonly limit?: string | undefined;
  readonly page?: string | undefined;
  readonly 'page-size'?: string | undefined;
}

/** The limits that the paging flags ask for. Throws `usage` with the flag's name. */
export function pagingOf(flags: PagingFlags): { readonly limit?: number; readonly onlyPage?: number } {
  const limit = integerFlag(flags.limit, '--limit', { least: 1, most: 2 ** 31 - 1 });
  const onlyPage = integerFlag(flags.page, '--page', { least: 0, most: 2 ** 31 - 1 });
  return defined({ limit, onlyPage });
}
