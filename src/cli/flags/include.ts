import { Flags } from '@oclif/core';

const helpGroup = 'CONTENT';

/** Asks for the field values of each record. */
export const includeFieldsFlag = Flags.boolean({
  default: false,
  summary:
    'Ask for the field values of each record (assumed to come in lists too); in rows each field has a column, Field.<name or id>.',
  helpGroup,
});

/** What a record is to bring along (interface document, Endpoints: includeFields, includeCounters). */
export const includeFlags = {
  'include-fields': includeFieldsFlag,
  'include-counters': Flags.boolean({
    default: false,
    summary:
      'Ask for the counters of each record (assumed to come in lists too); in CSV each kind has a column, Counter.<tab page>.',
    helpGroup,
  }),
};

/** The parameters that the include flags stand for. */
export const includesOf = (flags: {
  readonly 'include-fields': boolean;
  readonly 'include-counters': boolean;
}): { readonly includeFields: boolean; readonly includeCounters: boolean } => ({
  includeFields: flags['include-fields'],
  includeCounters: flags['include-counters'],
});
