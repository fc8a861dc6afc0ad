import { fold } from '../../lexical/fold.js';
import type { Cell } from '../../tables/cells.js';
import type { SearchedList } from './searched.js';
import { numbersIn } from './telephone.js';

// A row of an index has the values of a record as one text, each between two marks, so that the beginning and the end of a
// value can be looked for.

/** Stands before and behind each value in an index; XML cannot hold it. */
export const mark = '\u0001';

/** What a value adds to the text of its row, folded. */
export const added = (value: Cell | undefined): string => (typeof value === 'string' ? `${fold(value)} ${mark}` : '');

/** What the items of a list add, of the list as a JSON array. */
export function addedItems({ isNumber }: SearchedList, json: Cell | undefined): string {
  const items = (JSON.parse(String(json)) as readonly Cell[]).filter((item) => typeof item === 'string');
  if (isNumber !== true) return items.map(added).join('');
  return items.flatMap((item) => numbersIn(item).map(({ all }) => `${all} ${mark}`)).join('');
}
