import assert from 'node:assert/strict';
import fc from 'fast-check';
import { list, opt, record } from '../../src/contract/build.js';
import { int, string } from '../../src/contract/scalars.js';
import { allColumns } from '../../src/formats/columns.js';
import { exploded, joined, listPaths } from '../../src/formats/list-members.js';
import { valuesOf } from '../support/thrown.js';

const Number_ = record('Number', 'A number.', { Kind: opt(string, 'Kind.'), Rank: opt(int, 'Rank.') });
const Inner = record('Inner', 'Inner.', { Tags: opt(list(string), 'Tags.') });
const Person = record('Person', 'A person.', {
  Id: opt(string, 'Id.'),
  Numbers: opt(list(Number_), 'Numbers.'),
  Inner: opt(Inner, 'Inner.'),
});
const titles = (type: typeof Person): readonly string[] => allColumns(type).map(({ title }) => title);
const numbers = ['Numbers'] as const;

describe('Lists within records', () => {
  it('are found with the names on the way to them', () => {
    assert.deepEqual(listPaths(Person), [['Numbers'], ['Inner', 'Tags']]);
  });

  it('give a row for each item, with the rest of the record', () => {
    const { type, of } = exploded(Person, numbers);
    assert.deepEqual(titles(type as typeof Person), ['Id', 'Numbers.Kind', 'Numbers.Rank', 'Inner.Tags']);
    const record = { Id: 'a', Numbers: [{ Kind: 'x' }, { Rank: 2, More: 'y' }, null, 'stray'], Inner: { Tags: ['t'] } };
    assert.deepEqual(
      of(record),
      [{ Kind: 'x' }, { Rank: 2, More: 'y' }, null, 'stray'].map((item) => ({ ...record, Numbers: item })),
    );
  });

  it('within nested records too, whose other members stay', () => {
    const { type, of } = exploded(Person, ['Inner', 'Tags']);
    assert.deepEqual(titles(type as typeof Person), ['Id', 'Numbers', 'Inner.Tags']);
    assert.deepEqual(of({ Id: 'a', Inner: { Tags: ['s', 't'], Other: 1 } }), [
      { Id: 'a', Inner: { Tags: 's', Other: 1 } },
      { Id: 'a', Inner: { Tags: 't', Other: 1 } },
    ]);
  });

  it('without items give one row, and what is no list stays', () => {
    const { of } = exploded(Person, numbers);
    assert.deepEqual(of({ Id: 'a', Numbers: [] }), [{ Id: 'a', Numbers: null }]);
    for (const record of [{ Id: 'a' }, { Id: 'a', Numbers: null }, { Id: 'a', Numbers: 'odd' }])
      assert.deepEqual(of(record), [record]);
  });

  it('lose no item: as many rows as there are, in their order', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (tags) => {
        const rows = exploded(Person, ['Inner', 'Tags']).of({ Inner: { Tags: tags } });
        assert.deepEqual(
          valuesOf(rows, 'Inner'),
          tags.map((tag) => ({ Tags: tag })),
        );
      }),
    );
  });

  it('joined are texts, of each member that the items have', () => {
    const { type, of } = joined(Person, '; ');
    assert.deepEqual(titles(type as typeof Person), ['Id', 'Numbers.Kind', 'Numbers.Rank', 'Inner.Tags']);
    assert.deepEqual(
      of({
        Id: 'a',
        Numbers: [
          { Kind: 'x', Rank: 1 },
          { Rank: 2, More: true },
        ],
        Inner: { Tags: ['s', 't'] },
      }),
      [{ Id: 'a', Numbers: { Kind: 'x; ', Rank: '1; 2', More: '; true' }, Inner: { Tags: 's; t' } }],
    );
    assert.deepEqual(of({ Id: 'a', Numbers: [], Inner: { Tags: [] } }), [
      { Id: 'a', Numbers: null, Inner: { Tags: null } },
    ]);
    // A list of something else than records stays whole.
    assert.deepEqual(of({ Numbers: ['odd', { Rank: 1 }] }), [{ Numbers: ['odd', { Rank: 1 }] }]);
  });
});
