import { Flags } from '@oclif/core';

const helpGroup = 'FIELDS';

/** Names of fields are looked up in this workflow. */
export const workflowFlag = Flags.string({
  summary: 'Workflow whose fields may be named; they are looked up, and remembered for a day.',
  helpValue: 'GUID',
  helpGroup,
});

/** Field values; may be repeated. */
export const fieldFlag = Flags.string({
  multiple: true,
  multipleNonGreedy: true,
  summary: 'A field by id, alias, or with --workflow by name or label, and its value; may be repeated.',
  helpValue: 'NAME=VALUE',
  helpGroup,
});
