import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/profiles/store/store.js';
import { child, endOf, place, type Place } from '../support/profiles/place.js';
import { saidBy, startMaker, temporaryFolder } from '../support/sandbox/temporary.js';

describe('The store of profiles', () => {
  const here: Place = place();
  after(() => here.remove());
  const folder = (): string => here.at('config/relctl');
  const open = (): ReturnType<typeof openStore> => openStore(folder());

  it('loses nothing of six programs that write at once', async () => {
    const adds = "await room.openStore(args[0]).add('p' + args[1], { userName: 'user ' + args[1] });";
    const ends = Array.from({ length: 6 }, (_, index) => endOf(child(adds, 'store', folder(), String(index))));
    assert.deepEqual(
      await Promise.all(ends),
      Array.from({ length: 6 }, () => 0),
    );
    const store = open();
    assert.deepEqual([...store.names()].sort(), Array.from({ length: 6 }, (_, index) => `p${index}`).sort());
    for (const name of store.names()) assert.deepEqual(store.get(name), { userName: `user ${name.slice(1)}` });
    assert.deepEqual(readdirSync(folder()), ['config.json']);
  });
});

describe('A lock', () => {
  const here: Place = place();
  after(() => here.remove());
  const file = here.at('lock');

  it('lets one in at a time whoever sweeps', async () => {
    const script = `
      let inside = 0;
      for (let round = 0; round < 40; round += 1) {
        const release = await room.takeLock(args[0], { patienceMs: 60_000 });
        const { writeFileSync, rmSync } = await import('node:fs');
        writeFileSync(args[0] + '.inside', '', { flag: 'wx' });
        rmSync(args[0] + '.inside');
        release();
      }`;
    const ends = await Promise.all(Array.from({ length: 6 }, () => endOf(child(script, 'lock', file))));
    assert.deepEqual(ends, [0, 0, 0, 0, 0, 0]);
  });
});

describe('The database of the sandbox', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('is made whole by five processes that start at once, and read by all', async () => {
    const file = join(folder.path, 'five', 'sandbox.db');
    const all = await Promise.all(Array.from({ length: 5 }, () => saidBy(startMaker(file, 250))));
    assert.deepEqual(new Set(all), new Set(['started\nrelations 250\n']));
    assert.deepEqual(
      readdirSync(join(folder.path, 'five')).filter((name) => name.startsWith('.')),
      [],
    );
  });
});
