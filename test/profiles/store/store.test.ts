import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { openStore, sandboxName, environmentName } from '../../../src/profiles/store/store.js';
import { assertFailure, place, type Place } from '../../support/profiles/place.js';
import { failureOf } from '../../support/thrown.js';
import { skip } from '../../support/skip.js';

const secret = 'S3cretCanary';
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('The store', () => {
  let here: Place;
  beforeEach(() => (here = place()));
  afterEach(() => here.remove());
  const folder = (): string => here.at('config/relctl');
  const file = (): string => here.at('config/relctl/config.json');
  const open = (): ReturnType<typeof openStore> => openStore(folder());

  it('adds, reads, changes, uses and removes profiles', async () => {
    const store = open();
    await store.add('one', { baseUrl: 'https://one.example', pageSize: 10, password: 'env:PW', protected: true });
    await store.add('two', {});
    assert.deepEqual([store.names(), store.current()], [['one', 'two'], undefined]);
    assert.deepEqual(store.get('one'), {
      baseUrl: 'https://one.example',
      pageSize: 10,
      password: 'env:PW',
      protected: true,
    });
    await store.use('one');
    await store.update('one', () => ({ pageSize: 20, password: null, retries: 0 }));
    assert.equal(open().current(), 'one');
    assert.deepEqual(open().get('one'), { baseUrl: 'https://one.example', pageSize: 20, protected: true, retries: 0 });
    await store.remove('two');
    assert.deepEqual([store.names(), store.current()], [['one'], 'one']);
    await store.remove('one');
    assert.deepEqual([store.names(), store.current()], [[], undefined]);
  });

  it('makes nothing by looking', () => {
    const store = open();
    assert.deepEqual([store.names(), store.current(), store.file], [[], undefined, file()]);
    assert.throws(() => store.get('one'));
    assert.ok(!existsSync(here.at('config')));
  });

  it('keeps a file that only its owner can read, in such a folder, whatever the umask, and nothing beside it', async () => {
    const before = process.umask(0);
    try {
      await open().add('one', { password: secret });
      await open().update('one', () => ({ pageSize: 5 }));
      await open().use('one');
    } finally {
      process.umask(before);
    }
    assert.deepEqual([modeOf(folder()), modeOf(file())], ['700', '600']);
    assert.deepEqual(readdirSync(folder()), ['config.json']);
  });

  it('closes a folder that others could enter', async () => {
    mkdirSync(folder(), { recursive: true });
    chmodSync(folder(), 0o777);
    await open().add('one', {});
    assert.equal(modeOf(folder()), '700');
  });

  it('leaves a folder for everybody as it is', async function () {
    if (process.platform === 'win32') skip(this, 'Windows has no modes of files');
    mkdirSync(folder(), { recursive: true });
    chmodSync(folder(), 0o1777);
    await open().add('one', {});
    assert.deepEqual([statSync(folder()).mode & 0o7777, modeOf(file()), open().names()], [0o1777, '600', ['one']]);
  });

  it('keeps names with dots and what else looks like a path as they are', async () => {
    const names = ['prod.eu', 'prod.us', 'a.b.c', 'x@y', 'toString', 'hasOwnProperty', '0', 'A-_.', 'n'.repeat(64)];
    for (const name of names) await open().add(name, { userName: name });
    assert.deepEqual([...open().names()].sort(), [...names].sort());
    for (const name of names) assert.deepEqual(open().get(name), { userName: name });
    await open().update('prod.eu', () => ({ pageSize: 5 }));
    assert.deepEqual(
      [open().get('prod.eu'), open().get('prod.us')],
      [{ userName: 'prod.eu', pageSize: 5 }, { userName: 'prod.us' }],
    );
  });

  for (const name of [
    ...['', '.a', '-p', '_a', '../x', 'a/b', 'a\\b', 'a b', 'é', '😀', 'a\u001b[2J', 'a\n', '__proto__'],
    'n'.repeat(65),
  ]) {
    it(`takes no profile named ${JSON.stringify(name).slice(0, 20)}`, async () => {
      assertFailure(await failureOf(() => open().add(name, {})), { kind: 'usage', says: /^a profile name must have/ });
      assert.deepEqual(open().names(), []);
    });
  }

  for (const name of [sandboxName, environmentName, 'constructor', 'prototype']) {
    it(`keeps the name ${name} for itself`, async () => {
      assertFailure(await failureOf(() => open().add(name, {})), { kind: 'usage', says: /is reserved/ });
    });
  }

  it('lets the built-in profile be used', async () => {
    await open().use(sandboxName);
    assert.equal(open().current(), sandboxName);
  });

  it('adds no profile twice', async () => {
    await open().add('one', { pageSize: 1 });
    const error = await failureOf(() => open().add('one', { pageSize: 2 }));
    assertFailure(error, { kind: 'usage', says: /profile 'one' already exists/ });
    assert.equal(error.hint, 'relctl profile edit one');
    assert.deepEqual(open().get('one'), { pageSize: 1 });
  });

  it('names the nearest profile for one that is not there, and changes nothing', async () => {
    await open().add('production', {});
    const before = readFileSync(file(), 'utf8');
    const attempts = [
      () => open().get('prodction'),
      () => open().update('prodction', () => ({ pageSize: 1 })),
      () => open().remove('prodction'),
      () => open().use('prodction'),
    ];
    for (const attempt of attempts) {
      const error = await failureOf(attempt);
      assertFailure(error, { kind: 'profile', says: /^there is no profile 'prodction'$/ });
      assert.deepEqual(error.correction?.meant, 'production');
    }
    assert.equal((await failureOf(() => open().get('other'))).hint, 'relctl profile list');
    assert.equal((await failureOf(() => open().get('constructor'))).kind, 'profile');
    assert.equal(readFileSync(file(), 'utf8'), before);
  });

  it('keeps what it does not know, in the file and in a profile, through every change', async () => {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    const later = { seen: [1, { a: null }], 'dotted.key': true };
    const content = { later, version: 1, profiles: { old: { pageSize: 1, later }, __proto__x: {} }, current: 'old' };
    here.put('config/relctl/config.json', JSON.stringify(content));
    await open().update('old', () => ({ pageSize: 2 }));
    await open().add('new', { retries: 1 });
    await open().use('new');
    await open().remove('new');
    const { current, ...rest } = content;
    assert.equal(current, 'old');
    assert.deepEqual(JSON.parse(readFileSync(file(), 'utf8')), {
      ...rest,
      profiles: { ...content.profiles, old: { pageSize: 2, later } },
    });
  });

  it('neither changes nor shows a damaged file, whatever is asked of it', async () => {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    const damaged = `{"version":1,"profiles":{"one":{"password":"${secret}"`;
    here.put('config/relctl/config.json', damaged);
    const attempts = [
      () => open().names(),
      () => open().current(),
      () => open().get('one'),
      () => open().add('two', {}),
      () => open().update('one', () => ({ pageSize: 1 })),
      () => open().remove('one'),
      () => open().use('one'),
    ];
    for (const attempt of attempts) {
      const error = await failureOf(attempt);
      assertFailure(error, {
        kind: 'profile',
        says: /is damaged: it is not JSON in UTF-8; relctl did not change it/,
        hides: [secret],
      });
      assert.match(error.advice ?? '', /move it away/);
    }
    assert.equal(readFileSync(file(), 'utf8'), damaged);
    assert.deepEqual(readdirSync(folder()), ['config.json']);
  });

  it('writes to the file at the end of a link, which stays', async () => {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    mkdirSync(here.at('dotfiles'), { mode: 0o700 });
    const target = here.put('dotfiles/relctl', '{"version":1,"profiles":{}}');
    symlinkSync(target, file());
    writeFileSync(`${target}.tmp-1234567890abcdef`, 'left by a run that was killed');
    await open().add('one', {});
    assert.deepEqual(open().names(), ['one']);
    assert.equal(readlinkSync(file()), target);
    assert.match(readFileSync(target, 'utf8'), /"one"/);
    assert.equal(statSync(target).mode & 0o777, process.platform === 'win32' ? 0o666 : 0o600);
    assert.deepEqual(readdirSync(here.at('dotfiles')), ['relctl']);
  });

  it('takes a folder that is a link, and no link that leads nowhere', async () => {
    mkdirSync(here.at('real'), { mode: 0o700 });
    mkdirSync(here.at('config'), { mode: 0o700 });
    symlinkSync(here.at('real'), folder());
    await open().add('one', {});
    assert.deepEqual(readdirSync(here.at('real')), ['config.json']);
    const other = openStore(here.at('config'));
    symlinkSync(here.at('nowhere'), other.file);
    assertFailure(await failureOf(() => other.add('one', {})), {
      kind: 'profile',
      says: /is a broken link/,
    });
    assert.equal(readlinkSync(other.file), here.at('nowhere'));
  });

  it('says that it cannot write, with the reason, when something is in the way of its folder', async () => {
    here.put('config', 'a file');
    const error = await failureOf(() => open().add('one', { password: secret }));
    assertFailure(error, {
      kind: 'local',
      says: /cannot be written: (?:part of the path is not a folder|it already exists)$/,
      hides: [secret],
    });
    assert.equal(error.exitCode, 10);
  });

  it('loses nothing of many changes at once within one program', async () => {
    const store = open();
    await Promise.all(Array.from({ length: 10 }, (_, index) => store.add(`p${index}`, {})));
    assert.equal(store.names().length, 10);
  });
});
