import { guidOfDigits } from '../../core/text/scalars.js';
import { contentWords } from '../../core/values/content-hash.js';
import { hash } from 'node:crypto';

/** Words of 32 bits in a GUID. */
export const guidWords = 4;

/** Words in a slot of a table: a GUID, and the hash of a content that came with it. */
export const slotWords = guidWords + contentWords;

const notDigit = 0xff;
const digits = new Uint8Array(128).fill(notDigit);
for (let value = 0; value < 16; value += 1) {
  const digit = value.toString(16);
  digits[digit.charCodeAt(0)] = value;
  digits[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Four hexadecimal digits as a number; more than 0xffff when one of them is none. */
function quarter(text: string, at: number): number {
  let value = 0;
  for (let slot = at; slot < at + 4; slot += 1) {
    const digit = digits[text.charCodeAt(slot)] ?? notDigit;
    if (digit === notDigit) return 0x10000;
    value = (value << 4) | digit;
  }
  return value;
}

/** Index of each group of four digits in a GUID, two groups for each word. */
const groups = [0, 4, 9, 14, 19, 24, 28, 32] as const;
const dashes = [8, 13, 18, 23] as const;

/** Writes the four words of a GUID to `words`, in any case of letters; false when the text is not a GUID. */
export function readGuid(text: string, words: Uint32Array): boolean {
  if (text.length !== 36) return false;
  for (const at of dashes) if (text.charCodeAt(at) !== 0x2d) return false;
  for (let word = 0; word < guidWords; word += 1) {
    const high = quarter(text, groups[word * 2] ?? 0);
    const low = quarter(text, groups[word * 2 + 1] ?? 0);
    if (high > 0xffff || low > 0xffff) return false;
    words[word] = high * 0x10000 + low;
  }
  return true;
}

/** True for a text without capitals: a GUID of such is the text of its words. */
export const isLowerGuid = (text: string): boolean => text.length === 36 && text === text.toLowerCase();

/** Room for the words of one GUID: a text of their bytes is made faster than one of each number. */
const room = Buffer.alloc(guidWords * Uint32Array.BYTES_PER_ELEMENT);

/** The GUID of four words, in lower case. */
export function guidOfWords(words: Uint32Array, at: number): string {
  for (let word = 0; word < guidWords; word += 1)
    room.writeUInt32BE(words[at + word] ?? 0, word * Uint32Array.BYTES_PER_ELEMENT);
  return guidOfDigits(room.toString('hex'));
}

/** A number of 32 bits that depends on all bits of the GUID at a place. */
export function hashAt(words: Uint32Array, at: number): number {
  let hash = 0;
  for (let word = at; word < at + guidWords; word += 1) {
    hash = Math.imul(hash ^ (words[word] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}

/** True for a slot that holds nothing. */
export const isFree = (words: Uint32Array, at: number): boolean =>
  words[at] === 0 && words[at + 1] === 0 && words[at + 2] === 0 && words[at + 3] === 0;

const isOf = (words: Uint32Array, at: number, entry: Uint32Array): boolean =>
  words[at] === entry[0] && words[at + 1] === entry[1] && words[at + 2] === entry[2] && words[at + 3] === entry[3];

/** The slot at which the search for a GUID begins; `slots` is a power of two. */
export const firstSlot = (hash: number, slots: number): number => hash & (slots - 1);

/** The search for an entry, slot by slot. It counts the other contents that came with the same GUID. */
export class Search {
  /** What is searched for: the words of a slot. */
  readonly entry: Uint32Array;
  /** Entries with the same GUID and another content. */
  others = 0;
  isFound = false;

  constructor(entry: Uint32Array) {
    this.entry = entry;
  }

  begin(): void {
    this.others = 0;
    this.isFound = false;
  }

  /** Looks at a slot; true when the search ends there. */
  isOver(words: Uint32Array, at: number): boolean {
    if (isFree(words, at)) return true;
    const { entry } = this;
    if (!isOf(words, at, entry)) return false;
    this.isFound = words[at + guidWords] === entry[guidWords] && words[at + guidWords + 1] === entry[guidWords + 1];
    if (!this.isFound) this.others += 1;
    return this.isFound;
  }
}

/**
 * A hash table of GUIDs with contents. An entry is in the first free slot from the one that the hash of its GUID gives.
 * The all-zero GUID cannot be an entry, because it marks a free slot.
 */
export class GuidTable {
  #words: Uint32Array;
  #count = 0;

  /** @param slots how many to begin with, a power of two */
  constructor(slots: number) {
    this.#words = new Uint32Array(slots * slotWords);
  }

  get slots(): number {
    return this.#words.length / slotWords;
  }

  get words(): Uint32Array {
    return this.#words;
  }

  /** True at three quarters: with more entries a search would look at many slots. */
  get isFull(): boolean {
    return (this.#count + 1) * 4 > this.slots * 3;
  }

  look(search: Search, hash: number): void {
    const words = this.#words;
    let at = firstSlot(hash, this.slots) * slotWords;
    while (!search.isOver(words, at)) at = at + slotWords === words.length ? 0 : at + slotWords;
  }

  /** Adds an entry that is not there, from an index of its words on. The table must not be full. */
  add(entry: Uint32Array, from: number, hash: number): void {
    const words = this.#words;
    let at = firstSlot(hash, this.slots) * slotWords;
    while (!isFree(words, at)) at = at + slotWords === words.length ? 0 : at + slotWords;
    // Faster than set() for so few words.
    for (let word = 0; word < slotWords; word += 1) words[at + word] = entry[from + word] ?? 0;
    this.#count += 1;
  }

  /** Makes room for many more entries: each that is there is moved. */
  grow(slots: number): void {
    const old = this.#words;
    this.#words = new Uint32Array(slots * slotWords);
    this.#count = 0;
    for (let at = 0; at < old.length; at += slotWords) if (!isFree(old, at)) this.add(old, at, hashAt(old, at));
  }

  clear(): void {
    this.#words.fill(0);
    this.#count = 0;
  }
}

/**
 * Writes the four words of an Id: those of a GUID, in any case of letters; for the all-zero one and any other text the first of
 * its SHA-256 hash, which no two texts share. A text for each of a million rows would take much more memory.
 */
export function writeIdWords(id: string, words: Uint32Array): void {
  if (readGuid(id, words) && !isFree(words, 0)) return;
  // In UTF-8 two texts may be the same that are not.
  const bytes = hash('sha256', Buffer.from(id, 'utf16le'), 'buffer');
  for (let word = 0; word < guidWords; word += 1)
    words[word] = bytes.readUInt32BE(word * Uint32Array.BYTES_PER_ELEMENT);
}
