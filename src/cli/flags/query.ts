import { switchFlag } from './define.js';
import { namesOption, textOption } from './kinds.js';

const helpGroup = 'OUTPUT';

/** Flags that choose among records, order them, or ask something of them, whatever gives them. */
export const queryFlags = {
  where: textOption({
    summary: `Only records for which this SQL is true: "Name like '%veen%' and not IsInactive".`,
    helpValue: 'CONDITION',
    helpGroup,
  }),
  sort: namesOption({ offers: 'columns', summary: 'Sort by these columns: SalesPrice:desc,Name.', helpGroup }),
  query: textOption({
    summary: 'Print what this JMESPath gives of all records: "[].{Nr: Number, Name: Info}".',
    helpValue: 'EXPR',
    helpGroup,
  }),
  count: switchFlag({ summary: 'Print how many records there are, not the records.', helpGroup }),
};
