import assert from 'node:assert/strict';
import { readBounded } from '../../src/state/given-file.js';

/** Pieces of a stream; says how many were asked for. */
function pieces(sizes: readonly number[]): { stream: AsyncIterable<Uint8Array>; asked: () => number } {
  let asked = 0;
  const stream = (async function* () {
    for (const size of sizes) {
      asked += 1;
      yield await Promise.resolve(Buffer.alloc(size, asked));
    }
  })();
  return { stream, asked: () => asked };
}

describe('A bounded read', () => {
  it('gives all bytes in their order, up to the last that is allowed', async () => {
    assert.deepEqual(await readBounded(pieces([2, 0, 3]).stream, 5), Buffer.from([1, 1, 3, 3, 3]));
    assert.deepEqual(await readBounded(pieces([]).stream, 0), Buffer.alloc(0));
  });

  it('gives nothing of too many, and reads no further', async () => {
    const { stream, asked } = pieces([2, 4, 100]);
    assert.equal(await readBounded(stream, 5), undefined);
    assert.equal(asked(), 2);
  });

  it('fails as the stream fails', async () => {
    const broken = (async function* () {
      yield await Promise.resolve(Buffer.from('a'));
      throw new Error('broken');
    })();
    await assert.rejects(readBounded(broken, 5), /broken/);
  });
});
