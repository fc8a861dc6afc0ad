import assert from 'node:assert/strict';
import { join } from 'node:path';
import { known } from '../../../src/sandbox/dataset/known.js';
import { openDatabase } from '../../../src/state/sqlite/open.js';
import { place } from '../../support/operations/place.js';
import { ends, type Run } from '../../support/relctl.js';

const { organisationId } = known;

/** The commands that answer from the mirror, and what they print of the organisation. */
const readers: readonly { readonly args: readonly string[]; readonly tables: readonly string[] }[] = [
  { args: ['sql', `SELECT DisplayName FROM relations WHERE Id = '${organisationId}'`], tables: ['relations'] },
  { args: ['find', 'brand', '--type', 'relation', '-o', 'csv'], tables: ['relations'] },
];

describe('--max-age of what reads the mirror', () => {
  const here = place();
  let profile = '';
  const inMirror = (sql: string): readonly (readonly unknown[])[] => {
    const file = join(here.folder, 'state', 'relctl', 'mirrors', `${profile}.db`);
    const database = openDatabase({ file, what: 'The mirror' });
    try {
      if (!sql.startsWith('SELECT')) database.execute(sql);
      return sql.startsWith('SELECT') ? database.statement(sql).all() : [];
    } finally {
      database.close();
    }
  };
  const old = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const makeOld = (): unknown => inMirror(`UPDATE _sources SET synced_at = '${old}' WHERE synced_at IS NOT NULL`);
  const fresh = (): readonly unknown[] =>
    inMirror(`SELECT name FROM _sources WHERE synced_at > '${old}' ORDER BY name`).flat();
  const succeeds = async (args: readonly string[]): Promise<Run> => {
    const run = await ends(here.run(args), 0, '');
    return run;
  };

  before(async () => {
    profile = (await here.json<{ Profile: string }>(['whoami'])).Profile;
  });

  it('makes the mirror that a question needs, and no more of it', async () => {
    const count = await succeeds(['sql', 'SELECT count(*) AS n FROM marks', '--max-age', '1h', '-o', 'csv']);
    const marks = here.rows('SELECT count(*) FROM "PvMarkData"')[0]?.[0];
    assert.equal(count.stdout, `n\n${String(marks)}\n`);
    assert.deepEqual(fresh(), ['marks']);
    await succeeds(['mirror', 'sync', 'relations', 'relationships', '--quiet', '--output-file', here.fresh('out')]);
  });

  for (const { args, tables } of readers) {
    it(`syncs what \`${args.slice(0, 2).join(' ').slice(0, 20)}\` reads when it is older, and not otherwise`, async () => {
      makeOld();
      await succeeds([...args, '--max-age', '20d']);
      assert.deepEqual(fresh(), []);
      await succeeds([...args, '--max-age', '1h']);
      for (const table of tables) assert.ok(fresh().includes(table), `${table} of ${fresh().join()}`);
      const times = inMirror('SELECT name, synced_at FROM _sources');
      await succeeds([...args, '--max-age', '1h']);
      assert.deepEqual(inMirror('SELECT name, synced_at FROM _sources'), times);
    });
  }

  it('shows what the sync brought', async () => {
    here.execute(`UPDATE "PvRelationData" SET "DisplayName" = 'Brand new' WHERE "Id" = '${organisationId}'`);
    makeOld();
    const [sql, find] = readers.map(({ args }) => args);
    assert.doesNotMatch((await succeeds(sql ?? [])).stdout, /Brand new/);
    assert.match((await succeeds([...(find ?? []), '--max-age', '1h'])).stdout, /Brand new/);
    assert.match((await succeeds([...(sql ?? []), '-o', 'csv', '--max-age', '1h'])).stdout, /Brand new/);
  });

  it('syncs nothing for --envelope, which says so', async () => {
    makeOld();
    const { code, stderr } = await here.run(['relation', 'get', 'Brand new', '--max-age', '1h', '--envelope']);
    assert.deepEqual([code, fresh()], [0, []], stderr);
    assert.match(stderr, /^Note: older than --max-age, and this command syncs nothing: relations/);
    makeOld();
    assert.equal((await here.run(['find', 'brand', '--max-age', '1h', '--envelope'])).code, 0);
    assert.deepEqual(fresh(), []);
  });

  it('names the file whose path is printed once it is fresh', async () => {
    makeOld();
    const { stdout } = await succeeds(['sql', '--print-file', '--max-age', '1h']);
    assert.match(stdout, /\.db\n$/);
    assert.ok(fresh().length > 10, fresh().join());
  });
});

describe('The age of what the mirror gives', () => {
  const here = place();
  const commands = [
    ['mirror', 'list', 'marks'],
    ['mirror', 'changes', '--from', '-1d', '--tables', 'marks'],
    ['sql', 'SELECT 1 AS x FROM marks'],
    ['find', 'mark', '--type', 'mark'],
  ];

  before(async () => {
    assert.equal((await here.run(['mirror', 'sync', 'marks'])).code, 0);
  });

  it('is said in a terminal and beside JSON, and never to a script', async () => {
    for (const args of commands) {
      const json = await ends(here.run([...args, '-o', 'json']), 0);
      const { notes } = JSON.parse(json.stderr) as { readonly notes: readonly string[] };
      assert.match(notes.join(), /mirror.*, synced \d+ seconds? ago/, args.join(' '));
      const terminal = await here.run(args, { env: { RELCTL_FORCE_TTY: '200' } });
      assert.match(terminal.stderr, /mirror.*, synced \d+ seconds? ago/, args.join(' '));
      await ends(here.run([...args, '-o', 'csv']), 0, '');
    }
  });
});
