import type { Readable } from 'node:stream';
// Real ones also where a test stops the clock: this is no time limit.
import { clearTimeout, setTimeout } from 'node:timers';
import { setImmediate } from 'node:timers/promises';

/** Bytes that are read before they are given: most pages of a list are smaller. */
const mostBytes = 1024 * 1024;

/** How long what has come waits for the rest, in milliseconds. What is no page of a list is seen soon, if it stalls. */
const longestMs = 100;

/** Chunks that are given before other answers are looked after: decoding a page takes several milliseconds. */
const chunksATurn = 3;

/**
 * So many chunks in a row that are smaller than this are joined. Each keeps what came with it in memory, up to 64 KiB, so that
 * a mebibyte in chunks of one byte took 500 MB, and minutes.
 */
const small = { chunks: 256, bytes: 16 * 1024 } as const;

/** What is called while a stream is read. */
export interface ReadListener {
  /** Something has come. */
  readonly came: () => void;
  /** The last byte has come; so many were there. */
  readonly ended: ((bytes: number) => void) | undefined;
}

class Arrived {
  readonly chunks: Uint8Array[] = [];
  /** How the stream ended; undefined while it has not. */
  end: { readonly failure?: unknown } | undefined;
  #bytes = 0;
  #total = 0;
  /** Chunks that are small, of those that came last. */
  #small = 0;
  #wake: () => void = () => undefined;
  readonly #stream: Readable;

  constructor(stream: Readable, { came, ended }: ReadListener) {
    this.#stream = stream;
    stream.on('data', (chunk: Uint8Array) => {
      this.#add(chunk);
      this.#bytes += chunk.length;
      this.#total += chunk.length;
      came();
      if (this.#bytes < mostBytes) return;
      stream.pause();
      this.#wake();
    });
    stream.once('end', () => {
      this.#ended({});
      ended?.(this.#total);
    });
    // A stream may report more than one, and an error that nobody listens for ends the process.
    stream.on('error', (failure: unknown) => this.#ended({ failure }));
    stream.once('close', () => {
      if (this.end === undefined) this.#ended({ failure: cutOff() });
    });
  }

  /** Resolves when everything or much has come, or the time is up. */
  async more(): Promise<void> {
    this.#bytes = 0;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, longestMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#stream.resume();
    });
  }

  #add(chunk: Uint8Array): void {
    this.chunks.push(chunk);
    this.#small = chunk.length < small.bytes ? this.#small + 1 : 0;
    if (this.#small < small.chunks) return;
    this.#small = 0;
    // Fewer are here where some were given meanwhile.
    this.#add(Buffer.concat(this.chunks.splice(-small.chunks)));
  }

  #ended(how: NonNullable<Arrived['end']>): void {
    this.end ??= how;
    this.#wake();
  }
}

const cutOff = (): Error => Object.assign(new Error('closed before its end'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });

/**
 * Gives the chunks of a stream when all are here, or a mebibyte, or some have waited for 100 ms. Decoding holds up reading,
 * and the connection of a page is free for the next request when the page is read. Throws the error of the stream when what
 * came before it was given.
 */
export async function* readAhead(stream: Readable, reading: ReadListener): AsyncGenerator<Uint8Array> {
  const arrived = new Arrived(stream, reading);
  const { chunks } = arrived;
  let yielded = 0;
  try {
    while (chunks.length > 0 || arrived.end === undefined) {
      const chunk = chunks.shift();
      if (chunk === undefined) {
        await arrived.more();
        continue;
      }
      yield chunk;
      yielded += 1;
      if (yielded % chunksATurn === 0 && chunks.length > 0) await setImmediate();
    }
    if ('failure' in arrived.end) throw arrived.end.failure;
  } finally {
    stream.destroy();
  }
}
