import { wholeCharacters } from '../../xml/decoder.js';
import { isAscii } from 'node:buffer';
import type { RecordValue } from '../../core/values/value.js';
import type { ElementTaker, ElementRange } from '../../xml/events.js';

/** Programs for the records of one list that look alike. */
export interface RowPrograms {
  /** Gives records as JSON, each with a comma behind it. */
  readonly records: Uint8Array;
  /** Gives the rows of a format; undefined where these are made of records. */
  readonly rows?: Uint8Array | undefined;
  /** Gives what `keeps` looks at as `records` does; undefined where all have rows. */
  readonly asked?: Uint8Array | undefined;
  readonly keeps?: ((record: RecordValue) => boolean) | undefined;
}

/** Where rows came from. */
export interface RowSource {
  readonly bytes: Uint8Array;
  /** Reads the records of a copy of the bytes. */
  readonly read: (bytes: Uint8Array) => readonly RecordValue[];
  /** Which rows match the condition; undefined for all. */
  readonly matches: readonly boolean[] | undefined;
}

/** Takes what was read. */
export interface RowSink {
  record: (record: RecordValue) => void;
  rows: (batch: RowBatch, source: RowSource) => void;
}

/** The records of a batch that is JSON. */
function parsed({ text }: RowBatch): readonly RecordValue[] {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const items = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8', 0, bytes.length - 1);
  return JSON.parse(`[${items}]`) as RecordValue[];
}

const mostElements = 0x7fff_ffff;

/** Takes the records of a list out of bytes: as rows of a format, or as records. */
export class RowTaker implements ElementTaker {
  readonly #kernel: Kernel;
  readonly #programs: RowPrograms;
  readonly #sink: RowSink;
  readonly #read: RowSource['read'];
  #bytes: Uint8Array = new Uint8Array(0);

  constructor(kernel: Kernel, programs: RowPrograms, sink: RowSink) {
    this.#kernel = kernel;
    this.#programs = programs;
    this.#sink = sink;
    this.#read = (bytes) => {
      kernel.load(bytes);
      return parsed(kernel.batch(kernel.run(programs.records, 0, { rows: mostRows, elements: mostElements })));
    };
  }

  begin(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#kernel.load(bytes);
  }

  take(at: number, most: number): ElementRange {
    const { rows } = this.#programs;
    if (rows === undefined) return this.#takeRecords(at, { rows: mostRows, elements: most });
    return this.#takeRows(rows, at, most);
  }

  #takeRecords(at: number, most: { readonly rows: number; readonly elements: number }): ElementRange {
    const kernel = this.#kernel;
    const count = kernel.run(this.#programs.records, at, most);
    const range = this.#rangeOf(at, count);
    if (count > 0) for (const record of parsed(kernel.batch(count))) this.#sink.record(record);
    return range;
  }

  #takeRows(program: Uint8Array, at: number, most: number): ElementRange {
    const kernel = this.#kernel;
    const { asked, keeps } = this.#programs;
    let matches: readonly boolean[] | undefined;
    let rows = mostRows;
    if (asked !== undefined && keeps !== undefined) {
      rows = kernel.run(asked, at, { rows, elements: most });
      if (rows === 0) return this.#rangeOf(at, 0);
      matches = parsed(kernel.batch(rows)).map(keeps);
    }
    const count = kernel.run(program, at, { rows, elements: most });
    // A row that the program cannot write is made of its record.
    if (count === 0 && kernel.ending === endings.noRow) return this.#takeRecords(at, { rows: 1, elements: most });
    const range = this.#rangeOf(at, count);
    if (count > 0) {
      const bytes = this.#bytes.subarray(at, range.at);
      this.#sink.rows(kernel.batch(count), { bytes, read: this.#read, matches });
    }
    return range;
  }

  /** What the last run took. */
  #rangeOf(from: number, count: number): ElementRange {
    const { at, ending, units, elements, hasFeed } = this.#kernel;
    if (count === 0) return { at: from, count, units: 0, elements: 0, hasFeed: false, end: this.#endOf(ending, 0) };
    return { at, count, units, elements, hasFeed, end: this.#endOf(ending, count) };
  }

  #endOf(ending: number, count: number): ElementRange['end'] {
    if (ending === endings.cut) return 'cut';
    const mayGoOn = ending === endings.full || (ending === endings.noRow && this.#programs.rows !== undefined);
    return count > 0 && mayGoOn ? 'more' : 'other';
  }
}

/** The code of the kernel in base64; undefined where there is none, then every record is read event by event. */
declare const KERNEL_CODE: string | undefined;

/** What is used of it: the types of Node do not have it. */
declare const WebAssembly:
  | {
      readonly Module: new (bytes: Uint8Array) => object;
      readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
    }
  | undefined;

/** Places in the memory of the kernel, as memory.assembly.ts has them; that of the program, and those of what is read and written. */
export const programOffset = 0x10000;
const [state, ends, idEnds, hashes, ids, input, idTexts, out] = [
  0x1000, 0x40000, 0x48000, 0x50000, 0x60000, 0x80000, 0x100000, 0x120000,
] as const;

