import assert from 'node:assert/strict';
import fc from 'fast-check';
import { draws, isDue, matchesCall, type Schedule } from '../../../src/sandbox/faults/spec.js';

const dueOf = (schedule: Schedule, calls: number): readonly number[] =>
  Array.from({ length: calls }, (_, index) => index + 1).filter((number) => isDue(schedule, number));

describe('A schedule of faults', () => {
  const table: readonly (readonly [schedule: Schedule, due: readonly number[]])[] = [
    [{}, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ every: 3 }, [3, 6]],
    [{ first: 2 }, [1, 2]],
    [{ after: 6 }, [7, 8]],
    [{ after: 2, first: 4 }, [3, 4]],
    [{ every: 2, after: 3, first: 7 }, [4, 6]],
    [{ share: 0 }, []],
    [{ share: 1 }, [1, 2, 3, 4, 5, 6, 7, 8]],
  ];
  for (const [schedule, due] of table) {
    it(`befalls of eight calls, by ${JSON.stringify(schedule)}, ${due.length === 0 ? 'none' : due.join(', ')}`, () => {
      assert.deepEqual(dueOf(schedule, 8), due);
    });
  }

  it('draws the same calls from the same seed, and others from another', () => {
    assert.deepEqual(dueOf({ share: 0.3, seed: 7 }, 30), [9, 10, 17, 19, 25]);
    assert.notDeepEqual(dueOf({ share: 0.3, seed: 8 }, 30), dueOf({ share: 0.3, seed: 7 }, 30));
    assert.deepEqual(dueOf({ share: 0.3 }, 30), dueOf({ share: 0.3, seed: 1 }, 30));
  });

  it('draws about the share asked for', () => {
    for (const share of [0.05, 0.2, 0.5, 0.9]) {
      const part = dueOf({ share, seed: 11 }, 20_000).length / 20_000;
      assert.ok(Math.abs(part - share) < 0.02, `${part} for ${share}`);
    }
  });

  it('draws for a call without looking at the calls before it', () => {
    fc.assert(
      fc.property(fc.nat(0xffff_ffff), fc.integer({ min: 1, max: 1_000_000 }), (seed, number) => {
        assert.equal(draws(seed)('share', number).below(1000), draws(seed)('share', number).below(1000));
        assert.equal(isDue({ share: 0.5, seed }, number), isDue({ share: 0.5, seed }, number));
      }),
    );
  });

  it('speaks of the operations and the page that it names, and of all when it names none', () => {
    const list = { operation: 'RelationGetAll', page: 3 };
    assert.ok(matchesCall({}, list));
    assert.ok(matchesCall({ operation: ['RelationGet', 'RelationGetAll'], page: 3 }, list));
    assert.ok(!matchesCall({ operation: ['RelationGet'] }, list));
    assert.ok(!matchesCall({ page: 2 }, list));
    assert.ok(!matchesCall({ page: 0 }, { operation: 'RelationGet', page: undefined }));
  });
});
