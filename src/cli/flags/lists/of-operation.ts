import { option, switchFlag } from '../define.js';
import { inputFileOption, pairOption } from '../kinds.js';

const helpGroup = 'LIST';

const trimmed = (text: string): string => text.trim();
const columnOption = option((text: string): string => text, { offers: 'columns' });
const parameterOption = option(trimmed, { helpValue: 'NAME', offers: 'page-parameters' });

/** Flags that say which list of an operation is read, and how. */
export const listChoiceFlags = {
  list: option(trimmed, { helpValue: 'MEMBER', offers: 'lists' })({
    summary: 'Read this list of the answer as list commands do, page by page: its name, or its path with dots.',
    helpGroup,
  }),
  'page-param': parameterOption({
    summary: 'The parameter that takes the number of a page; none where one answer has the whole list.',
    helpGroup,
  }),
  'size-param': parameterOption({ summary: 'The parameter that takes the number of rows of a page.', helpGroup }),
  key: columnOption({
    summary: 'The member that tells the records of the list apart, where it has another name than usual.',
    helpValue: 'MEMBER',
    helpGroup,
  }),
};

/** Flags that give the parameters of an operation. */
export const parameterFlags = {
  param: pairOption({
    offers: 'parameters',
    multiple: true,
    multipleNonGreedy: true,
    summary: 'A parameter; a record or a list as JSON. May be repeated.',
  }),
  input: inputFileOption({ summary: 'Parameters as one JSON object; - reads stdin; 8 MiB at most.' }),
};

/** Says that an operation only reads. */
export const readFlag = {
  read: switchFlag({ summary: 'Call an operation that is not in the contract, which only reads.' }),
};
