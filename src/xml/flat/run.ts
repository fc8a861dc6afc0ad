import { isUtf8 } from 'node:buffer';
import { wholeCharacters } from '../decoder.js';
import type { FlatBytes, XmlEvents } from '../events.js';
import type { Flat } from './flat.js';
import { cutOff, type FlatScanner } from './scanner.js';
import type { TextPlace } from '../text-place.js';

/** Bytes of an element whose end has not come that are kept; what is longer is read as text. */
const mostPending = 256 * 1024;

const none = new Uint8Array(0);

/** Room that all runs share, one after the other: no bytes are in it for longer than a call. */
let room: Uint8Array = none;

/** One piece of what is kept and a chunk. */
function joined(kept: Uint8Array, chunk: Uint8Array): Uint8Array {
  const length = kept.length + chunk.length;
  if (length > room.length) room = Buffer.allocUnsafeSlow(length * 2);
  room.set(kept);
  room.set(chunk, kept.length);
  return room.subarray(0, length);
}

/** What a run of elements counts for its reader. */
export interface Counted {
  readonly bytes: number;
  readonly units: number;
  readonly elements: number;
  /** How many of them are flat. */
  readonly taken: number;
}

/** What a run needs of its reader. */
export interface RunOptions {
  readonly events: Pick<XmlEvents, 'flatBytes'>;
  readonly place: TextPlace;
}

/** Flat elements that follow each other and are taken as bytes, up to the first one that is not like the others. */
export class FlatRun {
  /** What they are found by. */
  readonly flat: Flat;
  readonly #scanner: FlatScanner;
  readonly #options: RunOptions;
  #pending: Uint8Array = none;

  constructor(flat: Flat, scanner: FlatScanner, options: RunOptions) {
    this.flat = flat;
    this.#scanner = scanner;
    this.#options = options;
  }

  /** The bytes that are kept until more come. */
  get pending(): Uint8Array {
    return this.#pending;
  }

  /**
   * Takes the elements that are whole. Gives the bytes that must be read as text; undefined when more of an element has to
   * come first.
   * @param most elements that may be taken
   */
  take(chunk: Uint8Array, most: number): { readonly counted: Counted; readonly rest: Uint8Array | undefined } {
    const bytes = this.#pending.length === 0 ? chunk : joined(this.#pending, chunk);
    this.#pending = none;
    const whole = wholeCharacters(bytes);
    // Which byte is wrong is found when they are decoded.
    if (!isUtf8(bytes.subarray(0, whole)))
      return { counted: { bytes: 0, units: 0, elements: 0, taken: 0 }, rest: bytes };
    const { at, isCut, ...counted } = this.#scan(bytes, whole, most);
    const rest = bytes.subarray(at);
    const isHeld = isCut && rest.length <= mostPending;
    // A copy: the bytes may be in room that others use, too.
    if (isHeld) this.#pending = Uint8Array.from(rest);
    return { counted: { ...counted, bytes: at }, rest: isHeld ? undefined : rest };
  }

  #scan(bytes: Uint8Array, whole: number, most: number) {
    const scanner = this.#scanner;
    let [at, units, elements, taken] = [0, 0, 0, 0];
    scanner.begin(bytes, whole);
    let end = scanner.scan(at);
    while (end >= 0 && elements + scanner.count <= most && this.#give(scanner)) {
      this.#pass(bytes, at, end);
      units += scanner.units;
      elements += scanner.count;
      taken += 1;
      at = end;
      end = scanner.scan(at);
    }
    return { at, units, elements, taken, isCut: end === cutOff };
  }

  #give(element: FlatBytes): boolean {
    return this.#options.events.flatBytes?.(element) === true;
  }

  #pass(bytes: Uint8Array, at: number, end: number): void {
    const { place } = this.#options;
    const { hasFeed, units } = this.#scanner;
    if (hasFeed) place.drop(Buffer.from(bytes.subarray(at, end)).toString('utf8'));
    else place.skip(units);
  }
}
