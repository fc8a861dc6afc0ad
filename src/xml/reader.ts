import { isAscii, isUtf8 } from 'node:buffer';
import { BeginningRecorder, type Beginning, Repeated } from './repeated.js';
import { wholeCharacters, XmlDecoder } from './decoder.js';
import type { ElementTaker, ElementTemplate, XmlEvents, XmlLimits } from './events.js';
import type { Tag } from './tags.js';
import { located, TextPosition } from './position.js';
import { TextReader } from './text-reader.js';

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

/** What was taken as bytes. */
interface Counted {
  bytes: number;
  units: number;
  elements: number;
}

/** Elements that follow each other and are taken out of bytes, up to the first one that is not like the others. */
class ElementRun {
  readonly #repeated: Repeated;
  readonly #taker: ElementTaker;
  #pending: Uint8Array = none;

  constructor(repeated: Repeated, taker: ElementTaker) {
    this.#repeated = repeated;
    this.#taker = taker;
  }

  /** The bytes that are kept until more come. */
  get pending(): Uint8Array {
    return this.#pending;
  }

  /** Takes whole elements, so many at most. `rest` must be read as text; undefined when more has to come first. */
  take(
    chunk: Uint8Array,
    most: number,
    place: TextPosition,
  ): { readonly counted: Counted; readonly rest: Uint8Array | undefined } {
    const bytes = this.#pending.length === 0 ? chunk : joined(this.#pending, chunk);
    this.#pending = none;
    const whole = wholeCharacters(bytes);
    const counted = { bytes: 0, units: 0, elements: 0 };
    // Which byte is wrong is found when they are decoded.
    if (!isUtf8(bytes.subarray(0, whole))) return { counted, rest: bytes };
    const isCut = this.#takeWhole(bytes.subarray(0, whole), { counted, most, place });
    const rest = bytes.subarray(counted.bytes);
    const isHeld = isCut && rest.length <= mostPending;
    // A copy: the bytes may be in room that others use, too.
    if (isHeld) this.#pending = Uint8Array.from(rest);
    return { counted, rest: isHeld ? undefined : rest };
  }

