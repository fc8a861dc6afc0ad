import assert from 'node:assert/strict';
import { search, type JSONValue } from '@jmespath-community/jmespath';
import fc from 'fast-check';
import { opt, recordWithoutPresence } from '../../../src/contract/build.js';
import { anyType } from '../../../src/contract/scalars.js';
import type { RecordValue, Value } from '../../../src/core/values/value.js';
import { compileExpression } from '../../../src/formats/query/expression.js';
import { collectorOf } from '../../../src/formats/query/questions.js';

const names = ['Id', 'A', 'N', 'X', 'Items'] as const;
const type = recordWithoutPresence(
  'Row',
  'A row.',
  Object.fromEntries(names.map((name) => [name, opt(anyType, 'Anything.')])),
);

/** What an expression needs of a list: nothing together, what its first part gives, or all of it. */
type Needs = 'slices' | 'items' | 'all';

const expressions: readonly (readonly [string, Needs])[] = [
  ['@', 'slices'],
  ['[]', 'slices'],
  ['[].Id', 'slices'],
  ['[*].Id', 'slices'],
  ['[?A]', 'slices'],
  ['[?A].{a: Id, b: X.Y}', 'slices'],
  ['[].[Id, N]', 'slices'],
  ['[].[Id, N][]', 'slices'],
  ['[].Items[?A].B', 'slices'],
  ['[].Items[].B', 'slices'],
  ['[?A].Id | [?@]', 'slices'],
  ['[?length(Items) > `1`][].Id', 'slices'],
  ['[].*', 'slices'],
  ['[?A] | [0]', 'items'],
  ['[?A] | [*].Id | sort(@)', 'items'],
  ['[?A] | length(@)', 'items'],
  ['@ | [0]', 'items'],
  ['[].Id | [0:2]', 'items'],
  ['length(@)', 'all'],
  ['length([?A])', 'items'],
  ['[0].Id', 'items'],
  ['[-1].Id', 'all'],
  ['[1]', 'items'],
  ['[1:3]', 'items'],
  ['[:2].Id', 'items'],
  ['[0:3:2].Id', 'items'],
  ['[?A] | [1:2].Id', 'items'],
  ['[1:3] | [1]', 'items'],
  ['[1:3][].Items[0].B', 'all'],
  ['[-3:2].Id', 'all'],
  ['[:-1].Id', 'all'],
  ['[2:].Id', 'all'],
  ['[2:0:-1].Id', 'all'],
  ['[::-1].Id', 'all'],
  ['[-1].[Id, N]', 'all'],
  ['[0:3].Id', 'items'],
  ['[0:3] | [?A].Id', 'items'],
  ['sort_by(@, &Id)[].N', 'all'],
  ['sort_by([?A], &Id)[0].X.Y', 'items'],
  ['max_by(@, &Id).N', 'all'],
  ['map(&Id, @)', 'all'],
  ['map(&@, @)[].Id', 'all'],
  ['reverse(@)[].Id', 'all'],
  ['sum([].N)', 'items'],
  ["join(',', [?A].Id)", 'all'],
  ['[length(@), sum([].N)]', 'all'],
  ['{all: length(@), some: length([?A])}', 'all'],
  ['length([?A]) == `1` && [0].Id', 'all'],
  ['!([?A].Id)', 'all'],
  ['[0].X.*', 'items'],
  ['[0]', 'items'],
  ['[0:2]', 'items'],
  ['sort_by(@, &Id)', 'all'],
  ['max_by(@, &Id)', 'all'],
  ['[length(@), @]', 'all'],
  ['{first: [0]}', 'all'],
  ['[?@].Id | [0]', 'items'],
  ['length([?@])', 'items'],
  ['[0].*', 'items'],
  ['keys([0])', 'all'],
  ['to_string(@)', 'all'],
  ['sort_by(@, &to_string(@))[].Id', 'all'],
  ['max_by(@, &to_string(@)).Id', 'all'],
  ['min_by(@, &to_string(@)).Id', 'all'],
  ['map(&to_string(@), @)', 'all'],
  ['[?A == `true` && $[0].Id == Id].Id', 'all'],
  ['[].{a: Id, b: length($)}', 'all'],
  ['[0] == [1]', 'all'],
  ['[0].Id == [1].Id', 'all'],
  ['[0] && [1]', 'all'],
  ['[length([0].Items || `[]`), length(@)]', 'all'],
  ['[0] || `1`', 'all'],
  ['contains(@, [0])', 'all'],
  ['group_by(@, &Id)', 'all'],
  ['let $all = @ in [].{a: Id, n: length($all)}', 'all'],
];

