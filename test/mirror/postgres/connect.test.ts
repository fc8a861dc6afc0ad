import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { readPostgresAddress } from '../../../src/mirror/postgres/address.js';
import { connectPostgres, copyValue, type Postgres } from '../../../src/mirror/postgres/connect.js';
import { startPostgres, superuser, type PostgresServer } from '../../support/postgres.js';
import { failureOf } from '../../support/thrown.js';

const connect = (text: string): Promise<Postgres> =>
  connectPostgres(readPostgresAddress(text, { path: 'TARGET', variables: {} }), { password: () => undefined });

describe('A connection to PostgreSQL', () => {
  let server: PostgresServer;
  let address: string;
  let connection: Postgres;
  before(async function () {
    server = await startPostgres(this);
    address = server.database();
  });
  after(() => server.stop());
  beforeEach(async () => {
    connection = await connect(address);
    await connection.execute('DROP TABLE IF EXISTS public.things; CREATE TABLE public.things (id integer, name text)');
  });
  afterEach(() => connection.close());
  const stored = (): string => server.psql('db1', 'SELECT id, name FROM things ORDER BY id');

  it('gives values in the text of PostgreSQL, whatever their type', async () => {
    const row = await connection.first(
      "SELECT 12.50::numeric, true, NULL, 9007199254740993::bigint, '2024-05-06T07:08:09.123456+02:00'::timestamptz, $1",
      ["it's"],
    );
    assert.deepEqual(row, ['12.50', 't', null, '9007199254740993', '2024-05-06 05:08:09.123456+00', "it's"]);
  });

  it('copies values as they are', async () => {
    const texts = ['a\tb', 'back\\slash', 'line\nline\r', '\\N', '\\.', '', 'é\u{1f600}', '\u2028'];
    const copy = connection.copyIn('COPY public.things (id, name) FROM STDIN');
    for (const [id, text] of texts.entries()) await copy.write(`${id}\t${copyValue(text, 'name')}\n`);
    await copy.write(`99\t${copyValue(null, 'name')}\n`);
    assert.equal(await copy.end(), texts.length + 1);
    const json = server.psql('db1', 'SELECT json_agg(name ORDER BY id) FROM things');
    assert.deepEqual(JSON.parse(json), [...texts, null]);
  });

  it('copies more than the server takes at once', async () => {
    const copy = connection.copyIn('COPY public.things (id, name) FROM STDIN');
    const wide = 'x'.repeat(1000);
    for (let block = 0; block < 50; block += 1) {
      await copy.write(Array.from({ length: 1000 }, (_, at) => `${block * 1000 + at}\t${wide}\n`).join(''));
    }
    assert.equal(await copy.end(), 50_000);
    assert.equal(server.psql('db1', 'SELECT count(*), sum(length(name)) FROM things'), '50000\t50000000');
  });

  it('fails a copy that the server refuses, and goes on working', async () => {
    const copy = connection.copyIn('COPY public.things (id, name) FROM STDIN');
    const failure = await failureOf(
      (async () => {
        for (let round = 0; round < 2000; round += 1) await copy.write('no number\tx\n'.repeat(50));
        await copy.end();
      })(),
    );
    assert.match(failure.message, /invalid input syntax for type integer/);
    assert.deepEqual(await connection.first('SELECT 1'), ['1']);
    assert.equal(stored(), '');
  });

  it('does all of a transaction or nothing', async () => {
    const work = connection.transaction(async () => {
      await connection.run("INSERT INTO public.things VALUES (1, 'one')");
      throw new Error('stopped');
    });
    await assert.rejects(work, /stopped/);
    assert.equal(stored(), '');
    await connection.transaction(async () => {
      assert.equal(await connection.run("INSERT INTO public.things VALUES (1, 'one'), (2, 'two')"), 2);
    });
    assert.equal(stored(), '1\tone\n2\ttwo');
  });

  it('says what the server said, in one line, without the details, which hold values', async () => {
    await connection.execute('CREATE UNIQUE INDEX ON public.things (name)');
    await connection.run("INSERT INTO public.things VALUES (1, 'personal')");
    const failure = await failureOf(connection.run("INSERT INTO public.things VALUES (2, 'personal')"));
    assert.equal(failure.kind, 'local');
    assert.equal(failure.cause, undefined);
    assert.doesNotMatch(JSON.stringify([failure.message, failure]), /personal/);
    assert.match(failure.message, /duplicate key value violates unique constraint/);
  });

  it('says that the server ended the connection', async () => {
    const [pid = ''] = (await connection.first('SELECT pg_backend_pid()')) ?? [];
    const running = failureOf(connection.run('SELECT pg_sleep(30)'));
    server.psql('db1', `SELECT pg_terminate_backend(${pid ?? ''})`);
    assert.equal((await running).kind, 'no-answer');
    assert.equal((await failureOf(connection.run('SELECT 1'))).kind, 'no-answer');
  });

  it('says so too when that was while nothing ran', async () => {
    const [pid = ''] = (await connection.first('SELECT pg_backend_pid()')) ?? [];
    server.psql('db1', `SELECT pg_terminate_backend(${pid ?? ''})`);
    const sessions = (): string => server.psql('db1', `SELECT count(*) FROM pg_stat_activity WHERE pid = ${pid ?? ''}`);
    while (sessions() !== '0') await pause(20);
    // So that the client has heard of it.
    await pause(200);
    const failure = await failureOf(connection.run('SELECT 1'));
    assert.equal(failure.kind, 'no-answer');
    assert.match(failure.message, /is being shut down|ended the connection/);
  });

  it('says so when the server is gone', async () => {
    const own = await startPostgres({ skip: () => assert.fail('there was one') } as unknown as Mocha.Context);
    const other = await connect(own.database());
    await own.stop();
    await pause(200);
    assert.equal((await failureOf(other.run('SELECT 1'))).kind, 'no-answer');
  });

  it('has the settings that it needs, whatever those of the role are', async () => {
    server.psql(
      'db1',
      `CREATE ROLE odd LOGIN; ALTER ROLE odd SET DateStyle = 'German'; ALTER ROLE odd SET search_path = nowhere;
      ALTER ROLE odd SET standard_conforming_strings = off; ALTER ROLE odd SET default_transaction_read_only = on;
      ALTER ROLE odd SET TimeZone = 'Asia/Tokyo'; ALTER ROLE odd SET idle_session_timeout = '100ms';
      ALTER ROLE odd SET idle_in_transaction_session_timeout = '100ms'; ALTER ROLE odd SET statement_timeout = '150ms';
      ALTER ROLE odd SET client_encoding = 'LATIN1'; ALTER ROLE odd SET default_transaction_isolation = 'serializable'`,
    );
    const odd = await connect(address.replace(`${superuser}@`, 'odd@'));
    try {
      await pause(400);
      await odd.transaction(async () => {
        await odd.execute('CREATE TEMPORARY TABLE written (at timestamptz, text text)');
        await pause(400);
        await odd.run("INSERT INTO pg_temp.written VALUES ($1, 'a\\b\u20ac')", ['2024-05-06T07:08:09+02:00']);
        assert.deepEqual(await odd.rows('SELECT at, text FROM pg_temp.written'), [
          ['2024-05-06 05:08:09+00', 'a\\b\u20ac'],
        ]);
      });
      assert.deepEqual(await odd.rows('SELECT pg_sleep(0.4)'), [['']]);
    } finally {
      await odd.close();
    }
  });

  it('says what is wrong with an address', async () => {
    const missing = await failureOf(connect(`postgres://${superuser}@127.0.0.1:${server.port}/nothing`));
    assert.deepEqual([missing.kind, missing.reportedCode], ['profile', '3D000']);
    const nobody = await failureOf(connect(`postgres://nobody-here@127.0.0.1:${server.port}/db1`));
    assert.equal(nobody.kind, 'profile');
    const closed = await failureOf(connect('postgres://a@127.0.0.1:1/db1'));
    assert.deepEqual([closed.kind, closed.reportedCode], ['no-answer', 'ECONNREFUSED']);
  });

  it('ends on a signal', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const other = await connectPostgres(connection.address, { password: () => undefined, signal });
    const running = failureOf(other.run('SELECT pg_sleep(30)'));
    controller.abort();
    await running;
  });

  it('gives up on a server that says nothing', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const failure = await failureOf(connect(`postgres://a@127.0.0.1:${port}/db?connect_timeout=1`));
    assert.equal(failure.kind, 'no-answer');
    assert.match(failure.message, /did not answer in time/);
    silent.close();
  });
});

describe('A value in the text of COPY', () => {
  it('has no character that means something to COPY', () => {
    assert.equal(copyValue('a\tb\\c\nd\re', 'Name'), 'a\\tb\\\\c\\nd\\re');
    assert.deepEqual(
      [null, '', 'null', '\\N', 0, true].map((value) => copyValue(value, 'Name')),
      ['\\N', '', 'null', '\\\\N', '0', 'true'],
    );
  });

  it('is refused with NUL, by the name of its column', () => {
    assert.throws(() => copyValue('a\u0000b', 'Name'), { kind: 'local', message: /of Name has the character NUL/ });
  });
});
