// Reads a record: AssemblyScript, compiled by scripts/kernel.ts.

import {
  CHILD,
  PROGRAM,
  CONTENT,
  MOST_CONTENT,
  OTHER,
  CUT,
  BLANK,
  BOOLEAN,
  word,
  byteAt,
  put,
  expect,
} from './memory.assembly';
import { isBlank, isTextOf } from './texts.assembly';

/** Bytes of the document that are no UTF-16 units of their own. */
export let extra: i32 = 0;
export let hasFeed: i32 = 0;
/** Of the text read last: it holds references; it holds what a row escapes. */
let hasReference: bool = false;
let isOdd: bool = false;
/** Where the content ends, and how many elements the record is and holds. */
export let filled: i32 = 0;
export let elements: i32 = 0;

/** Looks at what is not plain in sixteen bytes, those of a mask; false for what must not stand in a document as it is. */
function isAllowed(at: i32, bytes: v128, mask: i32): bool {
  const high = i8x16.bitmask(bytes) & mask;
  if (high != 0) {
    const trailing = i8x16.eq(v128.and(bytes, i8x16.splat(<i8>0xc0)), i8x16.splat(<i8>0x80));
    const pairs = i8x16.ge_u(bytes, i8x16.splat(<i8>0xf0));
    extra += popcnt(i8x16.bitmask(trailing) & mask) - popcnt(i8x16.bitmask(pairs) & mask);
    // U+FFFE and U+FFFF.
    let last = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(<i8>0xef))) & mask;
    for (; last != 0; last &= last - 1) {
      const found = at + ctz(last);
      if (byteAt(found + 1) == 0xbf && byteAt(found + 2) >= 0xbe) return false;
    }
    if (word(PROGRAM, 17) != 0) isOdd = isOdd || hasOddLead(at, high);
  }
  hasReference = hasReference || (i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(0x26))) & mask) != 0;
  let brackets = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(0x3e))) & mask;
  for (; brackets != 0; brackets &= brackets - 1) {
    const found = at + ctz(brackets);
    if (byteAt(found - 1) == 0x5d && byteAt(found - 2) == 0x5d) return false;
  }
  let controls = i8x16.bitmask(i8x16.lt_u(bytes, i8x16.splat(0x20))) & mask;
  for (; controls != 0; controls &= controls - 1) {
    const byte = byteAt(at + ctz(controls));
    if (byte == 0x0a) hasFeed = 1;
    else if (byte != 0x09) return false;
  }
  return true;
}

function hasOddLead(at: i32, high: i32): bool {
  const table = word(PROGRAM, 15);
  for (let rest = high; rest != 0; rest &= rest - 1) if (byteAt(table + byteAt(at + ctz(rest))) != 0) return true;
  return false;
}

/** Copies a text to the content; gives the index of the `<` behind it, OTHER or CUT. */
function copyText(begin: i32, end: i32): i32 {
  hasReference = false;
  isOdd = false;
  const low = v128.load(PROGRAM + 128);
  const high = v128.load(PROGRAM + 144);
  let at = begin;
  let to = filled;
  while (true) {
    const bytes = v128.load(<usize>at);
    v128.store(<usize>to, bytes);
    const ends = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(0x3c)));
    let length = ends != 0 ? ctz(ends) : 16;
    const isCut = at + length >= end;
    if (isCut) length = end - at;
    const mask = (1 << length) - 1;
    const special = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.lt_u(bytes, i8x16.splat(0x20)), i8x16.eq(bytes, i8x16.splat(0x26))),
        v128.or(bytes, i8x16.eq(bytes, i8x16.splat(0x3e))),
      ),
    );
    if ((special & mask) != 0 && !isAllowed(at, bytes, mask)) return OTHER;
    // A byte is odd where the bit of its high half is set for its low half.
    const odd = v128.and(
      i8x16.swizzle(low, v128.and(bytes, i8x16.splat(0x0f))),
      i8x16.swizzle(high, i8x16.shr_u(bytes, 4)),
    );
    if ((i8x16.bitmask(i8x16.ne(odd, i64x2.splat(0))) & mask) != 0) isOdd = true;
    at += length;
    to += length;
    if (isCut) return CUT;
    if (ends != 0) break;
    if (to - <i32>CONTENT > MOST_CONTENT) return OTHER;
  }
  filled = to;
  return at;
}

