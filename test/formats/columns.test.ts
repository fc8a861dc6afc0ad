import assert from 'node:assert/strict';
import { records } from '../../src/contract/service.js';
import { list, record, req, scalar, type RecordType } from '../../src/contract/build.js';
import { allColumns, asTyped, chosenColumns, briefParts, joinedParts } from '../../src/formats/columns.js';
import { listPaths } from '../../src/formats/list-members.js';
import type { RelctlError } from '../../src/core/errors/relctl-error.js';
import { person } from '../support/output/print.js';
import type { Value } from '../../src/core/values/value.js';
import { thrownBy } from '../support/thrown.js';

/** A person, whose parent is one too, and who owns the place where they live. */
const selfHolding: RecordType = {
  ...record('Person', '', {}),
  get fields() {
    const home = record('Home', '', { City: req(scalar('string'), ''), Owner: req(selfHolding, '') });
    return { Id: req(scalar('guid'), ''), Home: req(home, ''), Parent: req(selfHolding, '') };
  },
};

const titles = (columns: readonly { readonly title: string }[]): readonly string[] => columns.map(({ title }) => title);

const refusal = (chosen: readonly string[]): RelctlError => thrownBy(() => chosenColumns(person, chosen.join(',')));

describe('allColumns', () => {
  it('flattens nested records with dots, in the order of the contract, and keeps a list in one column', () => {
    assert.deepEqual(titles(allColumns(person)), ['Id', 'Name', 'Balance', 'Home.City', 'Home.Zip', 'Marks']);
    assert.deepEqual(allColumns(person)[3]?.path, ['Home', 'City']);
  });

  it('gives a record within one of its own type one column, so that columns end', () => {
    assert.deepEqual(titles(allColumns(selfHolding)), ['Id', 'Home.City', 'Home.Owner', 'Parent']);
    assert.deepEqual(listPaths(selfHolding), []);
  });

  it('gives every record of the contract columns that differ and that can be chosen again', () => {
    assert.ok(Object.keys(records).length > 10);
    for (const each of Object.values(records)) {
      const all = allColumns(each);
      assert.deepEqual(chosenColumns(each, titles(all).join(',')), all);
      assert.equal(new Set(titles(all)).size, all.length);
    }
  });
});

