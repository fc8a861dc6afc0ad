import assert from 'node:assert/strict';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { inflated, type InflateLimits } from '../../../src/soap/transport/gunzip.js';

const text = '<a>é</a>'.repeat(2000);
const noise = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * index * 31 + (index >> 3)) % 251));

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function whole(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const inflate = (bytes: Uint8Array, size = 1000, limits?: InflateLimits): Promise<Buffer> =>
  whole(inflated(pieces(bytes, size), 'gzip', limits));

const refusedAs = (code: string) => (error: unknown) =>
  error instanceof RelctlError && error.kind === 'bad-answer' && error.facts.code === code;

describe('Decompression', () => {
  it('gives back what was compressed, however the bytes are cut', async () => {
    const sources = fc.tuple(fc.uint8Array({ maxLength: 3000 }), fc.integer({ min: 1, max: 700 }));
    await fc.assert(
      fc.asyncProperty(sources, async ([bytes, size]) => {
        assert.deepEqual(await inflate(gzipSync(bytes), size), Buffer.from(bytes));
      }),
      { numRuns: 60 },
    );
  });

  it('takes deflate with and without the zlib header', async () => {
    for (const bytes of [deflateSync(text), deflateRawSync(text)]) {
      assert.equal((await whole(inflated(pieces(bytes, 100), 'deflate'))).toString(), text);
    }
  });

  it('takes a gzip stream of two members', async () => {
    assert.equal((await inflate(Buffer.concat([gzipSync('a'), gzipSync('b')]))).toString(), 'ab');
  });

  it('refuses every proper prefix of a gzip stream', async () => {
    const bytes = gzipSync('<a>some text, some more text</a>');
    for (let length = 0; length < bytes.length; length += 1) {
      await assert.rejects(inflate(bytes.subarray(0, length), 7), refusedAs('truncated'), `${length} bytes`);
    }
  });

  it('refuses a prefix of a deflate stream', async () => {
    const bytes = deflateSync(text);
    await assert.rejects(whole(inflated(pieces(bytes.subarray(0, -3), 100), 'deflate')), refusedAs('truncated'));
  });

  for (const size of [20, 1000, 100_000]) {
    for (const [title, garbage] of [
      ['text', Buffer.from('garbage'.repeat(30_000))],
      ['zeros', Buffer.alloc(200_000)],
    ] as const) {
      it(`refuses ${title} after the end, in pieces of ${size} bytes`, async () => {
        await assert.rejects(inflate(Buffer.concat([gzipSync('a'), garbage]), size), refusedAs('encoding'));
      });
    }
  }

  it('refuses bytes after the end of a deflate stream', async () => {
    const bytes = Buffer.concat([deflateSync(text), Buffer.from('more')]);
    for (const size of [7, 100_000])
      await assert.rejects(whole(inflated(pieces(bytes, size), 'deflate')), refusedAs('encoding'));
  });

  it('refuses a wrong checksum, a wrong length and what is not gzip at all', async () => {
    const checksum = Buffer.from(gzipSync(noise));
    checksum[checksum.length - 8] = (checksum[checksum.length - 8] ?? 0) ^ 1;
    const length = Buffer.from(gzipSync(noise));
    length[length.length - 1] = 1;
    for (const bytes of [checksum, length, Buffer.from('<?xml version="1.0"?><a/>')])
      await assert.rejects(inflate(bytes), refusedAs('encoding'));
  });

  it('takes as many bytes as the limit and not one more', async () => {
    const limits = { maxBytes: noise.length, maxRatio: 200 };
    assert.equal((await inflate(gzipSync(noise), 1000, limits)).length, noise.length);
    const more = Buffer.concat([noise, Buffer.from('x')]);
    await assert.rejects(inflate(gzipSync(more), 1000, limits), refusedAs('limit'));
  });

  it('refuses a bomb long before it is inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    let inflatedBytes = 0;
    await assert.rejects(async () => {
      for await (const chunk of inflated(pieces(bomb, 16_384), 'gzip')) inflatedBytes += chunk.length;
    }, refusedAs('limit'));
    assert.ok(inflatedBytes < 24 * 1024 * 1024, `${inflatedBytes} bytes came out`);
  });

  it('lets go of its source when the reader stops', async () => {
    let closed = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        yield* pieces(gzipSync(noise), 50);
      } finally {
        closed = true;
      }
    }
    for await (const chunk of inflated(source(), 'gzip')) {
      assert.ok(chunk.length > 0);
      break;
    }
    assert.ok(closed);
  });

  it('passes on the error of its source', async () => {
    const broken = new RelctlError('no-answer', 'stalled', { facts: { code: 'timeout-idle' } });
    async function* source(): AsyncGenerator<Uint8Array> {
      yield gzipSync(noise).subarray(0, 100);
      throw broken;
    }
    await assert.rejects(whole(inflated(source(), 'gzip')), (error) => error === broken);
  });
});
