import assert from 'node:assert/strict';
import { randomness } from '../../../src/sandbox/dataset/random.js';

describe('The randomness of the data set', () => {
  it('is the same for the same seed, family and index, on every machine', () => {
    const random = randomness(1)('example', 7);
    assert.deepEqual(
      [random.below(1000), random.below(1000), random.percent(50), random.pick(['a', 'b', 'c'])],
      [101, 506, true, 'b'],
    );
  });

  it('differs with the seed, the family and the index', () => {
    const guids = [randomness(1)('a', 0), randomness(2)('a', 0), randomness(1)('b', 0), randomness(1)('a', 1)].map(
      (r) => r.guid(),
    );
    assert.equal(new Set(guids).size, 4);
  });

  it('gives GUIDs of version 4, each once over 200,000 streams', () => {
    const random = randomness(3);
    const seen = new Set<string>();
    for (let index = 0; index < 200_000; index += 1) seen.add(random('family', index).guid());
    assert.equal(seen.size, 200_000);
    for (const guid of [...seen].slice(0, 500)) {
      assert.match(guid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  it('spreads evenly below a bound', () => {
    const random = randomness(5)('spread', 0);
    const counts = Array<number>(10).fill(0);
    for (let draw = 0; draw < 100_000; draw += 1) {
      const at = random.below(10);
      counts[at] = (counts[at] ?? 0) + 1;
    }
    for (const count of counts) assert.ok(count > 9_500 && count < 10_500, String(counts));
  });
});
