import { XmlDecoder, wholeCharacters } from './decoder.js';
import type { FlatShape, XmlEvents, XmlLimits } from './events.js';
import type { Flat } from './flat/flat.js';
import { located, TextPosition } from './text-place.js';
import { TextReader } from './text-reader.js';
import { isUtf8 } from 'node:buffer';
import { cutOff, type FlatScanner } from './flat/scanner.js';

/** Bytes of an element whose end has not come that are kept; what is longer is read as text. */
const mostPending = 256 * 1024;

const none = new Uint8Array(0);

/** Room that all runs share, one after the other: no bytes are in it for longer than a call. */
let room: Uint8Array = none;

function joined(rest: Uint8Array, chunk: Uint8Array): Uint8Array {
  const length = rest.length + chunk.length;
  if (length > room.length) room = Buffer.allocUnsafeSlow(length * 2);
  room.set(rest);
  room.set(chunk, rest.length);
  return room.subarray(0, length);
}

/** Flat elements that follow each other and are taken as bytes, up to the first one that is not like the others. */
class FlatRun {
  readonly flat: Flat;
  readonly #scanner: FlatScanner;
  readonly #reader: { readonly events: XmlEvents; readonly place: TextPosition };
  #pending: Uint8Array = none;

  constructor(flat: Flat, scanner: FlatScanner, reader: { readonly events: XmlEvents; readonly place: TextPosition }) {
    this.flat = flat;
    this.#scanner = scanner;
    this.#reader = reader;
  }

  /** The bytes that are kept until more come. */
  get pending(): Uint8Array {
    return this.#pending;
  }

  /** Takes whole elements, so many at most. `rest` must be read as text; undefined when more has to come first. */
  take(chunk: Uint8Array, most: number) {
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
    let [at, units, elements, count] = [0, 0, 0, 0];
    scanner.begin(bytes, whole);
    let end = scanner.scan(at);
    while (end >= 0 && elements + scanner.count <= most && this.#reader.events.flatBytes?.(scanner) === true) {
      this.#pass(bytes, at, end);
      units += scanner.units;
      elements += scanner.count;
      count += 1;
      at = end;
      end = scanner.scan(at);
    }
    return { at, units, elements, taken: count, isCut: end === cutOff };
  }

  #pass(bytes: Uint8Array, at: number, end: number): void {
    const { place: position } = this.#reader;
    const { hasFeed, units } = this.#scanner;
    if (hasFeed) position.drop(Buffer.from(bytes.subarray(at, end)).toString('utf8'));
    else position.skip(units);
  }
}

/** Bounds on what is read unless a caller sets tighter ones. */
const defaultLimits: XmlLimits = {
  maxLength: 256 * 1024 * 1024,
  maxDepth: 64,
  maxAttributes: 64,
  maxNameLength: 256,
  maxElements: 20_000_000,
};

/** Options of a reader. */
export interface ReaderOptions {
  readonly limits?: Partial<XmlLimits>;
  /** Encoding by the HTTP header; without it the document is UTF-8, or UTF-16 with a byte order mark. */
  readonly charset?: string;
}

/** How often in a chunk flat elements are taken as bytes again, behind one that had to be read as text. */
const mostRuns = 64;

/** Bytes that are read as text at a time, and how many times, where elements may be taken as bytes soon. */
const pieceBytes = 4096;
const mostPieces = 8;

/**
 * A strict streaming reader of XML 1.0 with namespaces: a push parser that is fed bytes as they come. Refuses document type
 * declarations and everything that is not well-formed; decodes the five entities and character references, also those of
 * control characters, which .NET services send. Its speed is in docs/benchmarks.md.
 */
export class XmlReader {
  readonly #events: XmlEvents;
  readonly #decoder: XmlDecoder;
  readonly #place = new TextPosition();
  readonly #reader: TextReader;
  /** Takes the elements that come now as bytes; then no text is left. */
  #run: FlatRun | undefined;
  #back: Uint8Array | undefined;
  #runsLeft = 0;

