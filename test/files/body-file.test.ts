import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { openBodyFile, readBody } from '../../src/files/body-file.js';
import { openBodyFiles } from '../support/body-files.js';

/** A stream of random bytes in pieces of these sizes, and all of them. */
function pieces(sizes: readonly number[]): { stream: AsyncGenerator<Uint8Array>; all: Buffer; asked: () => number } {
  const chunks = sizes.map((size) => randomBytes(size));
  let asked = 0;
  const stream = (async function* () {
    for (const chunk of chunks) {
      asked += 1;
      yield await Promise.resolve(chunk);
    }
  })();
  return { stream, all: Buffer.concat(chunks), asked: () => asked };
}

const sha256 = (parts: Iterable<Uint8Array>): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

describe('A body file', () => {
  const before = openBodyFiles();
  afterEach(() => assert.equal(openBodyFiles(), before, 'a file is open'));

  it('gives every byte back, as often as it is asked', () => {
    const file = openBodyFile();
    const parts = [0, 1, 65_536, 65_535, 3, 200_000].map((size) => randomBytes(size));
    for (const part of parts) file.write(part);
    assert.equal(file.length, 331_075);
    for (let time = 0; time < 2; time += 1) assert.equal(sha256(file.open()), sha256(parts));
    // Pieces do not share memory: all of them may be kept.
    assert.equal(sha256([...file.open()]), sha256(parts));
    file.close();
    file.close();
  });

  it('stays in memory up to a size, and is a file beyond it', async () => {
    const small = pieces([2, 0, 3]);
    assert.deepEqual(await readBody(small.stream, { held: 5, most: 9 }), small.all);
    assert.deepEqual(await readBody(pieces([]).stream, { held: 0, most: 0 }), Buffer.alloc(0));
    for (const sizes of [[2, 4], [6], [5, 1, 0, 3], [1, 1, 1, 1, 1, 1, 3]]) {
      const { stream, all } = pieces(sizes);
      const file = await readBody(stream, { held: 5, most: 9 });
      assert.ok(file !== undefined && 'open' in file, 'not in a file');
      assert.deepEqual([Buffer.concat([...file.open()]), file.length], [all, all.length]);
      file.close();
    }
  });

  it('gives nothing of too many, and reads no further', async () => {
    const { stream, asked } = pieces([2, 4, 4, 100]);
    assert.equal(await readBody(stream, { held: 5, most: 9 }), undefined);
    assert.equal(asked(), 3);
  });

  it('fails as the stream fails, and leaves no file', async () => {
    const broken = (async function* () {
      yield await Promise.resolve(Buffer.from('abc'));
      throw new Error('broken');
    })();
    await assert.rejects(readBody(broken, { held: 1, most: 9 }), /broken/);
  });
});
