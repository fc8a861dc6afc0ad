import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { place } from '../../support/operations/place.js';
import { ends, type Run } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';

const field = '00000000-0041-4000-8000-000000000401';
const [first, second] = ['00000000-0011-4000-8000-000000000002', '00000000-0011-4000-8000-000000000003'];
const nobody = '00000000-0011-4000-8000-0000000fffff';
const unknownActivity = '00000000-0020-4000-8000-0000000fffff';

describe('Ids in the rows of a file', () => {
  const here = place();
  const file = (ids: readonly string[]): string => {
    const path = here.fresh('lines.csv');
    writeFileSync(path, `id,${field}\n${ids.map((id) => `${id},Rekenen\n`).join('')}`);
    return path;
  };
  const add = (path: string, ...more: readonly string[]): Promise<Run> =>
    here.run([
      ...['relationship', 'add-line', '--file', path, '--entity-type', '00000000-0040-4000-8000-000000000004'],
      ...['--datastore', '00000000-0040-4000-8000-000000000021', '--yes', ...more],
    ]);
  const sync = async (...words: readonly string[]): Promise<void> => {
    await ends(here.run(['mirror', 'sync', ...words]), 0);
  };

  it('are sent as they are where the profile has no mirror, or one without such records', async () => {
    assert.equal((await add(file([nobody]), '--dry-run')).code, 0);
    await sync('marks');
    assert.equal((await add(file([nobody]), '--dry-run')).code, 0);
  });

  it('are mistakes, with their places, where a mirror does not have them; nothing is sent', async () => {
    await sync('relationships');
    const before = here.digest();
    const path = file([first, nobody, second.toUpperCase()]);
    await ends(
      add(path),
      2,
      /lines\.csv:3:id: no relationship of the mirror, synced \d+ \w+ ago, has this Id: --max-age 0s syncs the mirror again, --set checkIds=no skips the check\nError: 1 of 3 rows have mistakes; nothing was sent/,
    );
    assert.equal(here.digest(), before);
    await ends(add(path, '--dry-run'), 2, /lines\.csv:3:id: /);
  });

  it('are left out by --skip-invalid, with the reason in the results', async () => {
    const path = file([first, nobody]);
    assert.equal((await add(path, '--skip-invalid')).code, 8);
    const [, one = '', two = ''] = readFileSync(`${path}.results.csv`, 'utf8').split('\r\n');
    assert.match(one, /^2,[^,]*,done,/);
    assert.match(two, /^3,[^,]*,not sent,,,"id: no relationship of the mirror, /);
  });

  it('of records that came since are known after a sync by --max-age, and of those that went are not', async () => {
    await sync('relationships');
    const table = '"PvRelationshipData"';
    here.execute(`UPDATE ${table} SET "Id" = '${nobody}' WHERE "Id" = '${second}'`);
    try {
      await ends(add(file([nobody]), '--dry-run'), 2);
      await ends(add(file([nobody, first]), '--max-age', '0s'), 0);
      await ends(add(file([second]), '--dry-run'), 2);
    } finally {
      here.execute(`UPDATE ${table} SET "Id" = '${second}' WHERE "Id" = '${nobody}'`);
    }
  });

  it('of activities are compared where the mirror has activities', async () => {
    const path = here.fresh('activities.csv');
    writeFileSync(path, `id,product,quantity\n${unknownActivity},00001,1\n`);
    const lines = ['activity', 'add-line', '--file', path, '--dry-run'];
    assert.equal((await here.run(lines)).code, 0);
    await ends(here.run(argv`mirror add activities --entity-type 00000000-0040-4000-8000-000000000011`), 0);
    // Before its first sync nobody knows which there are.
    assert.equal((await here.run(lines)).code, 0);
    await sync('activities');
    await ends(here.run(lines), 2, /activities\.csv:2:id: no activity of the mirror, /);
  });

  it('are sent with a note where the mirror cannot be read', async () => {
    const { XDG_STATE_HOME: state = join(here.folder, '.local', 'state') } = here.env;
    const mirror = join(state, 'relctl', 'mirrors', 'local.db');
    const bytes = readFileSync(mirror);
    writeFileSync(mirror, 'no mirror');
    try {
      await ends(add(file([first]), '--dry-run'), 0, /relctl did not compare Ids with the mirror: /);
    } finally {
      writeFileSync(mirror, bytes);
    }
  });
});
