import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openSandbox } from '../../src/sandbox/sandbox.js';
import { relationsIn, saidBy, startMaker, temporaryFolder } from '../support/sandbox/temporary.js';

describe('The database of the sandbox, with several processes', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  const place = (name: string): string => join(folder.path, name, 'sandbox.db');

  it('is shared with other processes from its first use on, by the process that made it too', async () => {
    const file = place('shared');
    const sandbox = await openSandbox({ file, relations: 20 });
    try {
      sandbox.store.execute('DELETE FROM "PvRelationData" WHERE seq = 20');
      assert.equal(await saidBy(startMaker(file, 250)), 'started\nrelations 19\n');
      sandbox.store.execute('DELETE FROM "PvRelationData" WHERE seq = 19');
      assert.equal(await saidBy(startMaker(file, 250)), 'started\nrelations 18\n');
    } finally {
      sandbox.close();
    }
  });

  it('is whole or not there after a kill in the middle of making it', async () => {
    const file = place('killed');
    const child = startMaker(file, 200_000);
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
});

function readable(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
