import type { Sent } from '../../batches/entry.js';
import type { Journal } from '../../batches/journal.js';
import type { Ending } from '../../batches/outcome.js';
import { defined } from '../../plain/defined.js';
import type { Looking, Seen } from '../rows-text.js';

interface Waiting {
  readonly row: number;
  readonly sent: Sent;
  /** When the answer had come, in monotonic milliseconds. */
  readonly endedMs: number;
}

/** How a row ends that was answered as done, by what was read back; undefined when it is what was sent, or cannot be told. */
function endingOf(seen: Seen | undefined): Ending | undefined {
  if (seen === undefined || seen.is === 'as-sent' || seen.is === 'unclear') return undefined;
  const words = seen.is === 'other' ? seen.words : 'the service answered that it was done, and the record is as it was';
  return { outcome: 'conflict', code: 'read-back', words };
}

/** What is needed to read rows back. */
export interface ReadBackParts<S> {
  readonly looking: Required<Looking<S>>;
  readonly shared: S;
  readonly journal: Journal;
  /** Time of day as ISO text. */
  readonly date: () => string;
}

/**
 * Compares rows that were done with what the service has, as soon as a reading comes that was asked for after them; what is
 * not what was sent becomes a conflict in the journal.
 */
export class ReadBack<S> {
  readonly #parts: ReadBackParts<S>;
  #waiting: Waiting[] = [];
  /** The reading that rows were compared with last: another look at the same shows nothing new. */
  #comparedMs = -Infinity;

  constructor(parts: ReadBackParts<S>) {
    this.#parts = parts;
  }

  /** Number of rows that were not read back yet. */
  get open(): number {
    return this.#waiting.length;
  }

  /** Takes note of a row that is done. */
  done(row: number, sent: Sent, endedMs: number): void {
    this.#waiting.push({ row, sent, endedMs });
  }

  /** Compares the rows that were done before the last reading was asked for. Throws what the journal throws. */
  async compare(): Promise<void> {
    const { looking, shared, journal, date } = this.#parts;
    const readMs = looking.readMs(shared);
    if (readMs === this.#comparedMs) return;
    this.#comparedMs = readMs;
    const ready = this.#waiting.filter(({ endedMs }) => endedMs <= readMs);
    if (ready.length === 0) return;
    this.#waiting = this.#waiting.filter(({ endedMs }) => endedMs > readMs);
    for (const { row, sent } of ready) {
      const ends = endingOf(await looking.at(sent, shared));
      if (ends !== undefined) journal.append({ row, at: date(), ...defined({ key: sent.key }), ends });
    }
  }

  /** Reads once more, and compares all that is left. Throws what calls and the journal throw. */
  async finish(): Promise<void> {
    if (this.open === 0) return;
    await this.#parts.looking.refresh(this.#parts.shared);
    await this.compare();
  }
}
