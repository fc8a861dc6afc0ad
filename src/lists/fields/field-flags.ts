import { repeated } from '../../kit/flags/define.js';
import { fieldOption, idOption, pairOption } from '../../kit/flags/kinds.js';

const helpGroup = 'FIELDS';

/** Names of fields are looked up in this workflow. */
export const workflowFlag = idOption('workflow')({
  summary: 'Workflow whose fields can be used by name; relctl reads them and caches them for a day.',
  helpGroup,
});

/** The same of a command whose operation looks at no workflow: it filters nothing. */
export const fieldsOfFlag = idOption('workflow')({
  summary: 'Workflow whose fields can be used by name; it does not filter the activities.',
  helpGroup,
});

const fieldValue = { ...repeated, helpGroup } as const;

/** Field values of a command with --workflow; may be repeated. */
export const fieldFlag = pairOption({
  ...fieldValue,
  offers: 'fields',
  summary:
    'A field and its value: the field by id, by its name in the profile, or with a workflow by name or label; may be repeated.',
});

/** Field values of a command that looks no names up; may be repeated. */
export const aliasedFieldFlag = pairOption({
  ...fieldValue,
  offers: 'field-names',
  summary: 'A field and its value: the field by id or by its name in the profile; may be repeated.',
});

/** Flags that name one field, whose labels are listed. */
export const labelledFieldFlags = {
  field: fieldOption({
    required: true,
    summary: 'The field: id, its name in the profile, or with a workflow name or label.',
    helpValue: 'FIELD',
  }),
  workflow: workflowFlag,
};