const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { freq: 4 });
const item = fc.record(
  { A: maybe(fc.boolean()), B: fc.string({ maxLength: 2 }) },
  { requiredKeys: [], noNullPrototype: true },
);
const row = fc.record(
  {
    // What functions want of each record is there: what they refuse is tested elsewhere.
    Id: fc.string({ maxLength: 3 }),
    A: maybe(fc.boolean()),
    N: fc.integer({ min: -9, max: 9 }),
    X: maybe(fc.record({ Y: fc.string({ maxLength: 2 }) }, { noNullPrototype: true })),
    Items: maybe(fc.array(item, { maxLength: 3 })),
  },
  { requiredKeys: ['Id', 'N'], noNullPrototype: true },
);

function answerOf(query: string, slices: readonly (readonly RecordValue[])[], sort?: string): Value {
  const collector = collectorOf({ query, ...(sort === undefined ? {} : { sort }) }, { type, shape: 'list' });
  try {
    for (const slice of slices) collector.add(slice);
    const outcome = collector.outcome();
    assert.ok(outcome.kind === 'result');
    const { result } = outcome;
    const all = [...result.items()];
    assert.equal(all.length, result.count);
    return result.isList ? all : (all[0] ?? null);
  } finally {
    collector.close();
  }
}

describe('A query of a list that comes in slices', () => {
  for (const [query, needs] of expressions) {
    it(`gives what it gives of the whole list: ${query}`, () => {
      fc.assert(
        fc.property(fc.array(fc.array(row, { maxLength: 5 }), { maxLength: 4 }), (slices) => {
          const found = answerOf(query, slices);
          assert.deepEqual(found, search(slices.flat() as JSONValue, query));
        }),
        { numRuns: 200 },
      );
      const { inSlices } = compileExpression(
        { path: '--query', text: query },
        { type: { kind: 'list', item: type, itemName: 'Row' } },
      );
      const found = inSlices === undefined ? 'all' : inSlices.rest === undefined ? 'slices' : 'items';
      assert.equal(found, needs);
    });
  }

  it('is asked of sorted records in their order', () => {
    const rows = Array.from({ length: 1300 }, (_, at) => ({ Id: String((at * 7919) % 1300).padStart(4, '0'), N: at }));
    const sorted = [...rows].sort((left, right) => (left.Id < right.Id ? -1 : 1));
    for (const query of ['[].Id', '[?N > `100`].{a: Id}', '[0].Id', '[?N > `100`] | [0].N'])
      assert.deepEqual(answerOf(query, [rows.slice(0, 700), rows.slice(700)], 'Id'), search(sorted, query), query);
  });

  it('refuses more than it may need at once, and says what to do', () => {
    const long = Array.from({ length: 35 }, (_, at) => ({ Id: `${at} ${'x'.repeat(1024 * 1024)}`, N: at }));
    const slices = long.map((record) => [record]);
    for (const query of ['sort_by(@, &Id)', '[?N >= `0`] | [-1]'])
      assert.throws(
        () => answerOf(query, slices),
        { kind: 'usage', message: 'the part of the records that the query needs at once is more than 32 MiB' },
        query,
      );
    // What is kept of each is little.
    assert.equal(answerOf('sum([].N)', slices), 595);
    assert.deepEqual(answerOf('[?N > `5`] | [0:2]', slices), long.slice(6, 8));
    assert.equal((answerOf('[].Id', slices) as readonly Value[]).length, 35);
    // One value, many times within another.
    const twice = Array.from({ length: 40 }, () => '[@, @]').join(' | ');
    const few = slices.slice(0, 2);
    for (const query of [`[].Id | ${twice}`, `[].[Id | ${twice}]`, `[0].Id | ${twice}`])
      assert.throws(() => answerOf(query, few), {
        kind: 'usage',
        message: 'one value of the result has more than 32 MiB',
        advice: /one record after the other/,
      });
  });
});