function isNamed(at: i32, name: u32, length: i32): bool {
  return (load<u32>(<usize>at) & (length == 3 ? 0xffffff : 0xffffffff)) == name;
}

/** Writes the text of bytes with its references replaced, from `filled` on; false for one that has to be looked at closely. */
function decode(begin: i32, end: i32): bool {
  isOdd = false;
  const table = word(PROGRAM, 15);
  for (let at = begin; at < end; at++) {
    let byte = byteAt(at);
    if (byte == 0x26) {
      at += 1;
      if (byteAt(at) == 0x23) {
        at = decodeNumber(at + 1);
        if (at < 0) return false;
        continue;
      }
      if (isNamed(at, 0x3b706d61, 4)) at += 3;
      else if (isNamed(at, 0x3b746c, 3)) {
        byte = 0x3c;
        at += 2;
      } else if (isNamed(at, 0x3b7467, 3)) {
        byte = 0x3e;
        at += 2;
      } else if (isNamed(at, 0x746f7571, 4) && byteAt(at + 4) == 0x3b) {
        byte = 0x22;
        at += 4;
      } else if (isNamed(at, 0x736f7061, 4) && byteAt(at + 4) == 0x3b) {
        byte = 0x27;
        at += 4;
      } else return false;
    }
    putByte(byte, table);
  }
  return true;
}

function putByte(byte: i32, table: i32): void {
  store<u8>(<usize>filled, <u8>byte);
  filled += 1;
  if (byteAt(table + byte) != 0) isOdd = true;
}

function digitOf(byte: i32): i32 {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : 16;
}

/** Writes the character of a reference by number, behind its `#`; gives the index of its `;`, -1 for what needs a closer look. */
function decodeNumber(from: i32): i32 {
  const isHexadecimal = byteAt(from) == 0x78;
  const base = isHexadecimal ? 16 : 10;
  const first = isHexadecimal ? from + 1 : from;
  let at = first;
  let code = 0;
  for (; at - first < 7; at++) {
    const digit = digitOf(byteAt(at));
    if (digit >= base) break;
    code = code * base + digit;
  }
  if (at == first || byteAt(at) != 0x3b) return -1;
  const isControl = code < 0x20 && code != 0x09 && code != 0x0a && code != 0x0d;
  const isHalf = code >= 0xd800 && code <= 0xdfff;
  if (isControl || isHalf || code == 0xfffe || code == 0xffff || code > 0x10ffff) return -1;
  putCharacter(code, word(PROGRAM, 15));
  return at;
}

function putCharacter(code: i32, table: i32): void {
  if (code < 0x80) {
    putByte(code, table);
    return;
  }
  if (code < 0x800) putByte(0xc0 | (code >> 6), table);
  else {
    if (code < 0x10000) putByte(0xe0 | (code >> 12), table);
    else {
      putByte(0xf0 | (code >> 18), table);
      putByte(0x80 | ((code >> 12) & 0x3f), table);
    }
    putByte(0x80 | ((code >> 6) & 0x3f), table);
  }
  putByte(0x80 | (code & 0x3f), table);
}

/** 0 for true, 1 for false, in words or digits; -1 for anything else. */
function valueOfBoolean(at: i32, length: i32): i32 {
  if (length == 1) return byteAt(at) == 0x31 ? 0 : byteAt(at) == 0x30 ? 1 : -1;
  if (length == 4 && load<u32>(<usize>at) == 0x65757274) return 0;
  return length == 5 && load<u32>(<usize>at) == 0x736c6166 && byteAt(at + 4) == 0x65 ? 1 : -1;
}

