// Takes flat records of XML out of bytes and writes their rows, the hashes of their contents, and their Ids. program.ts writes
// the program, which says what a record looks like; kernel.ts calls run. AssemblyScript, compiled by scripts/kernel.ts.

import {
  STATE,
  CHILD,
  PROGRAM,
  CONTENT,
  ENDS,
  ID_ENDS,
  HASHES,
  IDS,
  ID_TEXTS,
  OUT,
  MOST_ID_TEXTS,
  MOST_OUT,
  MOST_ROWS,
  OTHER,
  FULL,
  NO_ROW,
  GUID,
  word,
  byteAt,
  put,
} from './memory.assembly';
import { elements, extra, filled, hasFeed, takeRecord } from './record.assembly';
import { isGuid } from './texts.assembly';

/** The code of the character that begins at a place, in UTF-8. */
function codeAt(at: i32): i32 {
  const lead = byteAt(at);
  if (lead < 0x80) return lead;
  const second = byteAt(at + 1) & 0x3f;
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | second;
  const third = byteAt(at + 2) & 0x3f;
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | (second << 6) | third;
  return ((lead & 0x07) << 18) | (second << 12) | (third << 6) | (byteAt(at + 3) & 0x3f);
}

function isBeyond(code: i32): bool {
  const ranges = <usize>word(PROGRAM, 18);
  const count = word(PROGRAM, 19);
  for (let i = 0; i < count; i++) if (code >= word(ranges, i * 2) && code <= word(ranges, i * 2 + 1)) return true;
  return false;
}

/** True for a text with a byte that is escaped, not just one with which a character that calls for a closer look may begin. */
function hasEscape(from: i32, end: i32, table: i32): bool {
  for (let at = from; at < end; at++) {
    const escape = byteAt(table + byteAt(at));
    if (escape != 0 && escape != 0xff) return true;
  }
  return false;
}

/** Writes a text with its escapes; NO_ROW for one with a character that has none. */
function putEscaped(from: i32, end: i32, begin: i32): i32 {
  const table = word(PROGRAM, 15);
  const escapes = word(PROGRAM, 16);
  const wrap = hasEscape(from, end, table) ? word(PROGRAM, 14) : 0;
  let to = begin;
  if (wrap != 0) {
    store<u8>(<usize>to, <u8>wrap);
    to += 1;
  }
  for (let at = from; at < end; at++) {
    const escape = byteAt(table + byteAt(at));
    if (escape == 0 || escape == 0xff) {
      if (escape != 0 && isBeyond(codeAt(at))) return NO_ROW;
      store<u8>(<usize>to, load<u8>(<usize>at));
      to += 1;
      continue;
    }
    const entry = escapes + (escape << 3);
    store<u64>(<usize>to, load<u64>(<usize>(entry + 1)));
    to += byteAt(entry);
  }
  if (wrap == 0) return to;
  store<u8>(<usize>to, <u8>wrap);
  return to + 1;
}

/**
 * Writes the row of the content; gives the place behind it, or NO_ROW. A cell has these words: 0 child, -1 for a literal, which
 * is 1 with its length 2; 4 what stands before a text, 6 behind it, 8 what stands for an empty one, 10 for an absent one, each
 * with its length, -1 for nothing; 12 the cells of fixed values.
 */
function putRow(begin: i32): i32 {
  let to = begin;
  const cells = word(PROGRAM, 6);
  let cell = <usize>word(PROGRAM, 7);
  for (let i = 0; i < cells; i++, cell += 64) {
    if (word(cell, 0) < 0) {
      to = put(to, word(cell, 1), word(cell, 2));
      continue;
    }
    const child = CHILD + ((<usize>word(cell, 0)) << 4);
    const start = load<i32>(child);
    const stop = load<i32>(child, 4);
    if (start < 0 || start == stop) {
      const fixed = load<i32>(child, 8);
      const absent = fixed < 0 ? cell + 40 : <usize>word(cell, 12) + ((<usize>fixed) << 3);
      const entry = start < 0 ? absent : cell + 32;
      if (load<i32>(entry, 4) > 0) to = put(to, load<i32>(entry), load<i32>(entry, 4));
      continue;
    }
    to = put(to, word(cell, 4), word(cell, 5));
    to = load<i32>(child, 12) != 0 ? putEscaped(start, stop, to) : put(to, start, stop - start);
    if (to < 0) return NO_ROW;
    to = put(to, word(cell, 6), word(cell, 7));
  }
  const first = word(PROGRAM, 8);
  if (first != 0 && to == begin) return NO_ROW;
  if (first != 0) store<u8>(<usize>begin, <u8>first);
  return put(to, word(PROGRAM, 9), word(PROGRAM, 10));
}

