import assert from 'node:assert/strict';
import { records } from '../../../src/contract/service.js';
import { openSorting, orderBy } from '../../../src/formats/query/sorting.js';
import type { RecordValue } from '../../../src/core/values/value.js';

const product = records['PvProductData'];
assert.ok(product);
const order = orderBy(['SalesPrice:desc'], product);

const rows: readonly RecordValue[] = Array.from({ length: 3000 }, (_, index) => ({
  Id: String(index),
  Name: `Naam\n${index} \ud800`,
  SalesPrice: index % 7 === 0 ? null : `${(index * 7919) % 50}`,
}));

/** By counting: the rows of each price, highest first, as they came. */
function expected(): readonly RecordValue[] {
  const prices = Array.from({ length: 50 }, (_, index) => String(49 - index));
  return [...prices, null].flatMap((price) => rows.filter((row) => row['SalesPrice'] === price));
}

describe('sorting', () => {
  for (const [where, most] of [
    ['in memory', 1e9],
    ['in a few files', 50_000],
    ['in more files than are open at once', 300],
  ] as const)
    it(`gives the records in their order, equal ones as they came: ${where}`, () => {
      const sorting = openSorting(order, most);
      for (let at = 0; at < rows.length; at += 100) sorting.add(rows.slice(at, at + 100));
      assert.deepEqual([...sorting.sorted()], expected());
      sorting.close();
    });

  it('gives long records as they were added, from files, among short ones', () => {
    const long = 'é€"\\\n\ud800'.repeat(20_000);
    const some = rows.slice(0, 200).map((row, at) => (at % 9 === 0 ? { ...row, Name: `${at} ${long}` } : row));
    const prices = [...new Set(some.map(({ SalesPrice }) => SalesPrice))].filter((price) => price !== null);
    const inOrder = [...prices.sort((left, right) => Number(right) - Number(left)), null];
    for (const most of [100_000, 1_000_000]) {
      const sorting = openSorting(order, most);
      sorting.add(some);
      assert.deepEqual(
        [...sorting.sorted()],
        inOrder.flatMap((price) => some.filter(({ SalesPrice }) => SalesPrice === price)),
      );
      sorting.close();
    }
  });

  it('of nothing gives nothing', () => {
    const sorting = openSorting(order);
    assert.deepEqual([...sorting.sorted()], []);
    sorting.close();
  });
});
