import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSandbox } from '../../../src/sandbox/sandbox.js';
import { removeStore } from '../../../src/sandbox/store/create.js';
import { schemaVersion } from '../../../src/sandbox/store/schema.js';
import { openStore } from '../../../src/sandbox/store/open.js';
import { temporaryFolder } from '../../support/sandbox/temporary.js';

const maker = fileURLToPath(new URL('../../support/sandbox/store/maker.ts', import.meta.url));

function start(file: string, relations: number): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', maker, file, String(relations)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function finished(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  return text;
}

const relationsIn = async (file: string): Promise<number> => {
  const sandbox = await openSandbox({ file });
  const [check] = sandbox.store.statement('PRAGMA integrity_check').first() ?? [];
  assert.equal(check, 'ok');
  const [count] = sandbox.store.statement('SELECT count(*) FROM "PvRelationData"').first() ?? [];
  sandbox.close();
  return Number(count);
};

describe('The database of the sandbox', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  const place = (name: string): string => join(folder.path, name, 'sandbox.db');

  it('is made whole by twenty processes that start at once, and read by all', async () => {
    const file = place('twenty');
    const all = await Promise.all(Array.from({ length: 20 }, () => finished(start(file, 250))));
    assert.deepEqual(new Set(all), new Set(['started\nrelations 250\n']));
    assert.deepEqual(
      readdirSync(join(folder.path, 'twenty')).filter((name) => name.startsWith('.')),
      [],
    );
  });

  it('is shared with other processes from its first use on, by the process that made it too', async () => {
    const file = place('shared');
    const sandbox = await openSandbox({ file, relations: 20 });
    try {
      sandbox.store.execute('DELETE FROM "PvRelationData" WHERE seq = 20');
      assert.equal(await finished(start(file, 250)), 'started\nrelations 19\n');
      sandbox.store.execute('DELETE FROM "PvRelationData" WHERE seq = 19');
      assert.equal(await finished(start(file, 250)), 'started\nrelations 18\n');
    } finally {
      sandbox.close();
    }
  });

  it('is whole or not there after a kill in the middle of making it', async () => {
    const file = place('killed');
    const child = start(file, 200_000);
    const ended = new Promise((resolve) => child.once('close', resolve));
    // The first rows are on their way as soon as the folder of work is there.
    await new Promise<void>((resolve) => {
      const watch = setInterval(() => {
        const work = readable(join(folder.path, 'killed')).find((name) => name.startsWith('.relctl-sandbox-'));
        if (
          work === undefined ||
          (statSync(join(folder.path, 'killed', work, 'database'), { throwIfNoEntry: false })?.size ?? 0) < 100_000
        )
          return;
        clearInterval(watch);
        resolve();
      }, 5);
    });
    child.kill('SIGKILL');
    await ended;
    assert.deepEqual(
      readdirSync(join(folder.path, 'killed')).filter((name) => !name.startsWith('.')),
      [],
    );
    assert.equal(await relationsIn(file), 250);
    // What it left is gone at once: its maker, named in it, has ended.
    assert.deepEqual(
      readdirSync(join(folder.path, 'killed')).filter((name) => name.startsWith('.')),
      [],
    );
  });

  it('clears away what a killed run left long ago, and leaves what another is making now', async () => {
    const file = place('abandoned');
    const [old, fresh] = [
      join(folder.path, 'abandoned', '.relctl-sandbox-old'),
      join(folder.path, 'abandoned', '.relctl-sandbox-new'),
    ];
    mkdirSync(old, { recursive: true });
    mkdirSync(fresh);
    // Made long ago, and written to until now: the making of millions takes hours.
    const long = join(folder.path, 'abandoned', '.relctl-sandbox-long');
    mkdirSync(long);
    writeFileSync(join(long, 'database'), '');
    utimesSync(long, new Date('2020-01-01'), new Date('2020-01-01'));
    utimesSync(old, new Date('2020-01-01'), new Date('2020-01-01'));
    assert.equal(await relationsIn(file), 250);
    const left = readdirSync(join(folder.path, 'abandoned'));
    assert.ok(
      left.includes('.relctl-sandbox-new') &&
        left.includes('.relctl-sandbox-long') &&
        !left.includes('.relctl-sandbox-old'),
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
    await assert.rejects(openSandbox({ file }), { kind: 'local', facts: { path: file, code: 'SQLITE_NOTADB' } });
    assert.equal(statSync(file).size, 1850);
  });

  it('in a place that cannot be written is refused with the reason', async () => {
    const file = join(folder.path, 'letter.txt', 'below', 'sandbox.db');
    await assert.rejects(openSandbox({ file }), {
      kind: 'local',
      message: `The sandbox database ${file} cannot be made: ENOTDIR.`,
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

function readable(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
