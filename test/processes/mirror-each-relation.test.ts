import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase, type Row } from '../../src/state/sqlite/open.js';
import { callsIn, place } from '../support/operations/place.js';
import { ends, program } from '../support/relctl.js';
import { argv } from '../support/argv.js';

interface Line {
  readonly Rows: number;
  readonly Added: number;
  readonly Changed: number;
}

describe('A source that is asked for relation by relation', function () {
  const here = place();
  let mirror = '';
  const rows = (sql: string): readonly Row[] => {
    const database = openDatabase({ file: mirror, what: 'The mirror' });
    try {
      return database.statement(sql).all();
    } finally {
      database.close();
    }
  };
  const sync = async (table: string, ...more: readonly string[]): Promise<Line | undefined> =>
    (await here.json<readonly Line[]>(['mirror', 'sync', table, '--mirror', mirror, ...more]))[0];

  before(async () => {
    mirror = here.fresh('each.db');
    await sync('relations');
    for (const kind of ['marks', 'activities']) {
      await ends(here.run(['mirror', 'add', kind, '--by-relation', '--mirror', mirror]), 0);
    }
  });

  /** The records that a list of each relation prints, with the relation in front. */
  async function listed(command: string): Promise<readonly string[]> {
    const file = here.fresh('ids.txt');
    writeFileSync(file, rows('SELECT "Id" FROM "relations"').flat().join('\n'));
    const { stdout } = await here.run(['relation', command, '--ids', file, '-o', 'ndjson']);
    // The relation stands beside its marks, and is no part of them.
    const own = (line: string): string => line.replace(/,"Relation":\{.*\}\}$/, '}');
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map(own)
      .sort();
  }

  function mirrored(table: string): readonly string[] {
    const all = rows(`SELECT "RelationId", "_record" FROM "${table}"`);
    return all.map(([id, record]) => `{"_relationId":${JSON.stringify(id)},${String(record).slice(1)}`).sort();
  }

  for (const [table, command] of [
    ['relation_marks', 'marks'],
    ['relation_activities', 'activities'],
  ] as const) {
    it(`holds what relation ${command} prints of each of them`, async () => {
      const first = await sync(table);
      assert.ok((first?.Added ?? 0) > 20);
      assert.ok(isDeepStrictEqual(mirrored(table), await listed(command)));
      const again = await sync(table);
      assert.deepEqual([again?.Rows, again?.Added, again?.Changed], [first?.Rows, 0, 0]);
    });
  }

  it('is asked only for the relations that are left after an interruption', async () => {
    const path = here.fresh('calls.trace');
    const words = ['mirror', 'sync', 'relation_marks', '--mirror', mirror, '--set', 'rate=20/s', '--concurrency', '1'];
    const child = spawn(process.execPath, [program, ...words], { env: here.env, stdio: 'ignore' });
    const ended = once(child, 'close');
    const done = (): number => {
      const [[count] = []] = rows(
        `SELECT count(*) FROM "_asked" a JOIN "_passes" p ON p.source = a.source AND p.began_at = a.began_at`,
      );
      return Number(count);
    };
    while (child.exitCode === null && done() < 5) await pause(20);
    child.kill('SIGKILL');
    await ended;
    const before = done();
    assert.ok(before >= 5);
    await ends(here.run(argv`mirror sync relation_marks --mirror ${mirror} --trace=${path}`), 0, '');
    const [[all] = []] = rows('SELECT count(*) FROM "relations"');
    assert.equal(callsIn(path).length, Number(all) - before);
    assert.ok(isDeepStrictEqual(mirrored('relation_marks'), await listed('marks')));
  });

  it('ends by a signal while it waits for its turn, as an interruption', async () => {
    const [file, path] = [here.fresh('signal.db'), here.fresh('signal.trace')];
    await ends(here.run(argv`mirror sync relations --mirror ${file}`), 0);
    await ends(here.run(argv`mirror add marks --by-relation --mirror ${file}`), 0);
    const words = argv`mirror sync relation_marks --mirror ${file} --set rate=1/s --concurrency 1 --trace=${path}`;
    const child = spawn(process.execPath, [program, ...words], { env: here.env, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (piece) => (stderr += String(piece)));
    const ended = once(child, 'close');
    while (child.exitCode === null && !(existsSync(path) && callsIn(path).length > 0)) await pause(20);
    child.kill('SIGINT');
    await ended;
    assert.match(stderr, /interrupted by Ctrl-C/);
    assert.doesNotMatch(stderr, /bug/);
  });

  it('needs relations, and one rule for what it asks for', async () => {
    const empty = here.fresh('empty.db');
    await here.run(['mirror', 'add', 'marks', '--by-relation', '--mirror', empty]);
    const { code, stderr } = await here.run(['mirror', 'sync', 'relation_marks', '--mirror', empty]);
    assert.equal(code, 2);
    assert.match(stderr, /Try: relctl mirror sync relations/);
    const both = await here.run(argv`mirror add activities --by-relation --to 2024-01-01 --mirror ${empty}`);
    assert.equal(both.code, 2);
    assert.match(both.stderr, /--to is for a search, not for --by-relation/);
    assert.equal((await here.run(['mirror', 'add', 'activities', '--mirror', empty])).code, 2);
  });
});
