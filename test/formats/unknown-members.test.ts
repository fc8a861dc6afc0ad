import type { RecordValue } from '../../src/core/values/value.js';
import assert from 'node:assert/strict';
import { list, opt, recordWithoutPresence } from '../../src/contract/build.js';
import { string } from '../../src/contract/scalars.js';
import { hasUnknownMembers, unknownMembersOf, reportUnknownMembers } from '../../src/formats/unknown-members.js';
import { allColumns, chosenColumns } from '../../src/formats/columns.js';

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

const plain = { begin: () => '', records: () => '', end: () => '' };

describe('What a record has beyond its type', () => {
  it('are unknown members, at any depth of records; a list holds all of its items in its own column', () => {
    assert.deepEqual(unknownMembersOf(odd, Person), [
      ['Home.Zip', '1'],
      ['New', { b: [1] }],
      ['Gone', null],
    ]);
    assert.ok(hasUnknownMembers(odd, Person));
  });

  it('is what stands in the place of a record, which has no column of its own', () => {
    assert.deepEqual(unknownMembersOf({ Home: 'Delft' }, Person), [['Home', 'Delft']]);
    assert.deepEqual(unknownMembersOf({ Home: null }, Person), []);
  });

  it('is nothing for a record of its type, absent and nil members included', () => {
    for (const record of [{}, { Name: null, Home: null, Places: null }, { Name: 'x', Home: {}, Places: [] }])
      assert.ok(!hasUnknownMembers(record, Person));
  });

  it('may be called what objects have by birth', () => {
    const record = JSON.parse('{"__proto__":"a","constructor":"b"}') as RecordValue;
    assert.deepEqual(unknownMembersOf(record, Person), [
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });
});

describe('The note of a writer', () => {
  const columns = allColumns(Person);

  it('names what its columns do not show, once, and what the format notes before', () => {
    const noted = { ...plain, note: () => 'cut' };
    const writer = reportUnknownMembers(noted, Person, { layout: 'cells', columns, isChosen: false });
    assert.equal(writer.note?.(), 'cut');
    writer.records([odd, { Name: 'b' }]);
    writer.records([odd]);
    assert.match(writer.note() ?? '', /^cut; not in the output, .*: Home\.Zip, New, Gone; -o json prints them/);
  });

  it('says nothing of what stands in a column, and of formats that show each record as it came', () => {
    const chosen = reportUnknownMembers(plain, Person, {
      layout: 'cells',
      columns: chosenColumns(Person, 'Home'),
      isChosen: true,
    });
    chosen.records([{ Home: { Zip: '1' } }]);
    assert.equal(chosen.note?.(), undefined);
    assert.equal(reportUnknownMembers(plain, Person, { layout: 'tree', columns, isChosen: false }), plain);
  });

  it('names 500 of them at most', () => {
    const writer = reportUnknownMembers(plain, Person, { layout: 'cells', columns, isChosen: false });
    writer.records(Array.from({ length: 510 }, (_, at) => ({ [`New${at}`]: 1 })));
    assert.match(writer.note?.() ?? '', /New499, …; -o json/);
  });
});