function quarter(at: i32): u32 {
  const bytes = load<u32>(<usize>at);
  const digits = (bytes & 0x0f0f0f0f) + 9 * ((bytes >> 6) & 0x01010101);
  const pairs = ((digits << 4) | (digits >> 8)) & 0x00ff00ff;
  return ((pairs & 0xff) << 8) | (pairs >> 16);
}

function capitals(at: i32): i32 {
  return i8x16.bitmask(i8x16.lt_u(i8x16.sub(v128.load(<usize>at), i8x16.splat(0x41)), i8x16.splat(6)));
}

/** Writes the words of a GUID in lower case; false for any other text, and the GUID of zeros. */
function putWords(at: i32, end: i32, into: usize): bool {
  if (!isGuid(at, end) || (capitals(at) | capitals(at + 16) | capitals(at + 20)) != 0) return false;
  const first = (quarter(at) << 16) | quarter(at + 4);
  const second = (quarter(at + 9) << 16) | quarter(at + 14);
  const third = (quarter(at + 19) << 16) | quarter(at + 24);
  const fourth = (quarter(at + 28) << 16) | quarter(at + 32);
  store<u32>(into, first);
  store<u32>(into, second, 4);
  store<u32>(into, third, 8);
  store<u32>(into, fourth, 12);
  return (first | second | third | fourth) != 0;
}

/** Writes the Id of a row: its words, or its text; gives the place behind the texts of Ids, -1 where there is no Id or no room. */
function putId(row: i32, texts: i32): i32 {
  const id = word(PROGRAM, 11);
  if (id < 0) return texts;
  const child = CHILD + ((<usize>id) << 4);
  const start = load<i32>(child);
  const stop = load<i32>(child, 4);
  const words = IDS + ((<usize>row) << 4);
  if (start < 0) return -1;
  if (putWords(start, stop, words)) return texts;
  v128.store(words, i64x2.splat(0));
  return texts + (stop - start) > MOST_ID_TEXTS ? -1 : put(<i32>ID_TEXTS + texts, start, stop - start) - <i32>ID_TEXTS;
}

/** Writes the hash of the content, as core/values/content-hash.ts does. */
function putHash(length: i32, into: usize): void {
  store<u32>(CONTENT + <usize>length, 0);
  let one: u32 = length;
  let other: u32 = ~length;
  const end = CONTENT + <usize>((length + 3) & ~3);
  for (let at = CONTENT; at < end; at += 4) {
    const next = load<u32>(at);
    one = rotl<u32>((one ^ next) * 0x85ebca6b, 13);
    other = (other + next) * 0xc2b2ae35;
    other ^= other >> 15;
  }
  const left = (one ^ (one >> 16) ^ other) * 0x9e3779b1;
  const right = (other ^ (other >> 16) ^ left) * 0x27d4eb2f;
  store<u32>(into, left ^ (left >> 15));
  store<u32>(into, right ^ (right >> 13), 4);
}

/**
 * Takes records from an index on, so many at most, of so many elements at most. Gives how many; the state has 0 the index
 * behind them, 1 why they end there, 2 UTF-16 units, 3 elements, 4 whether there is a line feed, 5 bytes of rows, 6 bytes of contents.
 */
export function run(from: i32, end: i32, mostRows: i32, mostElements: i32): i32 {
  let at = from;
  let rows = 0;
  let units = 0;
  let count = 0;
  let feeds = 0;
  let texts = 0;
  let content = 0;
  let out = <i32>OUT;
  let reason = FULL;
  const limit = mostRows < MOST_ROWS ? mostRows : MOST_ROWS;
  while (rows < limit) {
    const next = takeRecord(at, end);
    reason = next;
    if (next < 0) break;
    reason = OTHER;
    const length = filled - <i32>CONTENT;
    if (count + elements > mostElements) break;
    reason = rows == 0 ? OTHER : FULL;
    // An escape has six bytes at most.
    if (out - <i32>OUT + (length + 2) * 6 * word(PROGRAM, 21) + word(PROGRAM, 20) > MOST_OUT) break;
    reason = NO_ROW;
    const behind = putId(rows, texts);
    if (behind < 0) break;
    const stop = putRow(out);
    if (stop < 0) break;
    texts = behind;
    out = stop;
    putHash(length, HASHES + ((<usize>rows) << 3));
    store<i32>(ENDS + ((<usize>rows) << 2), out - <i32>OUT);
    store<i32>(ID_ENDS + ((<usize>rows) << 2), texts);
    units += next - at - extra;
    count += elements;
    content += length;
    feeds |= hasFeed;
    at = next;
    rows += 1;
    reason = FULL;
  }
  store<i32>(STATE, at);
  store<i32>(STATE, reason, 4);
  store<i32>(STATE, units, 8);
  store<i32>(STATE, count, 12);
  store<i32>(STATE, feeds, 16);
  store<i32>(STATE, out - <i32>OUT, 20);
  store<i32>(STATE, content, 24);
  return rows;
}
