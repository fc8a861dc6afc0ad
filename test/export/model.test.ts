import assert from 'node:assert/strict';
import { lots as lotsOf } from '../support/lots.js';
import { mount } from '../support/world/disk.js';
import { ExportsService } from '../support/world/exports/service.js';
import { exports } from '../support/world/exports/play.js';
import { playSchedules } from '../support/world/play.js';
import { World } from '../support/world/program.js';

const plays = (seed: number): Promise<void> => playSchedules(exports, { first: seed, most: 1 });

describe('An export, in a world of a service, a network, a disk and time', () => {
  // For longer: test/long/world.test.ts.
  it('is a whole file or none, each row once, whatever is killed, torn, lost or changed', () =>
    playSchedules(exports, { first: 1001, most: 40 }));

  it('goes on without --force when it was killed behind its rename', () => plays(47));

  it('is a document of JSON when it was interrupted before its first row', () => plays(129));

  // A table is not gone on with, and has no journal that would tell of the rename.
  it('of a format that is not gone on with does so too, at whichever call it is killed', async () => {
    const lots = lotsOf(1);
    const service = new ExportsService({ moves: 'none', count: 3, mostOnPage: 1000 }, { lots, tell: () => undefined });
    const world = new World(lots, service);
    for (const path of [`${mount}/work`, `${mount}/config`]) world.disk.mkdirSync(path);
    const words = ['relation', 'list', '-o', 'table', '--output-file', `${mount}/work/relations.txt`];
    let kills = 0;
    await world.within(async () => {
      for (let isKilled = true; isKilled; kills += 1) {
        isKilled = (await world.run(words, { killedAtCall: kills + 1 })).end === 'killed';
        world.disk.restart();
        const { end, stderr } = await world.run(words);
        assert.equal(end, 0, `after a kill at call ${kills + 1}: ${stderr}`);
      }
    });
    assert.ok(kills > 20, `${kills} kills`);
  });
});
