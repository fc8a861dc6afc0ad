import type { RecordValue } from '../../src/plain/value.js';
import assert from 'node:assert/strict';
import { assumed, list, opt, recordWithoutPresence } from '../../src/contract/build.js';
import { string } from '../../src/contract/scalars.js';
import { addCounts, countBeyond, membersBeyond, moreOf } from '../../src/output/beyond.js';
import { allColumns, chosenColumns } from '../../src/output/columns.js';
import { RelctlError } from '../../src/errors/relctl-error.js';

const Place = recordWithoutPresence('Place', 'Where.', { City: opt(string, 'City.') });
const Person = recordWithoutPresence('Person', 'Somebody.', {
  Name: opt(string, 'Name.'),
  Home: opt(Place, 'Home.'),
  Places: opt(list(Place), 'Places.'),
});

const odd: RecordValue = {
  Name: 'a',
  Home: { City: 'x', Zip: '1' },
  Places: [{ Zip: '2' }],
  New: { b: [1] },
  Gone: null,
};

describe('What a record has beyond its type', () => {
  it('are unknown members, at any depth of records; a list holds all of its items in its own column', () => {
    assert.deepEqual(moreOf(odd, Person), { Home: { Zip: '1' }, New: { b: [1] }, Gone: null });
    assert.deepEqual(membersBeyond(odd, Person), [
      ['Home.Zip', '1'],
      ['New', { b: [1] }],
      ['Gone', null],
    ]);
    assert.deepEqual(countBeyond([odd, odd, { Name: 'b' }], Person), { 'Home.Zip': 2, New: 2, Gone: 2 });
  });

  it('is what stands in the place of a record, which has no column of its own', () => {
    assert.deepEqual(moreOf({ Home: 'Delft' }, Person), { Home: 'Delft' });
    assert.equal(moreOf({ Home: null }, Person), undefined);
  });

  it('is nothing for a record of its type, absent and nil members included', () => {
    for (const record of [{}, { Name: null, Home: null, Places: null }, { Name: 'x', Home: {}, Places: [] }]) {
      assert.equal(moreOf(record, Person), undefined);
      assert.equal(countBeyond([record], Person), undefined);
    }
  });

  it('may be called what objects have by birth', () => {
    const record = JSON.parse('{"__proto__":"a","constructor":"b"}') as RecordValue;
    assert.equal(JSON.stringify(moreOf(record, Person)), '{"__proto__":"a","constructor":"b"}');
  });

  it('is counted under … beyond 500 names', () => {
    const sum = new Map<string, number>();
    addCounts(
      sum,
      Array.from({ length: 510 }, (_, index) => [`New${index}`, 2] as const),
    );
    assert.equal(sum.size, 501);
    assert.equal(sum.get('…'), 20);
  });
});

describe('Columns for what is beyond the contract', () => {
  const titles = (chosen: readonly string[], seen?: readonly string[]): readonly string[] =>
    chosenColumns(Person, chosen.join(','), seen).map(({ title }) => title);

  it('are _more, and members that were seen, also within a record', () => {
    assert.deepEqual(titles(['Name', '_more'], []), ['Name', '_more']);
    assert.deepEqual(titles(['Home.Zip', 'New'], ['New', 'Home.Zip']), ['Home.Zip', 'New']);
    assert.deepEqual(chosenColumns(Person, 'Home.Zip', ['Home.Zip'])[0]?.path, ['Home', 'Zip']);
  });

  it('are refused with the way to get them while they were not seen', () => {
    assert.throws(
      () => titles(['New'], []),
      (error) => {
        assert.ok(error instanceof RelctlError && error.kind === 'usage');
        assert.match(error.message, /in _more.*once `relctl profile test --calibrate` has seen it/);
        return true;
      },
    );
  });

  it("are none for records that are not the service's", () => {
    assert.throws(() => titles(['_more']), /there is no column '_more'; the columns are Name, Home\.City, Places$/);
  });

  it('never depend on the records: _more is there by itself only where the document does not show the inside of one', () => {
    assert.deepEqual(
      allColumns(Person).map(({ title }) => title),
      ['Name', 'Home.City', 'Places'],
    );
    const Entry = recordWithoutPresence('Entry', 'Shape not shown.', {
      Home: assumed('type', opt(Place, 'Home.')),
      Places: assumed('type', opt(list(Place), 'Places.')),
    });
    assert.deepEqual(
      allColumns(Entry).map(({ title }) => title),
      ['Home.City', 'Places', '_more'],
    );
  });
});
