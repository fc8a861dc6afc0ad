import { isRecord, type Value, type RecordValue } from '../core/values/value.js';
import { cellText } from './columns.js';

const isScalar = (value: Value | undefined): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** What a record is called among its like: its name, else what it says first, an Id last of all. */
function labelOf(record: RecordValue): string {
  const names = Object.keys(record).filter((name) => name !== 'Value' && isScalar(record[name]));
  const name = names.includes('Name') ? 'Name' : (names.find((each) => each !== 'Id') ?? names[0]);
  return name === undefined ? '' : cellText(record[name]);
}

function itemText(item: Value): string {
  if (!isRecord(item)) return cellText(item);
  const value = item['Value'];
  if (isScalar(value)) return [labelOf(item), cellText(value)].filter((text) => text !== '').join(': ');
  return cellText(item);
}

/** Characters of a text that people are shown, wherever it goes: to measure one of some megabytes takes minutes. */
const mostCharacters = 1024 * 1024;

/** A text without its end, of which the size is told, where nobody reads so much. */
export const shownText = (text: string): string =>
  text.length <= mostCharacters
    ? text
    : `${text.slice(0, mostCharacters)}… (${text.length.toLocaleString('en-US')} characters; -o json shows all)`;

/**
 * A value as people read it, in parts: the items of a list, those that have a Value as name and value. Everything else is
 * one part, as in other formats.
 */
export function briefParts(value: Value | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(itemText) : [cellText(value)];
}

/** The parts of a value behind each other. */
export const joinedParts = (parts: readonly string[]): string => parts.join('; ');
