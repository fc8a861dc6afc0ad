import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { openStore } from '../../src/profiles/store/store.js';
import { child, endOf, place, type Place } from '../support/profiles/place.js';

describe('The store of profiles, with several programs', () => {
  let here: Place;
  beforeEach(() => (here = place()));
  afterEach(() => here.remove());
  const folder = (): string => here.at('config/relctl');
  const open = (): ReturnType<typeof openStore> => openStore(folder());

  it('loses nothing when they find the lock of one that was killed', async () => {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    const holds = `await room.withLock(args[0], () => { process.stdout.write('held'); return new Promise((done) => setTimeout(done, 60_000)); });`;
    const killed = child(holds, 'lock', here.at('config/relctl/config.lock'));
    const end = endOf(killed);
    await new Promise((resolve) => killed.stdout?.once('data', resolve));
    killed.kill('SIGKILL');
    await end;
    assert.deepEqual(readdirSync(folder()), ['config.lock']);
    const adds = `for (let turn = 0; turn < 3; turn += 1) await room.openStore(args[0]).add('p' + args[1] + '.' + turn, {});`;
    const ends = Array.from({ length: 5 }, (_, index) => endOf(child(adds, 'store', folder(), String(index))));
    assert.deepEqual(
      await Promise.all(ends),
      Array.from({ length: 5 }, () => 0),
    );
    assert.equal(open().names().length, 15);
    assert.deepEqual(readdirSync(folder()), ['config.json']);
  });
});
