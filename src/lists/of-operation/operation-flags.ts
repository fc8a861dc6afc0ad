import { inGroup, option, switchFlag, repeated } from '../../kit/flags/define.js';
import { inputFileOption, pairOption } from '../../kit/flags/kinds.js';
import { usage } from '../../core/errors/relctl-error.js';

const trimmed = (text: string): string => text.trim();
const columnOption = option((text: string): string => text, { offers: 'columns' });

/** The parameters of a page, either of which may be left out: `page,rows`, `page`, `,rows`. Throws `usage`. */
function pageParamsOf(text: string, flag: string): { readonly pageParam?: string; readonly sizeParam?: string } {
  const [pageParam = '', sizeParam = '', ...others] = text.split(',').map(trimmed);
  if (others.length > 0) throw usage(flag, `${flag} takes two parameters, NUMBER,SIZE, not '${text}'`);
  return { ...(pageParam === '' ? {} : { pageParam }), ...(sizeParam === '' ? {} : { sizeParam }) };
}

const parameterOption = option(pageParamsOf, { helpValue: 'NUMBER,SIZE', offers: 'page-parameters' });

/** Flags that say which list of an operation is read, and how. */
export const listChoiceFlags = inGroup('LIST', {
  list: option(trimmed, { helpValue: 'MEMBER', offers: 'lists' })({
    summary: 'Read this list of the answer page by page, as list commands do: its name, or its path with dots.',
  }),
  'page-params': parameterOption({
    summary: 'The parameters for the page number and the page size; none if one answer has the whole list.',
  }),
  key: columnOption({
    summary: 'The member that identifies the records of the list, if it has an unusual name.',
    helpValue: 'MEMBER',
  }),
});

/** Flags that give the parameters of an operation. */
export const parameterFlags = {
  param: pairOption({
    offers: 'parameters',
    ...repeated,
    summary: 'A parameter; a record or a list as JSON. May be repeated.',
  }),
  input: inputFileOption({ summary: 'Parameters as one JSON object; - reads stdin; 8 MiB at most.' }),
};

/** Says that an operation only reads. */
export const readFlag = {
  read: switchFlag({ summary: 'Treat an operation that is not in the contract as a read.' }),
};