/** Stores the value that a child has in the place of a text: the first or the second of its form. */
function putFixed(form: usize, child: usize, which: i32): void {
  store<i32>(child, -1);
  store<i32>(child, word(form, 5 + which), 8);
  filled = put(filled, word(form, 10 + which * 2), word(form, 11 + which * 2));
}

/**
 * Takes the text of a child in a form, which has these words: 0 start tag, 1 its length, 2 end tag, 3 its length, 4 kind,
 * 5 and 6 fixed values or what belongs to the kind, 7 1 for a tag without text, 8 what stands before the text in a content,
 * 9 its length, 10 and 12 what stands there for fixed values, 11 and 13 their lengths.
 */
function takeForm(form: usize, child: usize, begin: i32, end: i32): i32 {
  const kind = word(form, 4);
  if (word(form, 7) != 0) {
    if (kind != BLANK) return OTHER;
    putFixed(form, child, 0);
    return begin;
  }
  const before = filled;
  const isFixed = kind == BLANK || kind == BOOLEAN;
  if (!isFixed) filled = put(filled, word(form, 8), word(form, 9));
  const start = filled;
  const stop = copyText(begin, end);
  if (stop < 0) return stop;
  if (!isFixed) {
    if (!isTextOf(kind, form, begin, stop)) return OTHER;
    if (hasReference) {
      filled = start;
      if (!decode(begin, stop)) return OTHER;
    }
    store<i32>(child, start);
    store<i32>(child, filled, 4);
    store<i32>(child, isOdd ? 1 : 0, 12);
    return stop;
  }
  filled = before;
  if (kind == BLANK) {
    if (!isBlank(begin, stop)) return OTHER;
    putFixed(form, child, 0);
    return stop;
  }
  const which = valueOfBoolean(begin, stop - begin);
  if (which < 0) return OTHER;
  putFixed(form, child, which);
  return stop;
}

/** Takes a child that may have one of some forms, or be absent. */
function takeChoice(step: usize, child: usize, from: i32, end: i32): i32 {
  const forms = word(step, 3);
  let form = <usize>word(step, 5);
  for (let i = 0; i < forms; i++, form += 64) {
    const begin = expect(from, end, word(form, 0), word(form, 1));
    if (begin == OTHER) continue;
    if (begin < 0) return begin;
    const stop = takeForm(form, child, begin, end);
    return stop < 0 || word(form, 2) == 0 ? stop : expect(stop, end, word(form, 2), word(form, 3));
  }
  if (word(step, 4) == 0) return OTHER;
  store<i32>(child, -1);
  store<i32>(child, -1, 8);
  elements -= 1;
  return from;
}

/**
 * Reads one record to the content; gives the index behind it. A step has these words: 0 what stands before, 1 its length,
 * 2 child, 3 forms, 4 1 when it may be absent, 5 its forms, 6 1 for one form, whose start tag belongs to what stands before.
 */
export function takeRecord(from: i32, end: i32): i32 {
  extra = 0;
  hasFeed = word(PROGRAM, 13);
  elements = word(PROGRAM, 12);
  filled = <i32>CONTENT;
  let at = from;
  const steps = word(PROGRAM, 0);
  let step = <usize>word(PROGRAM, 1);
  for (let i = 0; i < steps; i++, step += 32) {
    at = expect(at, end, word(step, 0), word(step, 1));
    if (at < 0) return at;
    if (filled - <i32>CONTENT > MOST_CONTENT) return OTHER;
    const child = CHILD + ((<usize>word(step, 2)) << 4);
    at = word(step, 6) != 0 ? takeForm(<usize>word(step, 5), child, at, end) : takeChoice(step, child, at, end);
    if (at < 0) return at;
  }
  at = expect(at, end, word(PROGRAM, 2), word(PROGRAM, 3));
  if (at >= 0) filled = put(filled, word(PROGRAM, 4), word(PROGRAM, 5));
  return at;
}
