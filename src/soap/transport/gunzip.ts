import { createGunzip, createInflate, createInflateRaw, type Zlib } from 'node:zlib';
import type { Transform } from 'node:stream';
import { badAnswer, RelctlError } from '../../core/errors/relctl-error.js';
import { forMessage } from '../../core/text/text.js';
import { isNoCoding } from './http.js';

/** Bounds on what compressed data may become. */
export interface InflateLimits {
  readonly maxBytes: number;
  /** Inflated bytes per compressed byte, looked at beyond the first mebibyte. */
  readonly maxRatio: number;
}

/** Limits unless a caller sets others. */
export const defaultInflateLimits: InflateLimits = { maxBytes: 256 * 1024 * 1024, maxRatio: 200 };

const freely = 1024 * 1024;

function engineFor(coding: 'gzip' | 'deflate', first: Uint8Array): Transform & Zlib {
  if (coding === 'gzip') return createGunzip();
  // Some servers mean raw deflate data; zlib data begins with the method 8 in its low bits.
  return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

function translated(thrown: unknown): unknown {
  if (thrown instanceof RelctlError || !(thrown instanceof Error) || !('code' in thrown)) return thrown;
  if (thrown.code === 'Z_BUF_ERROR') return badAnswer('truncated', 'the compressed answer was truncated');
  return String(thrown.code).startsWith('Z_') ? badAnswer('encoding', 'the compressed answer is damaged') : thrown;
}

/** Resolves when the engine has read a chunk; rejects when it is destroyed before, which 'drain' would not report. */
function written(engine: Transform, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    engine.write(chunk, (error) => (error instanceof Error ? reject(error) : resolve()));
  });
}

/**
 * Decompresses a body to its exact end. Throws `bad-answer` for a stream that is cut off (code `truncated`), damaged or
 * followed by other bytes (`encoding`), or larger than the limits (`limit`). HTTP libraries accept a stream that is cut off,
 * which loses rows.
 */
export async function* inflated(
  source: AsyncIterable<Uint8Array>,
  coding: 'gzip' | 'deflate',
  limits: InflateLimits = defaultInflateLimits,
): AsyncGenerator<Uint8Array> {
  const input = source[Symbol.asyncIterator]();
  const first = await input.next();
  if (first.done === true) throw badAnswer('truncated', 'the compressed answer is empty');
  const engine = engineFor(coding, first.value);
  let received = 0;
  const feed = async (): Promise<void> => {
    for (let step: IteratorResult<Uint8Array> = first; step.done !== true; step = await input.next()) {
      received += step.value.length;
      await written(engine, step.value);
    }
    engine.end();
  };
  feed().catch((thrown: unknown) => {
    engine.destroy(thrown instanceof Error ? thrown : new Error('feeding failed'));
  });
  try {
    let inflatedBytes = 0;
    for await (const chunk of engine as AsyncIterable<Uint8Array>) {
      inflatedBytes += chunk.length;
      if (inflatedBytes > limits.maxBytes)
        throw badAnswer('limit', `the answer inflates to more than ${limits.maxBytes} bytes`);
      if (inflatedBytes > freely && inflatedBytes > received * limits.maxRatio) {
        throw badAnswer('limit', `the answer inflates to more than ${limits.maxRatio} times its size`);
      }
      yield chunk;
    }
    // The engine stops at bytes that do not belong to the stream, and never reads the rest.
    if (engine.bytesWritten < received) throw badAnswer('encoding', 'bytes follow the end of the compressed answer');
  } catch (thrown) {
    throw translated(thrown);
  } finally {
    engine.destroy();
    await input.return?.();
  }
}

async function* unreadable(body: AsyncIterable<Uint8Array>, coding: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    // An answer without a body is no error here: its status says more than its coding.
    if (chunk.length > 0)
      throw badAnswer(
        'encoding',
        `the answer comes in the content coding '${forMessage(coding)}', which relctl did not request`,
      );
    yield chunk;
  }
}

/** A body as its content coding tells. Throws `bad-answer` while it is read, for a coding that was not asked for as well. */
export function decoded(
  body: AsyncIterable<Uint8Array>,
  coding: string,
  limits: InflateLimits,
): AsyncIterable<Uint8Array> {
  if (coding === '' || isNoCoding(coding)) return body;
  switch (coding.toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return inflated(body, 'gzip', limits);
    case 'deflate':
      return inflated(body, 'deflate', limits);
    default:
      return unreadable(body, coding);
  }
}
