import assert from 'node:assert/strict';
import { lots as lotsOf } from '../../support/cases.js';
import { mount } from '../../support/world/disk.js';
import { columns, fileOf, exports } from '../../support/world/exports.js';
import { ExportsService } from '../../support/world/export-service.js';
import { playSchedules, dropLocks } from '../../support/world/schedule.js';
import { World } from '../../support/world/program.js';

const plays = (seed: number): Promise<void> => playSchedules(exports, { first: seed, most: 1 });

describe('An export, in a world of a service, a network, a disk and time', () => {
  // For longer: test/long/world.test.ts.
  it('is a whole file or none, each row once, whatever is killed, torn, lost or changed', () =>
    playSchedules(exports, { first: 1001, most: 8 }));

  // What was not synced may be there in part, and its journal before it: the hash of each page tells how far the file is sound.
  it('goes on behind what the power left of its file, wherever a run was killed before', async () => {
    const lots = lotsOf(2);
    const facts = { moves: 'none', count: 12, mostOnPage: 1000 } as const;
    const service = new ExportsService(facts, { lots, tell: () => undefined });
    const world = new World(lots, service);
    for (const path of [`${mount}/data`, `${mount}/config`]) world.disk.mkdirSync(path);
    const file = `${mount}/data/relations.ndjson`;
    const words = ['relation', 'list', '--output-file', file, '--columns', columns.join(','), '--page-size', '1'];
    const expected = fileOf('ndjson', service.rows);
    let goneOn = 0;
    await world.within(async () => {
      // Before, nothing was read; behind, all was.
      for (let call = 44, isKilled = true; isKilled && call < 75; call += 1) {
        isKilled = (await world.run([...words, '--restart'], { killedAtCall: call })).end === 'killed';
        world.disk.restart();
        world.disk.losePower(lots);
        // What is on its way still comes.
        world.time.pass(2000);
        dropLocks(world.disk);
        service.asked.length = 0;
        const { end, stderr } = await world.run([...words, '--resume']);
        assert.equal(end, 0, `after a kill at call ${call}: ${stderr}`);
        if ((service.asked[0] ?? 1) > 1) goneOn += 1;
        assert.equal(world.disk.files().get(file), expected, `after a kill at call ${call}`);
      }
    });
    assert.ok(goneOn > 10, `${goneOn} runs went on`);
  });

  it('goes on without --force when it was killed behind its rename', () => plays(47));

  it('is a document of JSON when it was interrupted before its first row', () => plays(129));

  // A table is not gone on with, and has no journal that would tell of the rename.
  it('of a format that is not gone on with does so too, at whichever call it is killed', async () => {
    const lots = lotsOf(1);
    const service = new ExportsService({ moves: 'none', count: 3, mostOnPage: 1000 }, { lots, tell: () => undefined });
    const world = new World(lots, service);
    for (const path of [`${mount}/data`, `${mount}/config`]) world.disk.mkdirSync(path);
    const words = ['relation', 'list', '-o', 'table', '--output-file', `${mount}/data/relations.txt`];
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
