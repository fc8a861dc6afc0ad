import assert from 'node:assert/strict';
import { madeList } from '../../src/plain/made-list.js';

const squares = [0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121];

describe('A list whose items are made when they are read', () => {
  const list = madeList(squares.length, (at) => at * at);

  it('is as a list that holds them, however it is read', () => {
    const ways: readonly ((items: readonly number[]) => unknown)[] = [
      (items) => [...items],
      (items) => [...items.entries()],
      (items) => items.map(String),
      (items) => items.filter((item) => item % 2 === 0),
      (items) => items.slice(-2),
      (items) => items.concat([7]),
      (items) => items.toReversed(),
      (items) => [items.at(-1), items[3], items[11], items[12], items.length],
      (items) => [items.indexOf(121), items.includes(5), items.findLast((item) => item < 50)],
      (items) => JSON.stringify({ items }),
      (items) => Object.entries(items),
      (items) => Object.getOwnPropertyDescriptor(items, '2'),
      (items) => ['0' in items, '11' in items, '12' in items, Array.isArray(items)],
      (items) => ['01', '1.5', '1e0', '-1'].map((name) => Reflect.get(items, name) as unknown),
    ];
    for (const way of ways) assert.deepEqual(way(list), way(squares), String(way));
    assert.deepEqual(list, squares);
    assert.deepEqual(
      madeList(0, () => assert.fail()),
      [],
    );
  });

  it('makes an item when it is read, and keeps none', () => {
    const made: number[] = [];
    const told = madeList(3, (at) => made.push(at));
    assert.deepEqual(made, []);
    const items = told[Symbol.iterator]();
    items.next();
    assert.deepEqual(made, [0]);
    assert.equal(told.length, 3);
    items.next();
    assert.deepEqual([told[2], made], [3, [0, 1, 2]]);
    assert.deepEqual([told[2], made], [4, [0, 1, 2, 2]]);
  });

  it('cannot be written', () => {
    const given = list as number[];
    assert.equal(Reflect.set(given, 0, 1), false);
    assert.equal(Reflect.set(given, 'length', 0), false);
    assert.equal(Reflect.deleteProperty(given, 0), false);
    assert.equal(Reflect.defineProperty(given, 0, { value: 1 }), false);
    assert.throws(() => given.push(1), TypeError);
    assert.throws(() => given.sort(), TypeError);
    assert.deepEqual(list, squares);
  });
});
