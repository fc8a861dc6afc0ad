import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSandbox } from '../../../src/sandbox/sandbox.js';
import { removeStore } from '../../../src/sandbox/store/create.js';
import { schemaVersion } from '../../../src/sandbox/store/schema.js';
import { openStore } from '../../../src/sandbox/store/open.js';
import { relationsIn, temporaryFolder } from '../../support/sandbox/temporary.js';

describe('The database of the sandbox', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  const place = (name: string): string => join(folder.path, name, 'sandbox.db');

  it('clears away what a killed run left long ago, and leaves what another is making now', async () => {
    const file = place('abandoned');
    // Of processes of a machine that nobody sees.
    const names = ['older1', 'newer2', 'longer'].map((end) => `.relctl-sandbox-1-0123456789abcdef-${end}`);
    const [old = '', fresh = '', long = ''] = names.map((name) => join(folder.path, 'abandoned', name));
    mkdirSync(old, { recursive: true });
    mkdirSync(fresh);
    // Made long ago, and written to until now: the making of millions takes hours.
    mkdirSync(long);
    writeFileSync(join(long, 'database'), '');
    utimesSync(long, new Date('2020-01-01'), new Date('2020-01-01'));
    utimesSync(old, new Date('2020-01-01'), new Date('2020-01-01'));
    assert.equal(await relationsIn(file), 250);
    const left = readdirSync(join(folder.path, 'abandoned'));
    assert.deepEqual(
      names.map((name) => left.includes(name)),
      [false, true, true],
    );
  });

  it('lives on: what is there is taken as it is, whatever size is asked for', async () => {
    const file = place('kept');
    const first = await openSandbox({ file, relations: 5, seed: 9 });
    first.store.execute(`UPDATE "PvRelationData" SET "DisplayName" = 'changed' WHERE seq = 1`);
    first.close();
    const second = await openSandbox({ file, relations: 100 });
    assert.deepEqual(second.dataset, { relations: 5, seed: 9 });
    assert.deepEqual(second.store.statement('SELECT "DisplayName" FROM "PvRelationData" WHERE seq = 1').first(), [
      'changed',
    ]);
    second.close();
  });

  it('can be read by its owner only', async () => {
    const file = place('mode');
    (await openSandbox({ file, relations: 3 })).close();
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it('of another version is refused with a way out', async () => {
    const file = place('version');
    (await openSandbox({ file, relations: 3 })).close();
    const store = openStore(file);
    store.execute('PRAGMA user_version = 999');
    store.close();
    await assert.rejects(openSandbox({ file }), {
      kind: 'local',
      message: `The sandbox database ${file} is of another version (999, not ${schemaVersion()}).`,
      hint: 'relctl sandbox reset',
    });
  });

  it('that is no database is refused and left alone', async () => {
    const file = join(folder.path, 'letter.txt');
    writeFileSync(file, 'Dear reader, this is not a database. '.repeat(50));
    await assert.rejects(openSandbox({ file }), { kind: 'local', facts: { path: file, foreignCode: 'SQLITE_NOTADB' } });
    assert.equal(statSync(file).size, 1850);
  });

  it('in a place that cannot be written is refused with the reason', async () => {
    const file = join(folder.path, 'letter.txt', 'below', 'sandbox.db');
    await assert.rejects(openSandbox({ file }), {
      kind: 'local',
      message: `relctl cannot create the sandbox database ${file}: ENOTDIR.`,
    });
  });

  it('is made anew after it was removed', async () => {
    const file = place('removed');
    (await openSandbox({ file, relations: 3 })).close();
    removeStore(file);
    assert.deepEqual(readdirSync(join(folder.path, 'removed')), []);
    assert.equal(await relationsIn(file), 250);
  });

  it('waits for another process that writes, and loses nothing', async () => {
    const file = place('busy');
    const sandbox = await openSandbox({ file, relations: 3 });
    const other = openStore(file);
    sandbox.store.write(() => {
      sandbox.store.execute(`UPDATE "PvRelationData" SET "Info" = 'one' WHERE seq = 1`);
      assert.deepEqual(other.statement('SELECT count(*) FROM "PvRelationData" WHERE "Info" = ?').first('one'), [0]);
    });
    other.write(() => other.execute(`UPDATE "PvRelationData" SET "ImportKey" = 'two' WHERE seq = 1`));
    assert.deepEqual(
      sandbox.store.statement('SELECT "Info", "ImportKey" FROM "PvRelationData" WHERE seq = 1').first(),
      ['one', 'two'],
    );
    other.close();
    sandbox.close();
  });

  it('undoes a transaction that fails', async () => {
    const sandbox = await openSandbox({ file: place('undo'), relations: 3 });
    const { store } = sandbox;
    assert.throws(
      () =>
        store.write(() => {
          store.execute('DELETE FROM "PvRelationData"');
          throw new Error('stop');
        }),
      { message: 'stop' },
    );
    assert.deepEqual(store.statement('SELECT count(*) FROM "PvRelationData"').first(), [3]);
    sandbox.close();
  });
});
