// The memory of the kernel, and what all of it is made of: AssemblyScript, compiled by scripts/kernel.ts. The places are fixed;
// kernel.ts and program.ts name the same ones.

export const STATE: usize = 0x1000;
/** For each child four words: where its text begins and ends in the content, -1 for none; its fixed value; 1 for text to be escaped. */
export const CHILD: usize = 0x2000;
export const PROGRAM: usize = 0x10000;
export const CONTENT: usize = 0x20000;
export const ENDS: usize = 0x40000;
export const ID_ENDS: usize = 0x48000;
export const HASHES: usize = 0x50000;
export const IDS: usize = 0x60000;
export const ID_TEXTS: usize = 0x100000;
export const OUT: usize = 0x120000;

export const MOST_CONTENT: i32 = 64 * 1024;
export const MOST_ID_TEXTS: i32 = 64 * 1024;
export const MOST_OUT: i32 = 0x200000 - 64;
export const MOST_ROWS: i32 = 8192;

// Why a run ended, in the place of an index.
export const OTHER: i32 = -1; // what stands there is no such record, or has to be read event by event
export const CUT: i32 = -2; // the bytes end within a record
export const FULL: i32 = -3;
export const NO_ROW: i32 = -4; // a record whose row has to be made of its values

// What the text of a child may be.
export const TEXT: i32 = 1;
export const GUID: i32 = 2;
export const BLANK: i32 = 3;
export const BOOLEAN: i32 = 4;
export const NUMBER: i32 = 5;
export const INTEGER: i32 = 6;
export const DECIMAL: i32 = 7;
export const TIME: i32 = 8;
export const WORD: i32 = 9;

export function word(at: usize, index: i32): i32 {
  return load<i32>(at + ((<usize>index) << 2));
}

export function byteAt(at: i32): i32 {
  return <i32>load<u8>(<usize>at);
}

/** Copies sixteen bytes at a time: what is behind the end is written over later. */
export function put(to: i32, from: i32, length: i32): i32 {
  for (let at = 0; at < length; at += 16) v128.store(<usize>(to + at), v128.load(<usize>(from + at)));
  return to + length;
}

function sameBits(at: i32, literal: i32): i32 {
  return i8x16.bitmask(i8x16.eq(v128.load(<usize>at), v128.load(<usize>literal)));
}

/** The index behind a literal that stands at an index; OTHER, or CUT where it may go on. */
export function expect(at: i32, end: i32, literal: i32, length: i32): i32 {
  if (at + length > end) {
    for (let i = 0; at + i < end; i++) if (byteAt(at + i) != byteAt(literal + i)) return OTHER;
    return CUT;
  }
  if (length < 16) {
    const mask = (1 << length) - 1;
    return (sameBits(at, literal) & mask) == mask ? at + length : OTHER;
  }
  const last = length - 16;
  for (let i = 0; i < last; i += 16) if (sameBits(at + i, literal + i) != 0xffff) return OTHER;
  return sameBits(at + last, literal + last) == 0xffff ? at + length : OTHER;
}
