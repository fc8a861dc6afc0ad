// What the text of a member may be: AssemblyScript, compiled by scripts/kernel.ts.

import { TEXT, GUID, NUMBER, INTEGER, DECIMAL, TIME, WORD, word, byteAt, expect } from './memory.assembly';

function digitBits(bytes: v128): i32 {
  const digit = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10));
  const letter = i8x16.lt_u(i8x16.sub(v128.or(bytes, i8x16.splat(0x20)), i8x16.splat(0x61)), i8x16.splat(6));
  return i8x16.bitmask(v128.or(digit, letter));
}

export function isGuid(at: i32, end: i32): bool {
  if (end - at != 36) return false;
  for (let dash = 8; dash <= 23; dash += 5) if (byteAt(at + dash) != 0x2d) return false;
  return (
    digitBits(v128.load(<usize>at)) == 0xdeff &&
    digitBits(v128.load(<usize>(at + 16))) == 0xff7b &&
    digitBits(v128.load(<usize>(at + 20))) == 0xfff7
  );
}

export function isBlank(begin: i32, end: i32): bool {
  for (let at = begin; at < end; at++) {
    const byte = byteAt(at);
    if (byte != 0x20 && byte != 0x09 && byte != 0x0a) return false;
  }
  return true;
}

function isDigit(at: i32): bool {
  const byte = byteAt(at);
  return byte >= 0x30 && byte <= 0x39;
}

function behindDigits(begin: i32, end: i32): i32 {
  let at = begin;
  while (at < end && isDigit(at)) at++;
  return at;
}

function behindSign(begin: i32, end: i32): i32 {
  return begin < end && (byteAt(begin) == 0x2b || byteAt(begin) == 0x2d) ? begin + 1 : begin;
}

/** True for a whole number as it is written without need: so its value has the same text. */
function isPlainNumber(begin: i32, end: i32, least: i32, most: i32): bool {
  const isNegative = begin < end && byteAt(begin) == 0x2d;
  const first = isNegative ? begin + 1 : begin;
  const length = end - first;
  if (length < 1 || length > 10 || behindDigits(first, end) != end) return false;
  if (byteAt(first) == 0x30 && (length > 1 || isNegative)) return false;
  let value: i64 = 0;
  for (let at = first; at < end; at++) value = value * 10 + <i64>(byteAt(at) - 0x30);
  if (isNegative) value = -value;
  return value >= <i64>least && value <= <i64>most;
}

function isInteger(begin: i32, end: i32): bool {
  const first = behindSign(begin, end);
  // So many digits fit a number of 64 bits.
  return end > first && end - first <= 18 && behindDigits(first, end) == end;
}

function isDecimal(begin: i32, end: i32): bool {
  const first = behindSign(begin, end);
  const point = behindDigits(first, end);
  if (point == end) return point > first;
  if (byteAt(point) != 0x2e) return false;
  return behindDigits(point + 1, end) == end && end - first > 1;
}

/** The number of some digits; -1 where one is none, or it is not within bounds. */
function digits(begin: i32, length: i32, least: i32, most: i32): i32 {
  if (behindDigits(begin, begin + length) != begin + length) return -1;
  let value = 0;
  for (let at = begin; at < begin + length; at++) value = value * 10 + byteAt(at) - 0x30;
  return value >= least && value <= most ? value : -1;
}

function daysIn(year: i32, month: i32): i32 {
  if (month == 2) return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/** True for nearly all dateTimes that are right; the others are looked at closely. */
function isTime(begin: i32, end: i32): bool {
  if (end - begin < 19) return false;
  const year = digits(begin, 4, 1, 9999);
  const month = digits(begin + 5, 2, 1, 12);
  if (year < 0 || month < 0 || digits(begin + 8, 2, 1, daysIn(year, month)) < 0) return false;
  if (byteAt(begin + 4) != 0x2d || byteAt(begin + 7) != 0x2d || byteAt(begin + 10) != 0x54) return false;
  if (byteAt(begin + 13) != 0x3a || byteAt(begin + 16) != 0x3a) return false;
  if (digits(begin + 11, 2, 0, 23) < 0 || digits(begin + 14, 2, 0, 59) < 0 || digits(begin + 17, 2, 0, 59) < 0)
    return false;
  let at = begin + 19;
  if (at < end && byteAt(at) == 0x2e) {
    at = behindDigits(at + 1, end);
    if (at == begin + 20) return false;
  }
  if (at == end) return true;
  if (byteAt(at) == 0x5a) return at + 1 == end;
  if (behindSign(at, end) == at || end - at != 6 || byteAt(at + 3) != 0x3a) return false;
  return digits(at + 1, 2, 0, 13) >= 0 && digits(at + 4, 2, 0, 59) >= 0;
}

/** True for one of the words of a list: their number, and the place and length of each. */
function isWord(begin: i32, end: i32, list: i32): bool {
  const count = word(<usize>list, 0);
  for (let i = 0; i < count; i++) {
    const length = word(<usize>list, 2 + i * 2);
    if (length == end - begin && expect(begin, end, word(<usize>list, 1 + i * 2), length) == end) return true;
  }
  return false;
}

export function isTextOf(kind: i32, form: usize, begin: i32, end: i32): bool {
  if (kind == TEXT) return true;
  if (kind == GUID) return isGuid(begin, end);
  if (kind == NUMBER) return isPlainNumber(begin, end, word(form, 5), word(form, 6));
  if (kind == INTEGER) return isInteger(begin, end);
  if (kind == DECIMAL) return isDecimal(begin, end);
  if (kind == TIME) return isTime(begin, end);
  return kind == WORD && isWord(begin, end, word(form, 5));
}
