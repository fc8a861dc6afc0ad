import { tmpdir } from 'node:os';
import type { Allowance } from '../plain/allowance.js';
import { openOverflowFile } from './overflow-file.js';

const pieceBytes = 64 * 1024;

/** Bytes that come once and are read as often as they are needed, from a temporary file. */
export interface BodyFile {
  readonly length: number;
  /** Adds bytes at the end. Throws `local`. */
  write(bytes: Uint8Array): void;
  /** All bytes in pieces, each in memory of its own. Throws `local`. */
  open(): Generator<Uint8Array>;
  /** Gives the file up; may be called more than once. */
  close(): void;
}

/** Opens an empty body file. Throws `local`. */
export function openBodyFile(): BodyFile {
  const file = openOverflowFile(tmpdir());
  let length = 0;
  return {
    get length() {
      return length;
    },
    write(bytes) {
      file.write(bytes, length);
      length += bytes.length;
    },
    *open() {
      for (let at = 0; at < length; at += pieceBytes) {
        const piece = Buffer.allocUnsafe(Math.min(pieceBytes, length - at));
        file.read(piece, at);
        yield piece;
      }
    },
    close: () => file.close(),
  };
}

/** Bounds of a body, in bytes. */
export interface BodyBounds {
  /** Most that stays in memory, as long as there is memory. */
  readonly held: number;
  readonly most: number;
  /** What all bodies together may hold in memory; what does not fit goes to a file. */
  readonly memory: Allowance;
  /** What all bodies together may hold in files. */
  readonly disk: Allowance;
}

/** A body that was read to its end. */
export interface ReadBody {
  readonly body: Buffer | BodyFile;
  /** Gives up what holds it; may be called more than once. */
  close(): void;
}

/** Bytes in one piece of memory that grows: many small pieces would take many times their length. */
class Held {
  #bytes = Buffer.alloc(0);
  #length = 0;
  readonly #most: number;
  readonly #memory: Allowance;

  constructor({ held, memory }: BodyBounds) {
    this.#most = held;
    this.#memory = memory;
  }

  /** Adds bytes; false, and nothing is added, when there is no room for them. */
  add(chunk: Uint8Array): boolean {
    const needed = this.#length + chunk.length;
    if (needed > this.#most || !this.#grow(needed)) return false;
    this.#bytes.set(chunk, this.#length);
    this.#length = needed;
    return true;
  }

  #grow(needed: number): boolean {
    const old = this.#bytes;
    if (needed <= old.length) return true;
    const size = Math.min(this.#most, Math.max(needed, 2 * old.length));
    if (!this.#memory.take(size)) return false;
    this.#bytes = Buffer.allocUnsafeSlow(size);
    old.copy(this.#bytes);
    this.#memory.give(old.length);
    return true;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#memory.give(this.#bytes.length);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }
}

/** A body as it comes: in memory first, and in a file from where there is no memory for it. */
class GrowingBody implements ReadBody {
  readonly #held: Held;
  readonly #disk: Allowance;
  #file: BodyFile | undefined;
  /** Bytes that were taken of the disk. */
  #taken = 0;

  constructor(bounds: BodyBounds) {
    this.#held = new Held(bounds);
    this.#disk = bounds.disk;
  }

  /** Adds bytes; false when there is no room for them anywhere. */
  add(chunk: Uint8Array): boolean {
    if (this.#file === undefined && this.#held.add(chunk)) return true;
    return this.#moved() && this.#append(chunk);
  }

  /** Moves what is in memory to a file, once. */
  #moved(): boolean {
    if (this.#file !== undefined) return true;
    this.#file = openBodyFile();
    const isRoom = this.#append(this.#held.bytes);
    this.#held.clear();
    return isRoom;
  }

  #append(chunk: Uint8Array): boolean {
    if (this.#file === undefined || !this.#disk.take(chunk.length)) return false;
    this.#taken += chunk.length;
    this.#file.write(chunk);
    return true;
  }

  get body(): Buffer | BodyFile {
    return this.#file ?? this.#held.bytes;
  }

  close(): void {
    this.#held.clear();
    this.#disk.give(this.#taken);
    this.#taken = 0;
    this.#file?.close();
  }
}

/**
 * All bytes of a stream, in memory or in a file; the caller closes it. Or why no more is read: there are more than allowed,
 * or there is no room left for them beside other bodies. Throws `local`, and what the stream throws.
 */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  bounds: BodyBounds,
): Promise<ReadBody | 'too-large' | 'no-room'> {
  const body = new GrowingBody(bounds);
  let length = 0;
  let isWhole = false;
  try {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > bounds.most) return 'too-large';
      if (!body.add(chunk)) return 'no-room';
    }
    isWhole = true;
    return body;
  } finally {
    if (!isWhole) body.close();
  }
}