describe('chosenColumns', () => {
  it('keeps the order asked for, trims blanks and passes over empty names', () => {
    assert.deepEqual(titles(chosenColumns(person, ' Home.Zip,Id ,,Name')), ['Home.Zip', 'Id', 'Name']);
  });

  it('takes a nested record as one column', () => {
    const [home] = chosenColumns(person, 'Home');
    assert.deepEqual([home?.title, home?.path, home?.type.kind], ['Home', ['Home'], 'record']);
  });

  it('finds a member whose own name has a dot, in the record and within another one', () => {
    const text = req(scalar('string'), '');
    const inner = record('Inner', '', { Id: text, 'Id.Name': text });
    const outer = record('Outer', '', { Id: text, 'Id.Name': text, In: req(inner, '') });
    const paths = chosenColumns(outer, 'id.name,In.Id.Name,In.Id').map(({ path }) => path);
    assert.deepEqual(paths, [['Id.Name'], ['In', 'Id.Name'], ['In', 'Id']]);
    assert.throws(() => chosenColumns(outer, 'In.Id.Other'), { message: /no column 'In.Id.Other'/ });
  });

  it('names the nearest column for one that is not there', () => {
    const near: readonly (readonly [string, string])[] = [
      ['Nmae', 'Name'],
      ['home.Citty', 'Home.City'],
      ['Home.Citty', 'Home.City'],
      ['Mark', 'Marks'],
    ];
    for (const [typed, meant] of near) {
      const error = refusal(['Id', typed]);
      assert.deepEqual([error.kind, error.correction?.meant, error.facts.path], ['usage', meant, '--columns']);
      assert.match(
        error.message,
        new RegExp(`^there is no column '${typed}'; the columns are Id, Name, Balance, Home\\.City,`),
      );
    }
  });

  it('takes names in any case of letters, and gives them as the record has them', () => {
    const chosen = chosenColumns(person, 'ID,home.ZIP,HOME,marks');
    assert.deepEqual(chosen, chosenColumns(person, 'Id,Home.Zip,Home,Marks'));
    assert.deepEqual(titles(chosen), ['Id', 'Home.Zip', 'Home', 'Marks']);
  });

  it('takes the exact one of two names that differ in case only, and none of them for a third', () => {
    const twins = record('Twins', '', { Code: req(scalar('string'), ''), code: req(scalar('int'), '') });
    assert.deepEqual(titles(chosenColumns(twins, 'code,Code')), ['code', 'Code']);
    assert.throws(() => chosenColumns(twins, 'CODE'), /there is no column 'CODE'; the columns are Code, code/);
  });

  it('gives a column another title, and takes its name in any case of letters', () => {
    const [number, city] = chosenColumns(person, 'Nr = id, Where=home.CITY');
    assert.deepEqual([number?.title, number?.path], ['Nr', ['Id']]);
    assert.deepEqual([city?.title, city?.path, city?.type], ['Where', ['Home', 'City'], scalar('string')]);
    assert.deepEqual(
      [number, city].map((each) => each && asTyped(each)),
      ['Nr=Id', 'Where=Home.City'],
    );
  });

  it('gives one column under two titles, and a column that has a = in its own name', () => {
    assert.deepEqual(titles(chosenColumns(person, 'Id,Nr=Id,Key=Id')), ['Id', 'Nr', 'Key']);
    const odd = record('Odd', '', { 'a=Id': req(scalar('string'), ''), Id: req(scalar('string'), '') });
    const found = chosenColumns(odd, 'a=Id,b=Id,c=a=Id');
    assert.deepEqual(
      found.map(({ title, path }) => [title, ...path]),
      [
        ['a=Id', 'a=Id'],
        ['b', 'Id'],
        ['c', 'a=Id'],
      ],
    );
  });

  it('takes * for all that are not named beside it, each once', () => {
    const all = titles(allColumns(person));
    assert.deepEqual(titles(chosenColumns(person, '*')), all);
    assert.deepEqual(titles(chosenColumns(person, 'Marks,*,Id')), ['Marks', ...all.slice(1, -1), 'Id']);
    assert.deepEqual(titles(chosenColumns(person, 'Nr=Id,*')), ['Nr', ...all.slice(1)]);
    // A nested record is none of the columns, whose members are.
    assert.deepEqual(titles(chosenColumns(person, 'Home,*')), ['Home', ...all]);
  });

  it('refuses one title twice, and * twice or under a title', () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['Id,id', /^the column Id is listed twice$/],
      ['Nr=Id,Nr=Name', /^two columns are called 'Nr'$/],
      ['Name=Id,Name', /^two columns are called 'Name'$/],
      ['Name=Id,*', /^two columns are called 'Name'$/],
      ['*,Id,*', /^\* is listed twice$/],
      ['All=*', /'All=\*' gives many columns one title/],
      ['=Id', /'=Id' is not TITLE=COLUMN/],
      ['Id,Nr=', /'Nr=' is not TITLE=COLUMN/],
      ['Nr=Idd', /^there is no column 'Idd'/],
    ];
    for (const [text, message] of cases) {
      const error = refusal([text]);
      assert.deepEqual([error.kind, error.facts.path], ['usage', '--columns'], text);
      assert.match(error.message, message);
    }
  });

  it('suggests nothing when nothing is near', () => assert.equal(refusal(['Telephone']).correction, undefined));

  it('refuses a path through a scalar or a list, and names that every object has', () => {
    for (const path of ['Name.length', 'Marks.Mark', 'Home.City.x', 'constructor', '__proto__', 'Home.toString', 'Id.'])
      assert.equal(refusal([path]).kind, 'usage');
  });

  it('refuses a choice of nothing', () => {
    for (const none of [[], [''], [' ', '']]) assert.match(refusal(none).message, /--columns is empty/);
  });

  it('finds a field called as something that every object has, when the contract has it', () => {
    const odd = record('Odd', '', {
      constructor: req(scalar('string'), ''),
      items: req(list(scalar('int'), 'int'), ''),
    });
    assert.deepEqual(titles(chosenColumns(odd, 'constructor')), ['constructor']);
  });
});

describe('The brief text of a value', () => {
  const cases: readonly (readonly [string, Value | undefined, string])[] = [
    ['a scalar as it is', '12.50', '12.50'],
    ['nothing for what is absent or nil', null, ''],
    ['a record as JSON', { Id: '1' }, '{"Id":"1"}'],
    ['scalars of a list behind each other', ['a', 2, true], 'a; 2; true'],
    ['nothing for an empty list', [], ''],
    [
      'numbers under their names',
      [
        { Id: 'i', Type: 'Phone', Name: 'Telefoon', Value: '0900 - 0555' },
        { Id: 'j', Type: 'Phone', Name: null, Value: '(010) 555 01 98' },
      ],
      'Telefoon: 0900 - 0555; Phone: (010) 555 01 98',
    ],
    ['counters under their type', [{ TabPageType: 'Lines', Value: 3 }], 'Lines: 3'],
    ['fields under their Id when they have nothing else', [{ Id: 'f', Value: 'x' }], 'f: x'],
    ['a Value alone as it is', [{ Value: 'x' }], 'x'],
    ['records without a scalar Value as JSON', [{ Name: 'a', Value: null }, null], '{"Name":"a","Value":null}; '],
  ];
  for (const [what, value, text] of cases) it(`is ${what}`, () => assert.equal(joinedParts(briefParts(value)), text));
});
