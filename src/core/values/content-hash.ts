import { isList, type RecordValue, type Value } from './value.js';

/** Words of 32 bits in the hash of a content. */
export const contentWords = 2;

// Characters that texts of answers hardly ever hold: they separate names from values.
const isText = '\u0001';
const isNil = '\u0002';
const isTrue = '\u0003';
const isFalse = '\u0004';
const isNumber = '\u0005';
const isItem = '\u0006';
const isEnd = '\u0007';
const isNested = '\u0008';

function textOf(value: Value): string {
  switch (typeof value) {
    case 'string':
      return `${isText}${value}`;
    case 'boolean':
      return value ? isTrue : isFalse;
    case 'number':
      return `${isNumber}${value}`;
    default:
      if (value === null) return isNil;
      return isList(value) ? listText(value) : isNested + recordText(value);
  }
}

// Array.isArray makes any[] of a readonly array.

function listText(items: readonly Value[]): string {
  let text = '';
  for (const item of items) text += isItem + textOf(item);
  return text + isEnd;
}

function recordText(record: RecordValue): string {
  let text = '';
  for (const name in record) {
    const value = record[name];
    // Most values are text: this saves a call for each.
    if (typeof value === 'string') text += name + isText + value;
    else if (value !== undefined) text += name + textOf(value);
  }
  return text + isEnd;
}

/** The part of a content that is a member and its value. */
export const memberText = (name: string, value: Value): string => name + textOf(value);

/** What stands in a content before the text of a member, before a number, and at the end. */
export const beforeText = (name: string): string => name + isText;
export const beforeNumber = (name: string): string => name + isNumber;
export const contentEnd = isEnd;

const bytesOfWord = Uint32Array.BYTES_PER_ELEMENT;
const usualBytes = 64 * 1024;
const shared = Buffer.from(new ArrayBuffer(usualBytes));
const sharedWords = new Uint32Array(shared.buffer);

/** A unit of UTF-16 is at most three bytes of UTF-8. */
const bytesPerUnit = 3;

/** Units of a piece of a long text: it is hashed in pieces, because it is in memory often enough. */
const pieceUnits = 16 * 1024;

/** Length of the piece of a text that begins at an index: a character is not cut. */
function pieceLength(text: string, at: number): number {
  const last = text.charCodeAt(at + pieceUnits - 1);
  return last >= 0xd800 && last <= 0xdbff ? pieceUnits - 1 : pieceUnits;
}

/** Adds the texts that a content consists of, in their order, to a list: what textOf gives is all of them. */
function addParts(value: Value, parts: string[]): void {
  if (isList(value)) {
    for (const item of value) {
      parts.push(isItem);
      addParts(item, parts);
    }
    parts.push(isEnd);
  } else if (typeof value === 'object' && value !== null) {
    parts.push(isNested);
    addMembers(value, parts);
  } else if (typeof value === 'string') parts.push(isText, value);
  else parts.push(textOf(value));
}

function addMembers(record: RecordValue, parts: string[]): void {
  for (const name in record) {
    const value = record[name];
    if (value === undefined) continue;
    parts.push(name);
    addParts(value, parts);
  }
  parts.push(isEnd);
}

function hashLong(record: RecordValue, into: Uint32Array, at: number): void {
  const parts: string[] = [];
  addMembers(record, parts);
  begin(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0));
  let held = 0;
  for (const part of parts)
    for (let from = 0; from < part.length; from += pieceLength(part, from)) {
      const used = held + shared.write(part.slice(from, from + pieceLength(part, from)), held);
      held = used % bytesOfWord;
      add(sharedWords, (used - held) / bytesOfWord);
      shared.copy(shared, 0, used - held, used);
    }
  shared.fill(0, held, bytesOfWord);
  if (held > 0) add(sharedWords, 1);
  end(into, at);
}

function hashShared(length: number, into: Uint32Array, at: number): void {
  for (let index = length; index % bytesOfWord !== 0; index += 1) shared[index] = 0;
  begin(length);
  add(sharedWords, Math.ceil(length / bytesOfWord));
  end(into, at);
}

/**
 * Writes a hash of 64 bits of what a record holds to `into`, from index `at`. Two contents have the same hash by chance
 * once in 10^19 times. It is no protection against somebody who searches for two such contents.
 */
export function hashContent(record: RecordValue, into: Uint32Array, at: number): void {
  const text = recordText(record);
  if (text.length * bytesPerUnit + bytesOfWord > usualBytes) hashLong(record, into, at);
  else hashShared(shared.write(text, 'utf8'), into, at);
}

/** The two halves of the hash under way: a hash is begun and ended within one call, and an object for each row takes time. */
let [left, right] = [0, 0];

function begin(length: number): void {
  left = length;
  right = ~length;
}

function add(words: Uint32Array, count: number): void {
  let [one, other] = [left, right];
  for (let word = 0; word < count; word += 1) {
    const next = words[word] ?? 0;
    one = Math.imul(one ^ next, 0x85ebca6b);
    one = (one << 13) | (one >>> 19);
    other = Math.imul(other + next, 0xc2b2ae35);
    other ^= other >>> 15;
  }
  left = one;
  right = other;
}

function end(into: Uint32Array, at: number): void {
  const one = Math.imul(left ^ (left >>> 16) ^ right, 0x9e3779b1);
  const other = Math.imul(right ^ (right >>> 16) ^ one, 0x27d4eb2f);
  into[at] = one ^ (one >>> 15);
  into[at + 1] = other ^ (other >>> 13);
}