  /** Takes elements of bytes; true when these end within one. */
  #takeWhole(
    bytes: Uint8Array,
    { counted, most, place }: { readonly counted: Counted; readonly most: number; readonly place: TextPosition },
  ): boolean {
    const taker = this.#taker;
    let count = 0;
    taker.begin(bytes, bytes.length);
    for (;;) {
      const range = taker.take(counted.bytes, most - counted.elements);
      if (range.hasFeed) place.drop(Buffer.from(bytes.subarray(counted.bytes, range.at)).toString('utf8'));
      else place.skip(range.units);
      counted.bytes = range.at;
      counted.units += range.units;
      counted.elements += range.elements;
      count += range.count;
      if (range.end === 'more') continue;
      if (count > 0 || range.end === 'other') this.#repeated.served(count);
      return range.end === 'cut';
    }
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

/** How a document began, and what is known of the elements behind that: the next one most likely begins with the same bytes. */
interface Memo {
  readonly bytes: Buffer;
  readonly charset: string | undefined;
  readonly beginning: Beginning;
  readonly tag: Tag;
  /** The template of those with that start tag, by which they were taken last. */
  template: ElementTemplate;
}

/** That of the document read last, of those that have one. */
let memo: Memo | undefined;

const carriageReturn = 0x0d;

/** How often in a chunk elements are taken as bytes again, behind one that had to be read as text. */
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
  readonly #charset: string | undefined;
  readonly #decoder: XmlDecoder;
  readonly #place = new TextPosition();
  readonly #reader: TextReader;
  /** Takes the elements that come now as bytes; then no text is left. */
  #run: ElementRun | undefined;
  #back: Uint8Array | undefined;
  #runsLeft = 0;
  readonly #beginning: BeginningRecorder | undefined;
  /** The first chunk, while the beginning of the document may be kept. */
  #first: Uint8Array | undefined;
  #hasBegun = false;

  constructor(events: XmlEvents, options: ReaderOptions = {}) {
    this.#events = events;
    this.#charset = options.charset;
    this.#decoder = new XmlDecoder(options.charset);
    const mayGoOn = events.elements !== undefined && options.limits === undefined;
    this.#hasBegun = !mayGoOn;
    this.#beginning = mayGoOn ? new BeginningRecorder() : undefined;
    this.#reader = new TextReader(events, {
      limits: { ...defaultLimits, ...options.limits },
      decoder: this.#decoder,
      place: this.#place,
      onRepeated: (repeated) => this.#runsLeft > 0 && this.#beginRun(repeated),
      beginning: this.#beginning,
    });
  }

  /** Throws RelctlError `bad-answer` at the first thing that is not well-formed, refused by policy or over a limit. */
  write(chunk: Uint8Array): void {
    this.#runsLeft = mostRuns;
    this.#located(() => this.#advance(this.#hasBegun ? chunk : this.#begin(chunk)));
    this.#first = undefined;
  }

  /** Passes over what the document before began with, where this one begins with the same bytes; gives those behind it. */
  #begin(chunk: Uint8Array): Uint8Array {
    this.#hasBegun = true;
    this.#first = chunk;
    if (memo === undefined || memo.charset !== this.#charset) return chunk;
    const { bytes, beginning, tag, template } = memo;
    const { length } = bytes;
    if (chunk.length <= length || bytes.compare(chunk, 0, length) !== 0) return chunk;
    this.#first = undefined;
    const repeated = new Repeated(tag, template);
    this.#reader.resume(beginning, this.#decoder.beginAfter(bytes), repeated);
    this.#runFor(repeated);
    return chunk.subarray(length);
  }

  /** Keeps how the document began, where that is plain: one byte for each character, in one chunk. */
  #keepBeginning(repeated: Repeated): void {
    const first = this.#first;
    this.#first = undefined;
    const { tag, template } = repeated;
    if (first === undefined || template === undefined) return;
    const beginning = this.#beginning?.before(tag.name, this.#reader.open);
    if (beginning === undefined || beginning.length >= first.length) return;
    const bytes = Buffer.from(first.subarray(0, beginning.length));
    if (isAscii(bytes) && !bytes.includes(carriageReturn))
      memo = { bytes, charset: this.#charset, beginning, tag, template };
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

  /** Takes bytes as elements where they are like those before, and as text elsewhere. */
  #advance(chunk: Uint8Array): void {
    let bytes: Uint8Array | undefined = chunk;
    while (bytes !== undefined) {
      const rest: Uint8Array | undefined = this.#run === undefined ? bytes : this.#scan(this.#run, bytes);
      bytes = rest && this.#read(rest);
    }
  }

  /** Takes elements; gives the bytes that must be read as text, undefined when more have to come first. */
  #scan(run: ElementRun, bytes: Uint8Array): Uint8Array | undefined {
    const { counted, rest } = run.take(bytes, this.#reader.elementsLeft, this.#place);
    if (rest !== undefined) this.#run = undefined;
    this.#decoder.skip(counted.bytes);
    this.#reader.pass(counted.units, counted.elements);
    return rest;
  }

  /** Reads bytes as text; gives those that can be taken as elements, from the first of these on. */
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
  #beginRun(repeated: Repeated): boolean {
    if (!this.#runFor(repeated)) return false;
    this.#back = this.#decoder.takeBack(this.#reader.left);
    if (this.#back === undefined) {
      // What stands in the way of it does so to the end of the document.
      this.#run = undefined;
      this.#runsLeft = 0;
      return false;
    }
    this.#keepBeginning(repeated);
    return true;
  }

  #runFor(repeated: Repeated): boolean {
    const taker = this.#takerFor(repeated) ?? this.#takerFor(repeated);
    if (taker === undefined) return false;
    this.#runsLeft -= 1;
    this.#run = new ElementRun(repeated, taker);
    return true;
  }

  /** What takes elements by their template; undefined where nobody does: perhaps by that which they had before. */
  #takerFor(repeated: Repeated): ElementTaker | undefined {
    const { template } = repeated;
    const taker = template && this.#events.elements?.(template);
    if (template === undefined) return undefined;
    if (taker === undefined) repeated.refused();
    else {
      repeated.accepted();
      // The next document is read as this one, with what was learned of it.
      if (memo?.tag === repeated.tag) memo.template = template;
    }
    return taker;
  }
}
