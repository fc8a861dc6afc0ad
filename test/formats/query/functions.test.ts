import assert from 'node:assert/strict';
import { search } from '@jmespath-community/jmespath';
import '../../../src/formats/query/check.js';

describe('Functions of --query', () => {
  for (const [expression, gives] of [
    ["contains(`null`, 'a')", null],
    ["starts_with('a', `null`)", null],
    ['length(`null`)', null],
    ['sort_by([{a: `2`}, {a: `1`}], &a)[0].a', 1],
    ['max(`null`)', null],
    ['type(`null`)', 'null'],
    ['to_string(`null`)', 'null'],
  ] as const)
    it(`give ${JSON.stringify(gives)} for ${expression}`, () => assert.deepEqual(search({}, expression), gives));

  it('group and merge under names that objects have by birth', () => {
    const records = [{ k: 'constructor' }, { k: '__proto__' }, { k: 'constructor' }];
    const groups = search(records, 'group_by(@, &k)') as Record<string, unknown>;
    assert.deepEqual(Object.entries(groups), [
      ['constructor', [records[0], records[2]]],
      ['__proto__', [records[1]]],
    ]);
    const merged = search({}, 'merge(`{"__proto__": 1, "a": 1}`, `{"a": 2}`)') as Record<string, unknown>;
    assert.deepEqual(Object.entries(merged), [
      ['__proto__', 1],
      ['a', 2],
    ]);
    assert.throws(() => search([{ k: 1 }], 'group_by(@, &k)'), /wants a text of each record/);
  });
});
