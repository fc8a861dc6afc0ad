import { isList, type RecordValue, type Value } from '../plain/value.js';

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

/** What stands before the text of a member in a content, and what ends a content. */
export const beforeText = (name: string): string => name + isText;
export const contentEnd = isEnd;

const bytesOfWord = Uint32Array.BYTES_PER_ELEMENT;
const usualBytes = 64 * 1024;
const shared = Buffer.from(new ArrayBuffer(usualBytes));
const sharedWords = new Uint32Array(shared.buffer);

/** Room for a text in UTF-8; made anew for long ones only. */
function roomFor(text: string): Buffer {
  const most = text.length * 3 + bytesOfWord;
  return most <= usualBytes ? shared : Buffer.from(new ArrayBuffer(Math.ceil(most / bytesOfWord) * bytesOfWord));
}

/**
 * Writes a hash of 64 bits of what a record holds to `into`, from index `at`. Two contents have the same hash by chance
 * once in 10^19 times. It is no protection against somebody who searches for two such contents.
 */
export function hashContent(record: RecordValue, into: Uint32Array, at: number): void {
  const text = recordText(record);
  const bytes = roomFor(text);
  hashContentBytes({ bytes, words: wordsOf(bytes) }, bytes.write(text, 'utf8'), { into, at });
}

/** Room for a content in UTF-8, and the same bytes as words. */
export interface ContentRoom {
  readonly bytes: Buffer;
  readonly words: Uint32Array;
}

const wordsOf = (bytes: Buffer): Uint32Array => (bytes === shared ? sharedWords : new Uint32Array(bytes.buffer));

/** Room for a content of so many bytes. */
export function contentRoom(most: number): ContentRoom {
  const bytes = Buffer.from(new ArrayBuffer(Math.ceil(most / bytesOfWord + 1) * bytesOfWord));
  return { bytes, words: new Uint32Array(bytes.buffer) };
}

/** The same for a content that stands in UTF-8: members, one after the other, and the end. */
export function hashContentBytes(
  { bytes, words }: ContentRoom,
  length: number,
  { into, at }: { readonly into: Uint32Array; readonly at: number },
): void {
  for (let behind = length; behind % bytesOfWord !== 0; behind += 1) bytes[behind] = 0;
  const count = Math.ceil(length / bytesOfWord);
  let [left, right] = [length, ~length];
  for (let word = 0; word < count; word += 1) {
    const next = words[word] ?? 0;
    left = Math.imul(left ^ next, 0x85ebca6b);
    left = (left << 13) | (left >>> 19);
    right = Math.imul(right + next, 0xc2b2ae35);
    right ^= right >>> 15;
  }
  left = Math.imul(left ^ (left >>> 16) ^ right, 0x9e3779b1);
  right = Math.imul(right ^ (right >>> 16) ^ left, 0x27d4eb2f);
  into[at] = left ^ (left >>> 15);
  into[at + 1] = right ^ (right >>> 13);
}
