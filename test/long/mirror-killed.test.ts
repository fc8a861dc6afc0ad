import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/state/sqlite/open.js';
import { lots } from '../support/cases.js';
import { place } from '../support/operations/place.js';
import { program } from '../support/relctl.js';

const kills = 25;

describe('A mirror whose syncs are killed', function () {
  const here = place(['--set', 'pageSize=5']);
  const draw = lots(20_261_123);
  const file = (): string => here.fresh('killed.db').replace(/\d+-killed/, 'killed');
  const words = ['mirror', 'sync', 'relations', 'relationships', '--mirror'];

  /** The records of a table as the mirror shows them; undefined where there is no mirror yet. */
  function shown(path: string): string | undefined {
    if (!existsSync(path) || statSync(path).size === 0) return undefined;
    const database = openDatabase({ file: path, what: 'The mirror' });
    try {
      assert.deepEqual(database.statement('PRAGMA integrity_check').all(), [['ok']]);
      const made = database.statement(`SELECT 1 FROM sqlite_schema WHERE name = 'relations'`).first();
      if (made === undefined) return undefined;
      return JSON.stringify(database.statement('SELECT "_record" FROM "relations" ORDER BY "Id"').all());
    } finally {
      database.close();
    }
  }

  async function listed(): Promise<string> {
    const { stdout } = await here.run(['relation', 'list', '-o', 'ndjson']);
    const lines = stdout.split('\n').filter((line) => line !== '');
    const idOf = (line: string): string => (JSON.parse(line) as { Id: string }).Id;
    return JSON.stringify(lines.sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1)).map((line) => [line]));
  }

  async function killedAfter(ms: number, path: string): Promise<void> {
    const child = spawn(process.execPath, [program, ...words, path], { env: here.env, stdio: 'ignore' });
    const ended = once(child, 'close');
    await Promise.race([ended, pause(ms)]);
    child.kill('SIGKILL');
    await ended;
  }

  it('shows whole lists of records that the service had at any moment, and the last ones in the end', async () => {
    const path = file();
    const records = new Set<string>();
    const counts = new Set<number>([0]);
    /** What the service has now: a sync that was interrupted may show some pages as they were. */
    const remember = async (): Promise<void> => {
      const all = (JSON.parse(await listed()) as readonly (readonly [string])[]).map(([record]) => record);
      for (const record of all) records.add(record);
      counts.add(all.length);
    };
    await remember();
    for (let round = 0; round < kills; round += 1) {
      here.execute(
        `UPDATE "PvRelationData" SET "Info" = 'round ${round}' WHERE seq % ${2 + draw(20)} = 0 AND "Id" IS NOT NULL`,
      );
      if (round % 5 === 4) here.execute(`DELETE FROM "PvRelationData" WHERE seq = ${20 + round}`);
      await remember();
      await killedAfter(40 + draw(700), path);
      const now = JSON.parse(shown(path) ?? '[]') as readonly (readonly [string])[];
      assert.ok(counts.has(now.length), `round ${round}: ${now.length} records, which the service never had`);
      assert.deepEqual(
        now.filter(([record]) => !records.has(record)),
        [],
        `round ${round}`,
      );
    }
    // The end of an interrupted sync may have seen a record with two contents: it says so, and the next begins anew.
    const { code, stderr } = await here.run([...words, path]);
    assert.ok(code === 0 || /had two different contents/.test(stderr), stderr);
    // The end of an interrupted sync may show an earlier state of some pages.
    assert.equal((await here.run([...words, path])).code, 0);
    assert.equal(shown(path), await listed());
    const left = readdirSync(join(path, '..')).filter((name) => name.startsWith('killed.db') && /lock/.test(name));
    assert.deepEqual(left, []);
  });
});
