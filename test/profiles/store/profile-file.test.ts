import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { checkAccess, emptyFile, readProfileFile } from '../../../src/profiles/store/profile-file.js';
import { assertFailure, place } from '../../support/profiles/place.js';
import { failureOf } from '../../support/thrown.js';
import { skip } from '../../support/skip.js';

const secret = 'S3cretCanary';
const whole = JSON.stringify(
  { version: 1, current: 'a', profiles: { a: { password: secret, pageSize: 10 } } },
  null,
  2,
);

describe('readProfileFile', () => {
  const here = place();
  after(() => here.remove());

  it('takes a file that is not there for an empty store, and makes none', () => {
    assert.deepEqual(readProfileFile(here.at('none.json')), emptyFile);
    assert.deepEqual(readProfileFile(here.at('none/none.json')), emptyFile);
    assert.ok(!existsSync(here.at('none.json')));
  });

  it('reads what is there, with what it does not know', () => {
    const content = { version: 1, later: { x: 1 }, profiles: { 'prod.eu': { pageSize: 10, fromTheFuture: [1] } } };
    assert.deepEqual(readProfileFile(here.put('a.json', JSON.stringify(content))), content);
  });

  it('passes over a byte order mark, which editors of Windows write', () => {
    assert.deepEqual(readProfileFile(here.put('mark.json', `\ufeff${whole}`)), JSON.parse(whole));
  });

  it('gives objects without a poisoned prototype', () => {
    const read = readProfileFile(here.put('b.json', '{"version":1,"profiles":{"__proto__":{"pageSize":5}}}'));
    assert.deepEqual(Object.keys(read.profiles), ['__proto__']);
    assert.equal(({} as Record<string, unknown>)['pageSize'], undefined);
  });

  const damage: readonly (readonly [what: string, content: string | Uint8Array, says: RegExp])[] = [
    ['an empty file', '', /is damaged: it is not JSON in UTF-8/],
    ['a file that was cut off', whole.slice(0, -20), /is damaged: it is not JSON in UTF-8/],
    ['something behind the end', `${whole}\n}`, /is damaged: it is not JSON in UTF-8/],
    ['a word that is no JSON', whole.replace('10', secret), /is damaged: it is not JSON in UTF-8/],
    ['a comma too many', whole.replace('10', '10,'), /is damaged: it is not JSON in UTF-8/],
    ['UTF-16', Buffer.from(`\ufeff${whole}`, 'utf16le'), /is damaged: it is not JSON in UTF-8/],
    [
      'a byte that is not UTF-8',
      Buffer.from(whole.replace('10', '"\u00e9"'), 'latin1'),
      /is damaged: it is not JSON in UTF-8/,
    ],
    ['a list', `["${secret}"]`, /does not contain profiles/],
    ['a text', `"${secret}"`, /does not contain profiles/],
    ['no profiles', `{"version":1,"password":"${secret}"}`, /does not contain profiles/],
    ['profiles that are a list', `{"version":1,"profiles":["${secret}"]}`, /does not contain profiles/],
    ['a profile that is a text', `{"version":1,"profiles":{"a":"${secret}"}}`, /does not contain profiles/],
    ['a current profile that is no name', `{"version":1,"current":5,"profiles":{}}`, /does not contain profiles/],
    ['another version', `{"version":2,"profiles":{"a":{"password":"${secret}"}}}`, /another version of relctl/],
    ['no version', `{"profiles":{"a":{"password":"${secret}"}}}`, /another version of relctl/],
  ];
  for (const [what, content, says] of damage) {
    it(`refuses ${what}, shows nothing of it and leaves it as it is`, async () => {
      const file = here.put('damaged.json', content);
      const before = readFileSync(file);
      const error = await failureOf(() => readProfileFile(file));
      assertFailure(error, { kind: 'profile', says, hides: [secret] });
      assert.match(error.message, /did not change it$/);
      assert.ok(error.message.includes(file));
      assert.deepEqual([error.facts.path, error.exitCode], [file, 3]);
      assert.deepEqual(readFileSync(file), before);
    });
  }

  it('refuses a file cut off anywhere, and shows nothing of it', async () => {
    for (let end = 0; end < whole.length; end += 1) {
      const file = here.put('cut.json', whole.slice(0, end));
      assertFailure(await failureOf(() => readProfileFile(file)), {
        kind: 'profile',
        says: /is damaged/,
        hides: [secret],
      });
    }
  });

  it('tells the way out of a damaged file', async () => {
    const error = await failureOf(() => readProfileFile(here.put('damaged.json', '{')));
    assert.match(error.advice ?? '', /move it away and add the profiles again/);
  });

  for (const mode of [0o644, 0o640, 0o604, 0o660, 0o666, 0o610]) {
    it(`refuses mode ${mode.toString(8)} and gives the command that mends it`, async function () {
      if (process.platform === 'win32') skip(this, 'Windows has no modes of files');
      const file = here.put('loose.json', whole);
      chmodSync(file, mode);
      const error = await failureOf(() => readProfileFile(file));
      assertFailure(error, { kind: 'profile', says: /can be read by other users/, hides: [secret] });
      assert.equal(error.hint, `chmod 600 ${file}`);
      chmodSync(file, 0o600);
      assert.equal(readProfileFile(file).current, 'a');
    });
  }

  it('refuses what is no regular file: a folder, a link to one, in a circle or to nothing', async () => {
    mkdirSync(here.at('folder'));
    symlinkSync(here.at('folder'), here.at('link'));
    symlinkSync(here.at('circle'), here.at('circle'));
    symlinkSync(here.at('nothing'), here.at('lost'));
    const says = {
      folder: /is not a regular file/,
      link: /is not a regular file/,
      circle: /is a circular link/,
      lost: /broken link/,
    };
    for (const [name, words] of Object.entries(says))
      assertFailure(await failureOf(() => readProfileFile(here.at(name))), { kind: 'profile', says: words });
  });

  it('reads the file at the end of links, as a Secret is mounted and dotfiles are kept', () => {
    mkdirSync(here.at('mount/..2026_11_29'), { recursive: true });
    here.put('mount/..2026_11_29/config.json', whole);
    chmodSync(here.at('mount/..2026_11_29/config.json'), 0o400);
    symlinkSync('..2026_11_29', here.at('mount/..data'));
    symlinkSync('..data/config.json', here.at('mount/config.json'));
    chmodSync(here.at('mount'), 0o1777);
    assert.equal(readProfileFile(here.at('mount/config.json')).current, 'a');
  });

  it('checks who can change the file at the end of a link, and who can change the link', async function () {
    if (process.platform === 'win32') skip(this, 'Windows has no modes of files');
    mkdirSync(here.at('open'));
    symlinkSync(here.put('open/target.json', whole), here.at('to-open.json'));
    symlinkSync(here.put('closed.json', whole), here.at('open/to-closed.json'));
    chmodSync(here.at('open'), 0o777);
    for (const name of ['to-open.json', 'open/to-closed.json'])
      assertFailure(await failureOf(() => readProfileFile(here.at(name))), {
        kind: 'profile',
        says: /can be replaced by other users/,
        hides: [secret],
      });
    symlinkSync(here.put('wide.json', whole), here.at('to-wide.json'));
    chmodSync(here.at('wide.json'), 0o644);
    assertFailure(await failureOf(() => readProfileFile(here.at('to-wide.json'))), {
      kind: 'profile',
      says: /can be read by other users/,
      hides: [secret],
    });
  });

  it('refuses a file larger than a megabyte without reading it', async () => {
    const file = here.put('large.json', ' '.repeat(2 ** 20 + 1));
    assertFailure(await failureOf(() => readProfileFile(file)), {
      kind: 'profile',
      says: /is larger than 1048576 bytes/,
    });
  });

  it('refuses a pipe without waiting for who writes it', async function () {
    if (process.platform === 'win32') skip(this, 'Windows has no named pipes in folders');
    execFileSync('mkfifo', ['-m', '600', here.at('pipe')]);
    assertFailure(await failureOf(() => readProfileFile(here.at('pipe'))), {
      kind: 'profile',
      says: /is not a regular file/,
    });
  });

  describe('in a folder', () => {
    for (const [mode, may] of [
      [0o700, 'nobody else'],
      [0o755, 'nobody else'],
      [0o1777, 'others, who cannot replace what is not theirs'],
    ] as const)
      it(`of mode ${mode.toString(8)} is read: ${may} may write there`, function () {
        if (process.platform === 'win32') skip(this, 'Windows has no modes of files');
        mkdirSync(here.at(`folder${mode}`));
        chmodSync(here.at(`folder${mode}`), mode);
        assert.equal(readProfileFile(here.put(`folder${mode}/config.json`, whole)).current, 'a');
      });

    for (const mode of [0o770, 0o775, 0o722, 0o777, 0o2775])
      it(`of mode ${mode.toString(8)} is refused, with the command that mends it`, async function () {
        if (process.platform === 'win32') skip(this, 'Windows has no modes of files');
        const folder = here.at(`open folder ${mode}`);
        mkdirSync(folder);
        chmodSync(folder, mode);
        const file = here.put(`open folder ${mode}/config.json`, whole);
        const error = await failureOf(() => readProfileFile(file));
        assertFailure(error, { kind: 'profile', says: /can be replaced by other users/, hides: [secret] });
        assert.equal(error.hint, `chmod go-w '${folder}'`);
        execFileSync('sh', ['-c', error.hint]);
        assert.equal(readProfileFile(file).current, 'a');
      });
  });

  describe('of another user', () => {
    const mine = { uid: 1000, gid: 1000, mode: 0o100600 };
    const folder = { uid: 1000, gid: 1000, mode: 0o40700 };
    const me = { uid: 1000, groups: [1000] };
    const root = { uid: 0, groups: [0] };
    const users: readonly (readonly [title: string, file: object, folder: object, runner: typeof me, says?: RegExp])[] =
      [
        ['is mine', {}, {}, me],
        ['is of root', { uid: 0 }, {}, me],
        ['is in a folder of root', {}, { uid: 0 }, me],
        ['is in a folder of root for everybody', {}, { uid: 0, mode: 0o41777 }, me],
        ['is of another', { uid: 1001 }, {}, me, /belongs to another user$/],
        ['is of another, and root runs it', {}, {}, root, /belongs to another user$/],
        ['is of root, and root runs it', { uid: 0 }, { uid: 0 }, root],
        ['is of root, for a group of mine to read', { uid: 0, mode: 0o100440 }, { uid: 0 }, me],
        ['is of root, for a group to write', { uid: 0, mode: 0o100460 }, { uid: 0 }, me, /can be read by other users$/],
        [
          'is of root, for a group that is not mine',
          { uid: 0, gid: 7, mode: 0o100440 },
          { uid: 0 },
          me,
          /can be read by other users$/,
        ],
        ['is in a folder of another', {}, { uid: 1001 }, me, /is in a folder of another user, \/c$/],
        [
          'is in a sticky folder of another',
          {},
          { uid: 1001, mode: 0o41777 },
          me,
          /is in a folder of another user, \/c$/,
        ],
        ['is of root in a folder of another, and root runs it', { uid: 0 }, {}, root, /is in a folder of another user/],
        ['is in a folder that its group may write', {}, { mode: 0o40770 }, me, /can be replaced by other users/],
      ];
    for (const [title, file, around, runner, says] of users)
      it(`${says === undefined ? 'is read' : 'is refused'} when it ${title}`, async () => {
        const check = (): void =>
          checkAccess('/c/config.json', { file: { ...mine, ...file }, folder: { ...folder, ...around } }, runner);
        if (says === undefined) check();
        else assertFailure(await failureOf(check), { kind: 'profile', says });
      });

    it('is refused though root could read it', async function () {
      if (process.getuid?.() !== 0) skip(this, 'only root can give files away');
      const file = here.put('given.json', whole);
      chownSync(file, 65_534, 65_534);
      assertFailure(await failureOf(() => readProfileFile(file)), {
        kind: 'profile',
        says: /another user/,
        hides: [secret],
      });
    });
  });
});
