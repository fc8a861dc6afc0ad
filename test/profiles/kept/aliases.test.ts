import assert from 'node:assert/strict';
import { aliasesOf, aliasSetting, checkAlias } from '../../../src/profiles/kept/aliases.js';
import { openStore } from '../../../src/profiles/store/store.js';
import { assertFailure, failureOf, place } from '../../support/profiles/place.js';

const id = '00000000-0041-4000-8000-000000001101';

describe('The aliases of a profile', () => {
  const here = place();
  after(() => here.remove());

  it('are none when there is no such setting', () => assert.deepEqual(aliasesOf({}), {}));

  it('are the names with their ids, whatever the names are', () => {
    const names = JSON.parse(`{"titel":"${id}","__proto__":"${id}","toString":"${id}"}`) as object;
    assert.deepEqual(Object.entries(aliasesOf({ [aliasSetting]: names })), Object.entries(names));
  });

  for (const broken of [null, 'x', 1, [], [id], { titel: 1 }, { titel: null }, { titel: { id } }]) {
    it(`that are not readable are an error of the profile: ${JSON.stringify(broken)}`, async () => {
      const failure = await failureOf(() => aliasesOf({ [aliasSetting]: broken }));
      assertFailure(failure, { kind: 'profile', says: /fieldAliases has no usable value/ });
    });
  }

  for (const name of ['titel', 'é', '<&>', 'a.b', '-', '\u{1f35e}', 'x'.repeat(64)]) {
    it(`may be ${name}`, () => assert.doesNotThrow(() => checkAlias(name)));
  }

  for (const name of ['', ' ', 'a b', 'a=b', '=', 'a\nb', 'a\u00a0b', 'x'.repeat(65)]) {
    it(`cannot be ${JSON.stringify(name)}`, async () => {
      const failure = await failureOf(() => checkAlias(name));
      assertFailure(failure, { kind: 'usage', says: /an alias is a word/ });
      assert.equal(failure.facts.path, 'ALIAS');
    });
  }

  it('live in the store: set, replaced and taken away, and other settings stay', async () => {
    const store = openStore(here.at('config'));
    await store.add('acceptance', { baseUrl: 'https://crm.example', timeout: 30 });
    await store.alias('acceptance', 'titel', id);
    await store.alias('acceptance', '__proto__', id);
    await store.alias('acceptance', 'titel', id.replace('1101', '1102'));
    const kept = store.get('acceptance');
    assert.deepEqual(Object.entries(aliasesOf(kept)).sort(), [
      ['__proto__', id],
      ['titel', id.replace('1101', '1102')],
    ]);
    assert.deepEqual([kept.baseUrl, kept.timeout], ['https://crm.example', 30]);
    await store.alias('acceptance', 'titel', null);
    assert.deepEqual(Object.keys(aliasesOf(store.get('acceptance'))), ['__proto__']);
  });
});
