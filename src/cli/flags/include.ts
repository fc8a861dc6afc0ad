import { neutralGroup, switchFlag, type Values } from './define.js';

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
export type IncludeFlags = Values<typeof includeFlags>;

/** The parameters that the include flags stand for. */
export const includesOf = (
  flags: IncludeFlags,
): { readonly includeFields: boolean; readonly includeCounters: boolean } => ({
  includeFields: flags['include-fields'],
  includeCounters: flags['include-counters'],
});
