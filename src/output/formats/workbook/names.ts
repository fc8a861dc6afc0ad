/** The most characters of UTF-16 in the name of a sheet. */
const most = 31;

/** What spreadsheets refuse in the name of a sheet, and what XML cannot carry. */
const forbidden = /[\\/?*[\]:\u0000-\u001f\u007f\ufffe\uffff]|\p{Surrogate}/gu;

/** A text of so many units of UTF-16 at most, without half of a pair. */
const cut = (text: string, units: number): string => text.slice(0, units).replace(/[\ud800-\udbff]$/, '');

/**
 * The name of a sheet that holds a list, as spreadsheets take it: 31 characters, none of `\ / ? * [ ] :`, no apostrophe at
 * an end, and not `History`, which one of them keeps for itself.
 * @param number 1 for the first sheet of the list; others have it behind their name
 */
export function sheetName(list: string, number = 1): string {
  const behind = number === 1 ? '' : ` (${number})`;
  const allowed = list.replace(forbidden, ' ').replace(/\s+/g, ' ').trim();
  const name = cut(allowed, most - behind.length)
    .replace(/^'+|'+$/g, '')
    .trim();
  const usable = name === '' || name.toLowerCase() === 'history' ? 'records' : name;
  return usable + behind;
}

/** The name of a column by its place from 0: A, B, … Z, AA. */
export function columnName(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : columnName(Math.floor(at / 26) - 1) + letter;
}
