import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { inOrder, type Outcome } from '../../../src/lists/ids/outcomes.js';

async function all<I, T>(outcomes: AsyncIterable<Outcome<I, T>>): Promise<Outcome<I, T>[]> {
  const found: Outcome<I, T>[] = [];
  for await (const outcome of outcomes) found.push(outcome);
  return found;
}

describe('Work on many items', () => {
  it('comes in the order of the items, whatever ends first, and never more at once than allowed', async () => {
    const item = fc.record({ turns: fc.nat(5), batches: fc.nat(5), fails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(item), fc.integer({ min: 1, max: 5 }), async (items, width) => {
        let [atWork, most] = [0, 0];
        const numbered = items.map((each, number) => ({ ...each, number }));
        const outcomes = await all(
          inOrder(
            numbered,
            async function* ({ turns, batches, fails, number }) {
              for (let batch = 0; batch < batches; batch += 1) {
                atWork += 1;
                most = Math.max(most, atWork);
                for (let left = turns; left > 0; left -= 1) await turn();
                atWork -= 1;
                yield `${number}/${batch}`;
              }
              if (fails) throw new RelctlError('refused', String(number));
            },
            width,
          ),
        );
        const told = outcomes.map((outcome) => {
          if (outcome.kind === 'batch') return outcome.batch;
          return outcome.kind === 'failed' ? `${outcome.error.message} failed` : `${outcome.item.number} done`;
        });
        const expected = numbered.flatMap(({ batches, fails, number }) => [
          ...Array.from({ length: batches }, (_, batch) => `${number}/${batch}`),
          `${number} ${fails ? 'failed' : 'done'}`,
        ]);
        assert.deepEqual(told, expected);
        assert.ok(most <= width, `${most} at once`);
      }),
      { numRuns: 60 },
    );
  });

  it('is begun as its turn comes near, not all at once, and holds few batches', async () => {
    const begun: number[] = [];
    let drawn = 0;
    const outcomes = inOrder(
      Array.from({ length: 1000 }, (_, index) => index),
      // It gives batches without end.

      async function* (index) {
        begun.push(index);
        for (;;) yield (drawn += 1);
      },
      3,
    );
    await outcomes.next();
    await turn();
    assert.deepEqual(begun, [0, 1, 2]);
    assert.ok(drawn <= 3 * 3, `${drawn} batches`);
    await outcomes.return();
  });

  it('whose failure comes before its turn ends nothing else', async () => {
    const outcomes = inOrder(
      ['slow', 'fails'],
      async function* (item) {
        if (item === 'fails') throw new RelctlError('not-found', 'no such');
        for (let left = 20; left > 0; left -= 1) await turn();
        yield item;
      },
      2,
    );
    assert.deepEqual(
      (await all(outcomes)).map(({ kind, item }) => `${item} ${kind}`),
      ['slow batch', 'slow done', 'fails failed'],
    );
  });
});
