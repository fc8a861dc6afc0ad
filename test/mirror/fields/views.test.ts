import assert from 'node:assert/strict';
import { asWord, columnsFor } from '../../../src/mirror/fields/views.js';

const id = (number: number): string => `00000000-0041-4000-8000-${String(number).padStart(12, '0')}`;
const bare = (number: number): string => id(number).replaceAll('-', '');

/** The titles of fields that have these names. */
const titles = (named: readonly (readonly string[])[], reserved: readonly string[] = []): readonly string[] =>
  columnsFor(
    named.map((names, at) => ({ id: id(at), names })),
    new Set(reserved),
  ).map(({ title }) => title);

describe('Columns of fields', () => {
  it('have the names of their fields, in the same order', () => {
    assert.deepEqual(
      columnsFor(
        [
          { id: id(2), names: ['B', 'b2'] },
          { id: id(1), names: ['A'] },
        ],
        new Set(),
      ),
      [
        { title: 'B', id: id(2) },
        { title: 'A', id: id(1) },
      ],
    );
  });

  it('have the Id where no name is known', () => {
    assert.deepEqual(titles([[], ['', ' \u0000\u202e ']]), [id(0), id(1)]);
  });

  it('of one name have another name of theirs, or the Id in it, whatever the case', () => {
    assert.deepEqual(titles([['Name', 'First'], ['NAME'], ['Other']]), ['First', `NAME_${bare(1)}`, 'Other']);
  });

  it('have no name that is reserved, and none that is a number', () => {
    assert.deepEqual(titles([['Relations'], ['2024'], ['ID', 'Mine']], ['relations', 'id']), [
      `Relations_${bare(0)}`,
      `2024_${bare(1)}`,
      'Mine',
    ]);
  });

  it('are unique where a field is called like another one with its Id', () => {
    const found = titles([['X'], ['x'], [`X_${bare(0)}`], [`X_${bare(0)}_`]]);
    assert.equal(new Set(found.map((title) => title.toLowerCase())).size, 4);
    assert.ok(found.includes(`X_${bare(0)}`));
  });

  it('have letters that can be seen, at most 64, also with the Id', () => {
    assert.deepEqual(titles([['a\u001b[31m\nb\u202ec\u0000']]), ['a [31m b c']);
    const long = '\u{1f600}'.repeat(100);
    const [first = '', second = '', third = ''] = titles([[`${long}1`], [`${long}2`], [`y${long}`]]);
    assert.notEqual(first, second);
    for (const title of [first, second, third]) assert.ok(Array.from(title).length <= 64, title);
  });
});

describe('A name as a word of SQL', () => {
  it('has letters, digits and underscores only', () => {
    assert.equal(asWord('Caf\u00e9 "x"; DROP--\u202e1'), 'Caf\u00e9_x_DROP_1');
    assert.equal(asWord(' \u0000 '), '');
  });
});
