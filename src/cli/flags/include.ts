import { neutral, switchFlag, type Values } from './define.js';

const helpGroup = 'CONTENT';

/** Asks for the field values of each record. */
export const includeFieldsFlag = switchFlag({
  summary:
    'Ask for the field values of each record (assumed to come in lists too); in rows each field has a column, Field.<name or id>.',
  helpGroup,
});

/** What a record is to bring along (interface document, Endpoints: includeFields, includeCounters). */
export const includeFlags = neutral({
  'include-fields': includeFieldsFlag,
  'include-counters': switchFlag({
    summary:
      'Ask for the counters of each record (assumed to come in lists too); in CSV each kind has a column, Counter.<tab page>.',
    helpGroup,
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
