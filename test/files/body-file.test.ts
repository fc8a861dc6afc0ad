import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { openBodyFile, readBody, type BodyBounds, type ReadBody } from '../../src/files/body-file.js';
import { allowanceOf } from '../../src/plain/allowance.js';
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

/** Bounds of 5 bytes in memory and 9 in all, beside others that leave so much room. */
const bounds = ({ memory = 100, disk = 100 } = {}): BodyBounds => ({
  held: 5,
  most: 9,
  memory: allowanceOf(memory),
  disk: allowanceOf(disk),
});

async function readWhole(stream: AsyncIterable<Uint8Array>, within = bounds()): Promise<ReadBody> {
  const read = await readBody(stream, within);
  assert.ok(typeof read !== 'string');
  return read;
}

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
    assert.deepEqual((await readWhole(small.stream)).body, small.all);
    assert.deepEqual((await readWhole(pieces([]).stream)).body, Buffer.alloc(0));
    for (const sizes of [[2, 4], [6], [5, 1, 0, 3], [1, 1, 1, 1, 1, 1, 3]]) {
      const { stream, all } = pieces(sizes);
      const read = await readWhole(stream);
      const { body } = read;
      assert.ok('open' in body, 'not in a file');
      assert.deepEqual([Buffer.concat([...body.open()]), body.length], [all, all.length]);
      read.close();
    }
  });

  it('gives nothing of too many, and reads no further', async () => {
    const { stream, asked } = pieces([2, 4, 4, 100]);
    assert.equal(await readBody(stream, bounds()), 'too-large');
    assert.equal(asked(), 3);
  });

  it('goes to a file when others leave no memory, and gives back what it took', async () => {
    const within = bounds({ memory: 6 });
    const first = await readWhole(pieces([2, 1]).stream, within);
    const second = await readWhole(pieces([2, 2]).stream, within);
    assert.deepEqual(['open' in first.body, 'open' in second.body], [false, true]);
    first.close();
    first.close();
    second.close();
    const third = await readWhole(pieces([5]).stream, within);
    assert.equal('open' in third.body, false);
    assert.deepEqual([within.memory.take(1), within.memory.take(2)], [true, false]);
    third.close();
    assert.deepEqual([within.memory.take(5), within.disk.take(100)], [true, true]);
  });

  it('says that there is no room when others leave none on the disk, and gives back what it took', async () => {
    const within = bounds({ memory: 0, disk: 9 });
    const first = await readWhole(pieces([4]).stream, within);
    const { stream, asked } = pieces([4, 2, 100]);
    assert.equal(await readBody(stream, within), 'no-room');
    assert.equal(asked(), 2);
    first.close();
    assert.equal(within.disk.take(9), true);
  });

  it('takes no more memory for many small pieces than for a large one', async () => {
    // While it grows, the old and the new piece are there.
    const memory = allowanceOf(9);
    const read = await readWhole(pieces([1, 1, 1, 1, 1]).stream, { ...bounds(), memory });
    assert.equal('open' in read.body, false);
    assert.deepEqual([memory.take(5), memory.take(4)], [false, true]);
    read.close();
  });

  it('fails as the stream fails, and leaves no file', async () => {
    const within = bounds({ memory: 0 });
    const broken = (async function* () {
      yield await Promise.resolve(Buffer.from('abc'));
      throw new Error('broken');
    })();
    await assert.rejects(readBody(broken, within), /broken/);
    assert.equal(within.disk.take(100), true);
  });
});
