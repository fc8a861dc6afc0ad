import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkedName, namesLike, namesOf, namesSetting, withName, type NamedId } from '../../src/profiles/names.js';
import { environmentName, openStore, sandboxName } from '../../src/profiles/store/store.js';
import { assertFailure, place, type Place } from '../support/profiles/place.js';
import { failureOf } from '../support/thrown.js';

const one = '00000000-0030-4000-8000-000000000001';
const two = '00000000-0030-4000-8000-000000000002';
const workflow = (name: string, id: string | null): NamedId => ({ kind: 'workflow', name, id });
const kept = { replaces: false };

describe('The names of ids', () => {
  let here: Place;
  beforeEach(() => (here = place()));
  afterEach(() => here.remove());
  const open = (): ReturnType<typeof openStore> => openStore(here.at('config'));
  const name = (profile: string, named: NamedId, how = kept): Promise<void> =>
    open().change(profile, (own) => withName(own, named, how));
  const workflows = (profile: string): object => namesOf(open().kept(profile)).workflow;

  for (const profile of ['acceptance', sandboxName, environmentName]) {
    it(`live in the file of the profiles, for ${profile}: kept, replaced when that is said, and taken away`, async () => {
      const store = open();
      await store.add('acceptance', { timeout: 30 });
      await name(profile, workflow('Sales', one), kept);
      await name(profile, workflow('Sales', one.toUpperCase()), kept);
      const refused = await failureOf(() => name(profile, workflow('sales', two), kept));
      assertFailure(refused, { kind: 'usage', says: /'Sales' is 00000000-0030-4000-8000-000000000001 already/i });
      assert.match(refused.hint ?? '', /^relctl name set workflow sales 0.*2 --force$/);
      await name(profile, workflow('sales', two), { replaces: true });
      await name(profile, { kind: 'queue', name: 'sales', id: one }, kept);
      assert.deepEqual(workflows(profile), { sales: two });
      await name(profile, workflow('sales', null), kept);
      assert.deepEqual([workflows(profile), namesOf(open().kept(profile)).queue], [{}, { sales: one }]);
      assert.deepEqual([store.names(), store.get('acceptance')['timeout']], [['acceptance'], 30]);
      assert.equal(statSync(join(here.at('config'), 'config.json')).mode & 0o777, 0o600);
    });
  }

  it('of kinds that a later version has stay', async () => {
    const store = open();
    await store.add('acceptance', {});
    await store.change('acceptance', (own) => ({
      ...own,
      [namesSetting]: { step: { first: one }, workflow: { a: one } },
    }));
    await name('acceptance', workflow('b', two), kept);
    const { profiles } = JSON.parse(readFileSync(store.file, 'utf8')) as {
      profiles: Record<string, Record<string, unknown>>;
    };
    assert.deepEqual(profiles['acceptance']?.[namesSetting], { step: { first: one }, workflow: { a: one, b: two } });
  });

  it('may be those of an object', async () => {
    for (const each of ['__proto__', 'constructor', 'toString']) await name(sandboxName, workflow(each, one), kept);
    assert.deepEqual(Object.entries(workflows(sandboxName)).length, 3);
    assert.deepEqual(namesLike('__proto__', Object.keys(workflows(sandboxName))), ['__proto__']);
    assert.deepEqual(namesLike('valueOf', Object.keys(workflows(sandboxName))), []);
  });

  it('written at once by several are all kept', async () => {
    const names = Array.from({ length: 5 }, (_, at) => `n${at}`);
    await Promise.all(names.map((each) => name(sandboxName, workflow(each, one), kept)));
    assert.deepEqual(Object.keys(workflows(sandboxName)).sort(), names.toSorted());
  });

  it('are none where nothing is kept', () => {
    assert.deepEqual(namesOf({}).workflow, {});
    assert.deepEqual(namesOf({ [namesSetting]: {} }).workflow, {});
  });

  for (const broken of ['x', [], { workflow: [] }, { workflow: { a: 1 } }, { workflow: { a: 'b' } }]) {
    it(`that are not readable are an error of the profile: ${JSON.stringify(broken)}`, async () => {
      const failure = await failureOf(() => namesOf({ [namesSetting]: broken }));
      assertFailure(failure, { kind: 'profile', says: /setting names has an invalid value/ });
    });
  }

  it('mean themselves to the letter, else what differs in case only', () => {
    const known = ['Sales', 'sales', 'Éen'];
    assert.deepEqual(namesLike('sales', known), ['sales']);
    assert.deepEqual(namesLike('SALES', known), ['Sales', 'sales']);
    assert.deepEqual(namesLike('e\u0301en', known), ['Éen']);
    assert.deepEqual(namesLike('sale', known), []);
  });

  it('are kept in composed characters', () => assert.equal(checkedName('workflow', 'e\u0301en'), '\u00e9en'));

  it('have no = where they name a field, of which --field NAME=VALUE tells the value', async () => {
    const failure = await failureOf(() => checkedName('field', 'a=b'));
    assertFailure(failure, { kind: 'usage', says: /cannot have =/ });
  });

  for (const name of ['Sales', 'Jan de Vries', '21%', 'a=b', '日本', '12', 'x'.repeat(64), 'deadbeef', '\u{1f35e}']) {
    it(`may be ${name}`, () => assert.equal(checkedName('workflow', name), name));
  }

  for (const name of [
    ...['', ' ', ' a', 'a ', 'a\nb', 'a\u0000b', 'a\u202eb', 'a\u200bb', '\ud800', '-a', '--workflow', 'x'.repeat(65)],
    ...[one, one.toUpperCase(), `{${one}}`, one.replaceAll('-', ''), one.slice(0, -1), `${one}0`, '00000000-0030-4000'],
  ]) {
    it(`cannot be ${JSON.stringify(name)}`, async () => {
      const failure = await failureOf(() => checkedName('workflow', name));
      assertFailure(failure, { kind: 'usage', says: /^a name has 1 to 64 visible characters/ });
    });
  }
});