  constructor(events: XmlEvents, options: ReaderOptions = {}) {
    this.#events = events;
    this.#decoder = new XmlDecoder(options.charset);
    this.#reader = new TextReader(events, {
      limits: { ...defaultLimits, ...options.limits },
      decoder: this.#decoder,
      place: this.#place,
      onFlat: (flat, shape) => this.#runsLeft > 0 && this.#beginRun(flat, shape),
    });
  }

  /** Throws RelctlError `bad-answer` at the first thing that is not well-formed, refused by policy or over a limit. */
  write(chunk: Uint8Array): void {
    this.#runsLeft = mostRuns;
    this.#located(() => this.#advance(chunk));
  }

  /** Declares the end of input. Throws `bad-answer` (xml-truncated) when the root element is not closed. */
  end(): void {
    this.#runsLeft = 0;
    const run = this.#run;
    this.#run = undefined;
    if (run !== undefined) this.#located(() => this.#advance(run.pending));
    this.#located(() => this.#reader.take(this.#decoder.end()));
    this.#located(() => this.#reader.finish());
  }

  /** Namespace of a prefix within the element being opened ('' is the default one), for QNames in values. */
  namespaceOf(prefix: string): string | undefined {
    return this.#reader.namespaceOf(prefix);
  }

  /** What the header and the declaration say of the encoding, where these differ. */
  get differingEncodings(): string | undefined {
    return this.#decoder.differing;
  }

  #located(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      throw located(thrown, () => this.#place.positionAfter(this.#reader.used));
    }
    // A bad byte stands behind all the text before it, also where that could not be read to its end.
    const { failure } = this.#decoder;
    if (failure !== undefined)
      throw located(failure, () => this.#place.positionAfter(this.#reader.used + this.#reader.left));
  }

  /** Takes bytes as flat elements where they are some, and as text elsewhere. */
  #advance(chunk: Uint8Array): void {
    let bytes: Uint8Array | undefined = chunk;
    while (bytes !== undefined) {
      const rest: Uint8Array | undefined = this.#run === undefined ? bytes : this.#scan(this.#run, bytes);
      bytes = rest && this.#read(rest);
    }
  }

  /** Takes flat elements; gives the bytes that must be read as text, undefined when more have to come first. */
  #scan(run: FlatRun, bytes: Uint8Array): Uint8Array | undefined {
    const { counted, rest } = run.take(bytes, this.#reader.elementsLeft);
    if (rest !== undefined) this.#run = undefined;
    run.flat.served(counted.taken);
    this.#decoder.skip(counted.bytes);
    this.#reader.pass(counted.units, counted.elements);
    return rest;
  }

  /** Reads bytes as text; gives those that can be taken as flat elements, from the first of these on. */
  #read(bytes: Uint8Array): Uint8Array | undefined {
    let at = 0;
    // Behind a byte that is wrong nothing is read.
    for (let pieces = 0; at < bytes.length && this.#decoder.failure === undefined; pieces += 1) {
      const isPiece = this.#runsLeft > 0 && pieces < mostPieces;
      const end = isPiece ? Math.min(at + pieceBytes, bytes.length) : bytes.length;
      this.#reader.take(this.#decoder.decode(bytes.subarray(at, end)));
      at = end;
      const back = this.#back;
      this.#back = undefined;
      if (back !== undefined) return Buffer.concat([back, bytes.subarray(at)]);
    }
    return undefined;
  }

  /** Makes ready to take the next elements as bytes; false where these are not wanted, or cannot be had. */
  #beginRun(flat: Flat, shape: FlatShape): boolean {
    const scanner = this.#events.wantsBytes?.(shape) === true ? flat.scanner() : undefined;
    if (scanner !== undefined) this.#back = this.#decoder.takeBack(this.#reader.left);
    if (scanner === undefined || this.#back === undefined) {
      // The elements behind this one are most likely the same: nobody is asked again in this chunk.
      this.#runsLeft = 0;
      return false;
    }
    this.#runsLeft -= 1;
    this.#run = new FlatRun(flat, scanner, { events: this.#events, place: this.#place });
    return true;
  }
}
