import { switchFlag } from './define.js';
import { namesOption, textOption } from './kinds.js';

const helpGroup = 'OUTPUT';

/** Asks something of records, whatever gives them. */
export const queryFlag = {
  query: textOption({
    summary: 'Print what this JMESPath gives of all records: "[].{Nr: Number, Name: Info}".',
    helpValue: 'EXPR',
    helpGroup,
  }),
};

/** Flags that choose among records, order them, or ask something of them. */
export const queryFlags = {
  where: textOption({
    summary: `Only records for which this SQL is true: "Name like '%veen%' and not IsInactive".`,
    helpValue: 'CONDITION',
    helpGroup,
  }),
  sort: namesOption({ offers: 'columns', summary: 'Sort by these columns: SalesPrice:desc,Name.', helpGroup }),
  ...queryFlag,
  count: switchFlag({ summary: 'Print how many records there are, not the records.', helpGroup }),
};
