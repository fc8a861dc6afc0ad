import { inGroup, switchFlag } from './define.js';
import { namesOption, textOption } from './kinds.js';

/** Asks something of records, whatever gives them. */
export const queryFlag = inGroup('OUTPUT', {
  query: textOption({
    summary: 'Print what this JMESPath gives of all records: "[].{Nr: Number, Name: Info}".',
    helpValue: 'EXPR',
  }),
});

/** Flags that choose among records, order them, or ask something of them. */
export const queryFlags = inGroup('OUTPUT', {
  where: textOption({
    summary: `Only records for which this SQL is true: "Name like '%veen%' and not IsInactive".`,
    helpValue: 'CONDITION',
  }),
  sort: namesOption({ offers: 'columns', summary: 'Sort by these columns: SalesPrice:desc,Name.' }),
  ...queryFlag,
  count: switchFlag({ summary: 'Print how many records there are, not the records.' }),
});
