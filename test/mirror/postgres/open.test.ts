import assert from 'node:assert/strict';
import { RelctlError } from '../../../src/errors/relctl-error.js';
import { findMirrorSchema, removeMirrorSchema } from '../../../src/mirror/postgres/open.js';
import { readSchema } from '../../../src/postgres/schema-name.js';
import { mirrorTables } from '../../../src/mirror/tables.js';
import { connectTo, openMirror, service } from '../../support/mirror/postgres.js';
import { startPostgres, superuser, type PostgresServer } from '../../support/postgres.js';

const failureOf = async (work: Promise<unknown>): Promise<RelctlError> => {
  try {
    await work;
  } catch (thrown) {
    assert.ok(thrown instanceof RelctlError, String(thrown));
    return thrown;
  }
  return assert.fail('nothing failed');
};

describe('The schema of a mirror in PostgreSQL', function () {
  this.timeout(60_000);
  let server: PostgresServer;
  let address: string;
  let database: string;
  before(async function () {
    server = await startPostgres(this);
  });
  after(() => server.stop());
  beforeEach(() => {
    address = server.database();
    database = address.slice(address.lastIndexOf('/') + 1);
  });
  const tables = (schema: string): string =>
    server.psql(database, `SELECT count(*) FROM information_schema.tables WHERE table_schema = '${schema}'`);

  it('is made once, and holds a view for each table and each list', async () => {
    const first = await openMirror(address);
    await first.mirror.add({ name: 'marks', table: 'marks', input: {} });
    await first.mirror.close();
    const second = await openMirror(address);
    assert.deepEqual(
      (await second.mirror.sources()).map(({ name }) => name),
      ['marks'],
    );
    await second.mirror.close();
    const views = server.psql(
      database,
      "SELECT table_name FROM information_schema.views WHERE table_schema = 'relctl' ORDER BY 1",
    );
    const names = [...mirrorTables.values()].flatMap(({ name, lists }) => [name, ...lists.map((list) => list.name)]);
    assert.deepEqual(views.split('\n').sort(), names.sort());
  });

  it('holds no column of a type that rounds, but for instants', async () => {
    await (await openMirror(address)).mirror.close();
    const types = server.psql(
      database,
      "SELECT DISTINCT data_type FROM information_schema.columns WHERE table_schema = 'relctl' AND column_name NOT LIKE '%\\_instant' AND column_name NOT LIKE '\\_%' AND table_name NOT LIKE '\\_%' ORDER BY 1",
    );
    assert.deepEqual(types.split('\n'), ['boolean', 'integer', 'numeric', 'text', 'uuid']);
  });

  it('is made as a whole or not at all', async () => {
    const failure = await failureOf(openMirror(address, { of: { ...service, url: 'a\u0000b' } }));
    assert.notEqual(failure.kind, 'usage');
    assert.equal(tables('relctl'), '0');
  });

  it('is refused when it belongs to another service, with what differs', async () => {
    await (await openMirror(address)).mirror.close();
    const failure = await failureOf(openMirror(address, { of: { ...service, database: 'other' } }));
    assert.equal(failure.kind, 'profile');
    assert.match(failure.message, /belongs to another service: database none, not other$/);
    assert.equal(failure.hint, 'relctl mirror forget');
  });

  for (const [what, name] of [
    ['VIEW', 'relation_field_values'],
    ['TABLE', '_stage_marks'],
  ] as const) {
    it(`is refused without the ${what.toLowerCase()} ${name}, as earlier versions made it`, async () => {
      await (await openMirror(address)).mirror.close();
      server.psql(database, `DROP ${what} relctl.${name}`);
      const { message, advice, hint, facts } = await failureOf(openMirror(address));
      assert.match(message, new RegExp(` has no ${name}, which this version of relctl makes$`));
      assert.match(advice ?? '', /remove the mirror and fill it again/);
      assert.deepEqual([hint, facts.code], ['relctl mirror forget', 'format']);
    });
  }

  for (const [format, message, advice] of [
    ['99', /has format 99, of a newer relctl; this one reads format 1$/, /^Use the newer relctl, or remove/],
    ['0', /has format 0, of an older relctl; this one reads format 1$/, /^Remove the mirror/],
    ['x', /has format x, of an older relctl/, /^Remove the mirror/],
  ] as const) {
    it(`is refused when it has format ${format}, and stays`, async () => {
      await (await openMirror(address)).mirror.close();
      server.psql(database, `UPDATE relctl._mirror SET value = '${format}' WHERE name = 'format'`);
      const connection = await connectTo(address);
      const reading = () => findMirrorSchema(connection, { schema: 'relctl', forget: 'forget it' });
      for (const work of [() => openMirror(address), reading]) {
        const failure = await failureOf(work());
        assert.equal(failure.kind, 'local');
        assert.match(failure.message, message);
        assert.match(failure.advice ?? '', advice);
        assert.match(failure.hint ?? '', /forget/);
      }
      await connection.close();
      assert.equal(server.psql(database, "SELECT value FROM relctl._mirror WHERE name = 'format'"), format);
    });
  }

  it('is let go within minutes by the server when a machine is gone or a program is stopped', async () => {
    const { mirror, postgres } = await openMirror(address);
    const shown = async (name: string): Promise<unknown> => (await postgres.first(`SHOW ${name}`))?.[0];
    assert.deepEqual(
      [await shown('tcp_keepalives_idle'), await shown('tcp_keepalives_interval'), await shown('tcp_keepalives_count')],
      ['60', '15', '4'],
    );
    assert.equal(await shown('idle_in_transaction_session_timeout'), '10min');
    await mirror.close();
  });

  it('is refused when it holds what relctl did not make, which stays', async () => {
    server.psql(database, 'CREATE SCHEMA relctl; CREATE TABLE relctl.mine (x integer)');
    const failure = await failureOf(openMirror(address));
    assert.match(failure.message, /holds tables, and no mirror/);
    const connection = await connectTo(address);
    assert.equal((await failureOf(removeMirrorSchema(connection, 'relctl'))).kind, 'local');
    await connection.close();
    assert.equal(tables('relctl'), '1');
  });

  it('is made in an empty schema of the user, who may make none', async () => {
    server.psql(
      database,
      `CREATE ROLE poor_${database} LOGIN; REVOKE CREATE ON SCHEMA public FROM public; CREATE SCHEMA theirs AUTHORIZATION poor_${database}`,
    );
    const theirs = address.replace(`//${superuser}@`, `//poor_${database}@`);
    const failure = await failureOf(openMirror(theirs));
    assert.equal(failure.kind, 'profile');
    assert.match(`${failure.message} ${failure.advice ?? ''}`, /permission denied.*GRANT CREATE ON DATABASE/);
    await (await openMirror(theirs, { schema: 'theirs' })).mirror.close();
    assert.notEqual(tables('theirs'), '0');
  });

  it('is removed with all that it kept, and then is not there', async () => {
    const { mirror, postgres } = await openMirror(address);
    assert.equal(await removeMirrorSchema(postgres, 'relctl'), true);
    assert.equal(await removeMirrorSchema(postgres, 'relctl'), false);
    assert.equal(await findMirrorSchema(postgres, { schema: 'relctl', forget: '' }), undefined);
    await mirror.close();
    assert.equal(tables('relctl'), '0');
  });

  it('has a name that needs no quotes', () => {
    assert.equal(readSchema('crm_1', '--schema'), 'crm_1');
    for (const name of ['', 'public', 'pg_x', 'Mixed', 'a-b', 'a"b', '1a', 'x'.repeat(64), 'information_schema']) {
      assert.throws(() => readSchema(name, '--schema'), { kind: 'usage' }, name);
    }
  });

  it('is locked for one sync at a time, and says who has it', async () => {
    const first = await openMirror(address);
    const failure = await failureOf(openMirror(address));
    assert.equal(failure.kind, 'locked');
    assert.match(
      `${failure.message} ${failure.advice ?? ''}`,
      /locked by the sync of owner from 127\.0\.0\.1.*--lock-wait/,
    );
    const other = await openMirror(address, { schema: 'another' });
    await other.mirror.close();
    const waiting = openMirror(address, { lockMs: 20_000 });
    setTimeout(() => void first.mirror.close(), 300);
    await (await waiting).mirror.close();
  });
});
