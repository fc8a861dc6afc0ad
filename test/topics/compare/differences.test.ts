import assert from 'node:assert/strict';
import fc from 'fast-check';
import { differencesOf, type Item, type ItemDifference } from '../../../src/topics/compare/differences.js';

const isSame = (): boolean => false;

const found = (a: readonly Item[], b: readonly Item[]): readonly string[] =>
  differencesOf([a, b], isSame).map(lineOf).sort();

const lineOf = ({ key, difference, member, values }: ItemDifference): string =>
  JSON.stringify([difference, key, member ?? null, values.map((value) => value ?? null)]);

const item = (code: string, name: string, more: Partial<Item> = {}): Item => ({
  code,
  name,
  within: '',
  members: { Code: code, Name: name },
  ...more,
});

/**
 * The same, said pair by pair: for each record of the one list, which records of the other may be it, and which records of
 * its own list may be that one as well.
 */
function expected(a: readonly Item[], b: readonly Item[]): readonly string[] {
  const lines = new Set<string>();
  const told: string[] = [];
  const shared = (key: 'code' | 'name', x: Item, own: readonly Item[]): readonly Item[] =>
    own.filter((each) => each[key] === x[key]);
  const isByCode = (x: Item, other: readonly Item[]): boolean => x.code !== '' && shared('code', x, other).length > 0;
  const [restA, restB] = [a.filter((x) => !isByCode(x, b)), b.filter((x) => !isByCode(x, a))];
  const only = (x: Item, side: 0 | 1): void => {
    const values = side === 0 ? [x.name, null] : [null, x.name];
    told.push(JSON.stringify([side === 0 ? 'only-a' : 'only-b', x.code === '' ? x.name : x.code, null, values]));
  };
  const count = (all: readonly Item[]): string => `${all.length}`;
  const ambiguous = (member: string, key: string, [own, other]: readonly [readonly Item[], readonly Item[]]): void =>
    void lines.add(JSON.stringify(['ambiguous', key, member, [count(own), count(other)]]));
  const changed = (key: string, x: Item, y: Item): void => {
    for (const member of ['Code', 'Name', 'More']) {
      const [left, right] = [x.members[member] ?? '', y.members[member] ?? ''];
      const values = [x.members[member] ?? null, y.members[member] ?? null];
      if (left !== right) told.push(JSON.stringify(['changed', key, member, values]));
    }
  };
  for (const x of a.filter((each) => isByCode(each, b))) {
    const groups = [shared('code', x, a), shared('code', x, b)] as const;
    const [, [only]] = groups;
    if (groups.flat().length > 2 || only === undefined) ambiguous('Code', x.code, groups);
    else changed(x.code, x, only);
  }
  for (const name of new Set([...restA, ...restB].map((each) => each.name))) {
    const [inA, inB] = [restA.filter((x) => x.name === name), restB.filter((x) => x.name === name)];
    const mayBe = (own: readonly Item[], other: readonly Item[]): boolean =>
      own.length > 0 && other.length > 0 && [...own, ...other].some((x) => x.code === '');
    const [x, y] = [inA[0], inB[0]];
    if (!mayBe(inA, inB)) {
      for (const each of inA) only(each, 0);
      for (const each of inB) only(each, 1);
    } else if (name !== '' && inA.length + inB.length === 2 && x !== undefined && y !== undefined) changed(name, x, y);
    else if (name === '' || [...inA, ...inB].some(({ within }) => within === undefined))
      ambiguous('Name', name, [inA, inB]);
    else {
      for (const place of new Set([...inA, ...inB].map(({ within }) => within))) {
        const [hereA, hereB] = [inA.filter((z) => z.within === place), inB.filter((z) => z.within === place)];
        const key = place === '' ? name : `${place ?? ''} / ${name}`;
        const [p, q] = [hereA[0], hereB[0]];
        if (!mayBe(hereA, hereB)) {
          for (const each of hereA) only(each, 0);
          for (const each of hereB) only(each, 1);
        } else if (hereA.length + hereB.length === 2 && p !== undefined && q !== undefined) changed(key, p, q);
        else ambiguous('Name', key, [hereA, hereB]);
      }
    }
  }
  return [...told, ...lines].sort();
}

const items = fc.array(
  fc
    .record({
      code: fc.constantFrom('', '', '1', '2', '3'),
      name: fc.constantFrom('', 'n', 'm', 'o'),
      within: fc.constantFrom('', 'p', 'q', 'q', undefined),
      more: fc.constantFrom('', 'x', 'y'),
    })
    .map(({ code, name, within, more }) => ({ code, name, within, members: { Code: code, Name: name, More: more } })),
  { maxLength: 7 },
);

describe('The differences between two lists', () => {
  it('are those that a comparison pair by pair finds', () =>
    fc.assert(
      fc.property(items, items, (a, b) => assert.deepEqual(found(a, b), expected(a, b))),
      { numRuns: 2000 },
    ));

  it('are none between a list and itself in another order, where each record has a key of its own', () =>
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 })), (keys) => {
        const list = keys.map((key) => item(key, key));
        assert.deepEqual(found(list, list.toReversed()), []);
      }),
    ));

  it('do not depend on the order of the lists', () =>
    fc.assert(
      fc.property(items, items, (a, b) => assert.deepEqual(found(a.toReversed(), b.toReversed()), found(a, b))),
    ));

  it('never take two codes for one record, whatever its name', () =>
    assert.deepEqual(found([item('1', 'n')], [item('2', 'n')]), [
      '["only-a","1",null,["n",null]]',
      '["only-b","2",null,[null,"n"]]',
    ]));

  it('tell records of one name apart by where they stand', () =>
    assert.deepEqual(
      found(
        [item('', 'Other', { within: 'A', members: { Note: 'x' } }), item('', 'Other', { within: 'B' })],
        [item('', 'Other', { within: 'A', members: { Note: 'y' } })],
      ),
      ['["changed","A / Other","Note",["x","y"]]', '["only-a","Other",null,["Other",null]]'],
    ));
});
