import assert from 'node:assert/strict';
import { records } from '../../src/contract/service.js';
import { list, record, req, scalar } from '../../src/contract/build.js';
import { allColumns, chosenColumns } from '../../src/output/columns.js';
import { RelctlError } from '../../src/errors/relctl-error.js';
import { person } from '../support/output/print.js';

const titles = (columns: readonly { readonly title: string }[]): readonly string[] => columns.map(({ title }) => title);

function refusal(chosen: readonly string[]): RelctlError {
  try {
    chosenColumns(person, chosen);
  } catch (thrown) {
    if (thrown instanceof RelctlError) return thrown;
  }
  return assert.fail('no error');
}

describe('allColumns', () => {
  it('flattens nested records with dots, in the order of the contract, and keeps a list in one column', () => {
    assert.deepEqual(titles(allColumns(person)), ['Id', 'Name', 'Balance', 'Home.City', 'Home.Zip', 'Marks']);
    assert.deepEqual(allColumns(person)[3]?.path, ['Home', 'City']);
  });

  it('gives every record of the contract columns that differ and that can be chosen again', () => {
    assert.ok(Object.keys(records).length > 10);
    for (const each of Object.values(records)) {
      const all = allColumns(each);
      assert.deepEqual(chosenColumns(each, titles(all)), all);
      assert.equal(new Set(titles(all)).size, all.length);
    }
  });
});

describe('chosenColumns', () => {
  it('keeps the order asked for, trims blanks and passes over empty names', () => {
    assert.deepEqual(titles(chosenColumns(person, [' Home.Zip', 'Id ', '', 'Name'])), ['Home.Zip', 'Id', 'Name']);
  });

  it('takes a nested record as one column', () => {
    const [home] = chosenColumns(person, ['Home']);
    assert.deepEqual([home?.title, home?.path, home?.type.kind], ['Home', ['Home'], 'record']);
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
      assert.deepEqual([error.kind, error.instead?.meant, error.facts.path], ['usage', meant, '--columns']);
      assert.match(
        error.message,
        new RegExp(`^there is no column '${typed}'; the columns are Id, Name, Balance, Home\\.City,`),
      );
    }
  });

  it('takes names in any case of letters, and gives them as the record has them', () => {
    const chosen = chosenColumns(person, ['ID', 'home.ZIP', 'HOME', 'marks']);
    assert.deepEqual(chosen, chosenColumns(person, ['Id', 'Home.Zip', 'Home', 'Marks']));
    assert.deepEqual(titles(chosen), ['Id', 'Home.Zip', 'Home', 'Marks']);
    assert.deepEqual(titles(chosenColumns(person, ['places.code'], ['Places.Code', 'places.other'])), ['Places.Code']);
  });

  it('takes the exact one of two names that differ in case only, and none of them for a third', () => {
    const twins = record('Twins', '', { Code: req(scalar('string'), ''), code: req(scalar('int'), '') });
    assert.deepEqual(titles(chosenColumns(twins, ['code', 'Code'])), ['code', 'Code']);
    assert.throws(() => chosenColumns(twins, ['CODE']), /there is no column 'CODE'; the columns are Code, code/);
  });

  it('suggests nothing when nothing is near', () => assert.equal(refusal(['Telephone']).instead, undefined));

  it('refuses a path through a scalar or a list, and names that every object has', () => {
    for (const path of ['Name.length', 'Marks.Mark', 'Home.City.x', 'constructor', '__proto__', 'Home.toString', 'Id.'])
      assert.equal(refusal([path]).kind, 'usage');
  });

  it('refuses a choice of nothing', () => {
    for (const none of [[], [''], [' ', '']]) assert.match(refusal(none).message, /names no column/);
  });

  it('finds a field called as something that every object has, when the contract has it', () => {
    const odd = record('Odd', '', {
      constructor: req(scalar('string'), ''),
      items: req(list(scalar('int'), 'int'), ''),
    });
    assert.deepEqual(titles(chosenColumns(odd, ['constructor'])), ['constructor']);
  });
});
