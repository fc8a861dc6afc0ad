import { isAscii } from 'node:buffer';
import type { RecordValue } from '../../core/values/value.js';
import type { ElementTaker, ElementRange } from '../../xml/events.js';
import { endings, mostRows, type Kernel, type RowBatch } from './kernel.js';

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
  /** The rows that are kept; undefined for all. */
  readonly kept: readonly boolean[] | undefined;
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
      this.#sink.rows(kernel.batch(count), { bytes, read: this.#read, kept: matches });
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