/** Most rows of a run. */
const mostRows = 8192;

/** Bytes that are looked at in one run; some behind them are read, too. */
const mostInput = idTexts - input - 64;

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Called with where to begin and end, and the most rows and elements. */
  readonly run: (...words: readonly number[]) => number;
}

/** Why a run ended: see memory.assembly.ts. */
const endings = { other: -1, cut: -2, full: -3, noRow: -4 } as const;

/** Rows that a run made. They are valid until the next run. */
export interface RowBatch {
  readonly rows: number;
  /** The texts of all rows, in UTF-8. */
  readonly text: Uint8Array;
  /** Where the text of each row ends. */
  readonly ends: Uint32Array;
  /** So many characters the names and texts of the records have at least. */
  readonly characters: number;
  /** The hashes of contents, two words each. */
  readonly contents: Uint32Array;
  /** The words of Ids, four each: zeros for an Id that is no GUID in lower case. */
  readonly ids: Uint32Array;
  /** Where the text of an Id ends that has no words. */
  readonly idEnds: Uint32Array;
  readonly idTexts: Uint8Array;
}

/** Runs programs over bytes of XML, in WebAssembly. All readers use one, each within a call. */
export class Kernel {
  readonly #run: Exports['run'];
  readonly #memory: Uint8Array;
  readonly #state: Int32Array;
  readonly #words: Omit<RowBatch, 'rows' | 'text' | 'characters'>;
  #program: Uint8Array | undefined;
  #bytes: Uint8Array = new Uint8Array(0);
  /** The part of the bytes that is in the memory. */
  #from = 0;
  #to = 0;

  constructor({ memory: { buffer }, run }: Exports) {
    this.#run = run;
    this.#memory = new Uint8Array(buffer);
    this.#state = new Int32Array(buffer, state, 8);
    this.#words = {
      ends: new Uint32Array(buffer, ends, mostRows),
      contents: new Uint32Array(buffer, hashes, mostRows * 2),
      ids: new Uint32Array(buffer, ids, mostRows * 4),
      idEnds: new Uint32Array(buffer, idEnds, mostRows),
      idTexts: new Uint8Array(buffer, idTexts, out - idTexts),
    };
  }

  /** Takes the bytes that the next runs look at: whole characters. */
  load(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#from = 0;
    this.#to = -1;
  }

  /** Runs a program from an index of the bytes on, for so many rows and elements at most; gives how many rows it made. */
  run(program: Uint8Array, at: number, most: { readonly rows: number; readonly elements: number }): number {
    if (this.#program !== program) {
      this.#memory.set(program, programOffset);
      this.#program = program;
    }
    if (at < this.#from || this.#to === -1) this.#fill(at);
    let rows = this.#runFrom(at, most);
    // The part may end within a record that goes on in the bytes.
    if (rows === 0 && this.ending === endings.cut && this.#to < this.#bytes.length && at > this.#from) {
      this.#fill(at);
      rows = this.#runFrom(at, most);
    }
    return rows;
  }

  /** Index behind the rows of the last run. */
  get at(): number {
    return (this.#state[0] ?? 0) - input + this.#from;
  }

  /** Why there are no more of them. */
  get ending(): number {
    const ending = this.#state[1] ?? endings.other;
    if (ending !== endings.cut || this.#to === this.#bytes.length) return ending;
    return this.at > this.#from ? endings.full : endings.other;
  }

  get units(): number {
    return this.#state[2] ?? 0;
  }

  get elements(): number {
    return this.#state[3] ?? 0;
  }

  get hasFeed(): boolean {
    return this.#state[4] !== 0;
  }

  batch(rows: number): RowBatch {
    const [length = 0, content = 0] = this.#state.subarray(5);
    // A character has three bytes at most, and each text one beside it.
    return { ...this.#words, rows, text: this.#memory.subarray(out, out + length), characters: content / 4 };
  }

  #fill(at: number): void {
    this.#from = at;
    const part = this.#bytes.subarray(at, at + mostInput);
    this.#to = at + wholeCharacters(part);
    this.#memory.set(part, input);
  }

  #runFrom(at: number, { rows, elements }: { readonly rows: number; readonly elements: number }): number {
    return this.#run(input + at - this.#from, input + this.#to - this.#from, rows, elements);
  }
}

let kernel: Kernel | undefined;

/** The kernel; undefined where there is none. */
export function theKernel(): Kernel | undefined {
  if (typeof KERNEL_CODE !== 'string' || typeof WebAssembly === 'undefined') return undefined;
  if (kernel !== undefined) return kernel;
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(KERNEL_CODE, 'base64')), {});
    kernel = new Kernel(exports as Exports);
    return kernel;
  } catch {
    // An engine without the instructions that it is made of.
    return undefined;
  }
}
