import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inAnyCase, nearest, isSameName, nameKey } from '../../../src/core/text/text.js';

const known = ['PreferredAddress', 'AddresStyle', 'Description', 'DisplayName', 'Id'];

describe('nearest', () => {
  for (const [typed, meant] of [
    ['AddressStyle', 'AddresStyle'],
    ['addresstyle', 'AddresStyle'],
    ['PreferedAddress', 'PreferredAddress'],
    ['Descripton', 'Description'],
    ['DisplayNmae', 'DisplayName'],
    ['DI', 'Id'],
    ['id', 'Id'],
    ['IDs', 'Id'],
  ] as const)
    it(`takes ${typed} for ${meant}`, () => assert.equal(nearest(typed, known), meant));

  for (const typed of ['Colour', '', 'xyz', 'PhoneNumber'])
    it(`finds nothing near ${JSON.stringify(typed)}`, () => assert.equal(nearest(typed, known), undefined));

  it('finds every known name for itself, in any case', () => {
    fc.assert(fc.property(fc.constantFrom(...known), (name) => nearest(name.toUpperCase(), known) === name));
  });

  it('takes the first of two that are as near', () => {
    assert.equal(nearest('cat', ['car', 'cap']), 'car');
  });

  it('never gives a name that is not known, and stays quick on long input', () => {
    fc.assert(fc.property(fc.string(), (typed) => [undefined, ...known].includes(nearest(typed, known))));
    assert.equal(nearest('a'.repeat(1_000_000), known), undefined);
    assert.equal(nearest('Id', []), undefined);
  });
});

describe('inAnyCase', () => {
  it('is the name itself, or the only one in another case of letters', () => {
    assert.equal(inAnyCase('id', known), 'Id');
    assert.equal(inAnyCase('ADDRESSSTYLE', known), undefined);
    assert.equal(inAnyCase('addresstyle', known), 'AddresStyle');
    assert.equal(inAnyCase('', known), undefined);
  });

  it('takes the exact one of names that differ in case only, and else none of them', () => {
    assert.equal(inAnyCase('code', ['Code', 'code']), 'code');
    assert.equal(inAnyCase('CODE', ['Code', 'code']), undefined);
  });
});

describe('Names', () => {
  it('are the same in any form of their characters, but not in another case', () => {
    assert.ok(isSameName('Jo\u00eblle', 'Joe\u0308lle'));
    assert.ok(!isSameName('Jo\u00eblle', 'JO\u00cbLLE'));
    assert.ok(!isSameName('Jo\u00eblle', 'Joelle'));
  });

  it('have one key in any case', () => {
    assert.equal(nameKey('JOE\u0308LLE'), nameKey('jo\u00eblle'));
    assert.notEqual(nameKey('Joelle'), nameKey('Jo\u00eblle'));
  });
});
