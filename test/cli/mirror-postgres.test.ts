import assert from 'node:assert/strict';
import { place } from '../support/operations/place.js';
import { startPostgres, superuser, superuserPassword, type PostgresServer } from '../support/postgres.js';

describe('A mirror in PostgreSQL, by its commands', function () {
  this.timeout(120_000);
  const here = place();
  let server: PostgresServer;
  let address: string;
  before(async function () {
    server = await startPostgres(this, { auth: 'scram-sha-256' });
    address = server.database();
  });
  after(() => server.stop());
  const run = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    here.run([...words, '--to', address], { env: { ...here.env, PGPASSWORD: superuserPassword, ...environment } });

  it('holds each record byte for byte as its list prints it, and says so in its status', async () => {
    const synced = await run(['mirror', 'sync', 'relations', 'products', '-o', 'ndjson']);
    assert.equal(synced.code, 0, synced.stderr);
    assert.equal(synced.stderr, '');
    for (const [table, list] of [
      ['relations', ['relation', 'list']],
      ['products', ['product', 'list']],
    ] as const) {
      const { stdout } = await here.run([...list, '-o', 'ndjson']);
      const rows = server.json('db1', `SELECT _record FROM relctl.all_${table} ORDER BY _seq`) as { _record: string }[];
      assert.equal(rows.map(({ _record }) => `${_record}\n`).join(''), stdout, table);
    }
    const status = await run(['mirror', 'status', '-o', 'json']);
    const lines = JSON.parse(status.stdout) as { Source: string; Rows: number | null }[];
    const counted = server.psql('db1', 'SELECT count(*) FROM relctl.relations');
    assert.equal(lines.find(({ Source }) => Source === 'relations')?.Rows, Number(counted));
    assert.equal(lines.find(({ Source }) => Source === 'marks')?.Rows, null);
  });

  it('adds and removes what it reads', async () => {
    assert.equal((await run(['mirror', 'remove', 'marks'])).code, 0);
    const again = await run(['mirror', 'remove', 'marks']);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /no source 'marks'/);
  });

  it('asks for a password where there is none, and never shows one', async () => {
    const none = await here.run(['mirror', 'status', '--to', address], {
      env: { ...here.env, PGPASSFILE: '/no/such' },
    });
    assert.equal(none.code, 3);
    assert.match(none.stderr, /asks for a password, and there is none.*PGPASSWORD/s);
    const wrong = await run(['mirror', 'sync', 'products', '--trace'], { PGPASSWORD: 'Wr0ngSecret' });
    assert.equal(wrong.code, 3);
    assert.match(wrong.stderr, /refuses the password/);
    const inAddress = address.replace(`${superuser}@`, `${superuser}:Wr0ngSecret@`);
    const given = await here.run(['mirror', 'status', '--to', inAddress, '-o', 'json']);
    assert.equal(given.code, 2);
    for (const { stdout, stderr } of [wrong, given]) assert.doesNotMatch(stdout + stderr, /Wr0ngSecret/);
  });

  it('says where a flag or an address is not taken', async () => {
    const exported = await run(['mirror', 'export', here.folder]);
    assert.equal(exported.code, 2);
    assert.match(exported.stderr, /not a PostgreSQL address/);
    const schema = await here.run(['mirror', 'status', '--schema', 'other']);
    assert.equal(schema.code, 2);
    assert.match(schema.stderr, /--schema goes with --to postgres:/);
    const absent = await run(['mirror', 'status', '--schema', 'other']);
    assert.equal(absent.code, 5);
    const name = await run(['mirror', 'status', '--schema', 'pg_catalog']);
    assert.equal(name.code, 2);
  });

  it('is removed, and then is not there', async () => {
    assert.equal((await run(['mirror', 'forget'])).code, 0);
    assert.equal((await run(['mirror', 'forget'])).code, 5);
    assert.equal(server.psql('db1', "SELECT count(*) FROM pg_namespace WHERE nspname = 'relctl'"), '0');
  });
});
