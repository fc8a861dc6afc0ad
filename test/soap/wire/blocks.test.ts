import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Blocks } from '../../../src/soap/wire/envelope.js';

describe('Blocks of text', () => {
  const short = fc.string({ unit: 'binary', maxLength: 40 });
  // Some are longer than what is left of a block, and than a block.
  const long = fc
    .tuple(fc.constantFrom('a', 'é', '€', '😀'), fc.constantFrom(10, 8_192, 90_000, 180_000, 600_000))
    .map(([letter, length]) => letter.repeat(length));
  const texts = fc.array(fc.oneof({ weight: 3, arbitrary: short }, long), { maxLength: 12 });

  it('hold the bytes of their texts, whoever writes others at the same time or afterwards', () => {
    fc.assert(
      fc.property(texts, texts, (first, second) => {
        const [one, other] = [new Blocks(), new Blocks()];
        for (let at = 0; at < Math.max(first.length, second.length); at += 1) {
          one.write(first[at] ?? '');
          other.write(second[at] ?? '');
        }
        const bytes = one.take();
        const third = new Blocks();
        third.write('x'.repeat(1_000_000));
        const found = [bytes, other.take()].map((each) => Buffer.from(each).toString('utf8'));
        assert.deepEqual(found, [first.join(''), second.join('')]);
        assert.equal(Buffer.from(third.take()).toString(), 'x'.repeat(1_000_000));
      }),
      { numRuns: 60 },
    );
  });

  it('hold what does not fit into what is left of a block', () => {
    for (const left of [1, 2, 3, 4]) {
      const blocks = new Blocks();
      for (let at = 0; at < 512 * 1024 - left; at += 1) blocks.write('a');
      blocks.write('€');
      assert.equal(Buffer.from(blocks.take()).toString(), `${'a'.repeat(512 * 1024 - left)}€`);
    }
  });

  it('are used again for what is written next', () => {
    const block = new Blocks();
    block.write('one');
    const bytes = block.take();
    const next = new Blocks();
    next.write('two');
    assert.equal(Buffer.from(bytes).toString(), 'one');
    assert.equal(Buffer.from(next.take()).toString(), 'two');
    assert.equal(Buffer.from(new Blocks().take()).toString(), '');
  });
});
