import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { known } from '../../src/sandbox/dataset/known.js';
import { place } from '../support/operations/place.js';
import type { Run } from '../support/relctl.js';

const field = '00000000-0041-4000-8000-000000000401';

describe('Names of records in rows of a file', () => {
  const here = place();
  const { relationshipId } = known;
  let other = '';
  const rename = (id: string, name: string): void =>
    here.execute(`UPDATE "PvRelationshipData" SET "DisplayName" = '${name}' WHERE "Id" = '${id}'`);
  const add = async (file: string, ...more: readonly string[]): Promise<Run> =>
    here.run([
      ...['relationship', 'add-line', '--from', file, '--entity-type', '00000000-0040-4000-8000-000000000004'],
      ...['--datastore', '00000000-0040-4000-8000-000000000021', '--yes', ...more],
    ]);
  const fileOf = (...names: readonly string[]): string => {
    const file = here.fresh('lines.csv');
    writeFileSync(file, [`id,${field}`, ...names.map((name, at) => `${name},text ${at}`), ''].join('\n'));
    return file;
  };
  const linesOf = (id: string): number =>
    Number(here.rows('SELECT count(*) FROM "PvLineData" WHERE "RelationshipId" = ?', id)[0]?.[0]);

  before(async () => {
    other = String(here.rows('SELECT "Id" FROM "PvRelationshipData" WHERE "Id" <> ? LIMIT 1', relationshipId)[0]?.[0]);
    rename(relationshipId, 'Jo\u00eblle Veen');
    rename(other, 'Twins');
    assert.equal((await here.run(['mirror', 'sync', 'relationships'])).code, 0);
  });

  it('are taken with --by-name alone, in any form of their characters, and mean one record', async () => {
    const before = [linesOf(relationshipId), linesOf(other)];
    const file = fileOf('Jo\u00eblle Veen', 'Joe\u0308lle Veen', 'Twins', relationshipId);
    const without = await add(file);
    assert.deepEqual([without.code, without.stdout], [2, '']);
    assert.match(without.stderr, /lines\.csv:2:id: .* takes a name for an Id only with --by-name\n/);
    assert.deepEqual([linesOf(relationshipId), linesOf(other)], before);
    const { code, stderr } = await add(file, '--by-name');
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual([linesOf(relationshipId), linesOf(other)], [(before[0] ?? 0) + 3, (before[1] ?? 0) + 1]);
    const keys = readFileSync(`${file}.results.csv`, 'utf8').split('\n').slice(1, -1);
    assert.deepEqual(
      keys.map((line) => line.split(',')[1]),
      [relationshipId, relationshipId, other, relationshipId],
    );
  });

  it('are mistakes with their places and what they may mean, and nothing is sent', async () => {
    const before = linesOf(relationshipId);
    const { code, stdout, stderr } = await add(fileOf('Jo\u00eblle Veen', 'Nobody', 'JO\u00cbLLE veen'), '--by-name');
    assert.deepEqual([code, stdout, linesOf(relationshipId)], [2, '', before]);
    assert.match(stderr, /lines\.csv:3:id: 'Nobody' is no GUID, and no DisplayName of a relationship in the mirror/);
    const type = '00000000-0040-4000-8000-000000000011';
    assert.equal((await here.run(['mirror', 'add', 'activities', '--entity-type', type])).code, 0);
    assert.equal((await here.run(['mirror', 'sync', 'activities'])).code, 0);
    const file = here.fresh('numbers.csv');
    writeFileSync(file, `id,${field}\nX-1,text\n`);
    const activity = await here.run(['activity', 'update', '--from', file, '--yes', '--by-name']);
    assert.match(activity.stderr, /numbers\.csv:2:id: 'X-1' is no GUID, and no Number of an activity in the mirror/);
    const meant = new RegExp(`lines\\.csv:4:id: .*in a file the case of letters counts: ${relationshipId} \\(.*Veen`);
    assert.match(stderr, meant);
    rename(other, 'Jo\u00eblle Veen');
    await here.run(['mirror', 'sync', 'relationships']);
    const twins = await add(fileOf('Jo\u00eblle Veen'), '--by-name');
    assert.deepEqual([twins.code, linesOf(relationshipId)], [2, before]);
    assert.match(twins.stderr, /lines\.csv:2:id: '.*' is the name of 2 records in the mirror, .*: /);
    for (const id of [relationshipId, other]) assert.ok(twins.stderr.includes(`${id} (DisplayName`), twins.stderr);
  });
});
