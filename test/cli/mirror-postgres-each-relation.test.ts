import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { callsIn, place } from '../support/operations/place.js';
import { startPostgres, superuserPassword, type PostgresServer } from '../support/postgres.js';
import { program } from '../support/relctl.js';

describe('A source that is asked for relation by relation, in PostgreSQL', function () {
  this.timeout(120_000);
  const here = place();
  let server: PostgresServer;
  let address: string;
  let file: string;
  const env = () => ({ ...here.env, PGPASSWORD: superuserPassword });
  before(async function () {
    server = await startPostgres(this, { auth: 'scram-sha-256' });
    address = server.database();
    file = here.fresh('each.db');
    const { rows } = here;
    const [[mark]] = rows("SELECT Id FROM PvMarkData WHERE Name = 'Nieuwsbrief'") as [[string]];
    here.execute(`UPDATE PvRelationshipMarkData SET MarkId = '${mark}' WHERE seq % 5 > 0;
      UPDATE PvRelationshipData SET OptOut = seq % 3 = 0, IsInactive = seq % 4 = 0`);
  });
  after(() => server.stop());

  const run = (words: readonly string[], to: string) => here.run([...words, '--to', to], { env: env() });
  const lines = (text: string): readonly string[] => text.split('\n').sort();
  /** Runs a command on both mirrors, and gives what both print. */
  async function both(words: readonly string[]): Promise<string> {
    const [own, expected] = [await run(words, address), await run(words, file)];
    // Some relations are asked at once: in which order their records come is nobody's.
    assert.deepEqual([own.code, lines(own.stdout)], [0, lines(expected.stdout)], `${words.join(' ')}\n${own.stderr}`);
    return own.stdout;
  }
  const counts = ['-o', 'csv', '--columns', 'Table,Rows,Added,Changed,Gone'];
  const records = (table: string): string =>
    server.psql(
      'db1',
      `SELECT "RelationId", _record FROM relctl."${table}" ORDER BY "RelationId" COLLATE "C", _record COLLATE "C"`,
    );

  it('is filled as one in a file is, and written again only where something changed', async () => {
    await both(['mirror', 'sync', 'relations', 'relationships', 'marks', 'campaign_marks', ...counts]);
    for (const kind of ['marks', 'activities']) await both(['mirror', 'add', kind, '--by-relation']);
    const first = await both(['mirror', 'sync', 'relation_marks', 'relation_activities', ...counts]);
    assert.match(first, /relation_marks,\d\d+,\d\d+,0,0/);
    for (const table of ['relation_marks', 'relation_activities']) {
      const sql = `SELECT RelationId, _record FROM ${table} ORDER BY 1, 2`;
      const { stdout } = await run(['sql', sql, '-o', 'json'], file);
      const expected = (JSON.parse(stdout) as { RelationId: string; _record: string }[])
        .map(({ RelationId, _record }) => `${RelationId}\t${_record}`)
        .join('\n');
      assert.ok(expected.length > 1000);
      assert.equal(records(table), expected, table);
    }
    const versions = 'SELECT xmin, ctid FROM relctl.all_relation_marks ORDER BY ctid';
    const before = server.psql('db1', versions);
    assert.match(await both(['mirror', 'sync', 'relation_marks', ...counts]), /relation_marks,\d+,0,0,0/);
    assert.equal(server.psql('db1', versions), before);
  });

  it('shows what changed of a relation, and lists it as one in a file does', async () => {
    const since = new Date().toISOString();
    here.execute(`UPDATE PvRelationshipMarkData SET PreferredAddress = 'BillingAddress', Date = '2039' || substr(Date, 5),
      DateKey = '2039' || substr(DateKey, 5) WHERE seq IN (SELECT min(seq) FROM PvRelationshipMarkData)`);
    assert.match(await both(['mirror', 'sync', 'relation_marks', ...counts]), /relation_marks,\d+,0,[12],0/);
    const changes = ['mirror', 'changes', '--since', since, '-o', 'csv', '--columns', 'Table,Change,Id,Name'];
    assert.match(await both(changes), /relation_marks,changed/);
    await both(['mirror', 'list', 'relation_marks', '-o', 'ndjson', '--changed-since', since]);
    await both(['mirror', 'list', 'relation_activities', '-o', 'ndjson']);
  });

  it('says who carries a mark, and finds activities', async () => {
    const words = ['mark', 'members', 'Nieuwsbrief', '-o', 'csv', '--columns', 'RelationshipId'];
    const { code, stdout, stderr } = await here.run(words, { env: { ...env(), RELCTL_MIRROR: address } });
    assert.equal(code, 0, stderr);
    const sql = `SELECT DISTINCT r.Id FROM PvRelationshipData r JOIN PvRelationshipMarkData m ON m.RelationshipId = r.Id
      WHERE m.MarkId = (SELECT Id FROM PvMarkData WHERE Name = 'Nieuwsbrief') AND NOT r.OptOut AND NOT r.IsInactive`;
    const carriers = here.rows(sql).flat().map(String);
    assert.ok(carriers.length > 3);
    assert.deepEqual(stdout.trimEnd().split('\n').slice(1).sort(), carriers.sort());
    assert.match(await both(['find', '20', '--type', 'relation-activity', '-o', 'csv']), /relation-activity/);
  });

  it('is asked only for the relations that are left after a kill', async () => {
    const words = ['mirror', 'sync', 'relation_marks', '--to', address];
    const child = spawn(process.execPath, [program, ...words, '--rate', '20', '--concurrency', '2'], {
      env: env(),
      stdio: 'ignore',
    });
    const ended = once(child, 'close');
    const done = (): number =>
      Number(server.psql('db1', 'SELECT count(*) FROM relctl._asked a JOIN relctl._passes p USING (source, began_at)'));
    while (child.exitCode === null && done() < 5) await pause(20);
    child.kill('SIGKILL');
    await ended;
    // The server may still be at the last statement of the killed one.
    await pause(300);
    const before = done();
    assert.ok(before >= 5);
    const trace = here.fresh('calls.trace');
    const { code, stderr } = await run(['mirror', 'sync', 'relation_marks', `--trace=${trace}`], address);
    assert.deepEqual([code, stderr], [0, '']);
    const relations = Number(server.psql('db1', 'SELECT count(*) FROM relctl.relations'));
    assert.equal(callsIn(trace).length, relations - before);
    assert.equal((await run(['mirror', 'sync', 'relation_marks'], file)).code, 0);
    await both(['mirror', 'list', 'relation_marks', '-o', 'ndjson']);
  });

  it('comes into a mirror of an earlier version, and goes with its relations asked for', async () => {
    server.psql('db1', 'DROP TABLE relctl._asked');
    const again = await run(['mirror', 'sync', 'relation_marks', ...counts], address);
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stdout, /relation_marks,\d+,0,0,0/);
    const removed = await run(['mirror', 'remove', 'marks by relation'], address);
    assert.equal(removed.code, 0, removed.stderr);
    assert.equal(server.psql('db1', 'SELECT count(*) FROM relctl._asked'), '0');
    assert.equal(server.psql('db1', 'SELECT count(*) FROM relctl.all_relation_marks'), '0');
  });

  it('keeps what many relations at once bring, each in one transaction', async () => {
    assert.equal((await run(['mirror', 'add', 'marks', '--by-relation'], address)).code, 0);
    const { code, stderr } = await run(['mirror', 'sync', 'relation_marks', '--concurrency', '16'], address);
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal((await run(['mirror', 'sync', 'relation_marks'], file)).code, 0);
    const { stdout } = await run(['sql', 'SELECT count(*) FROM relation_marks', '-o', 'tsv'], file);
    assert.equal(server.psql('db1', 'SELECT count(*) FROM relctl.relation_marks'), stdout.split('\n')[1]);
    assert.equal(server.psql('db1', 'SELECT count(*) FROM relctl._stage_relation_marks'), '0');
  });
});
