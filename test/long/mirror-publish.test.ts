import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/state/sqlite/open.js';
import { place } from '../support/operations/place.js';
import { startPostgres, superuser, superuserPassword, type PostgresServer } from '../support/postgres.js';
import { ends, program, type Run } from '../support/relctl.js';

type Member = Readonly<Record<string, unknown>>;

/** A line of what `mirror publish` prints. */
interface Line {
  readonly Table: string;
  readonly Rows: number;
  readonly Sent: number;
  readonly Gone: number;
}

const here = place();
let server: PostgresServer;
let databases = 0;

/** A new database, with the name that psql knows it by. */
function database(): { readonly address: string; readonly name: string } {
  databases += 1;
  return { address: server.database(), name: `db${databases}` };
}

const environment = () => ({ ...here.env, PGPASSWORD: superuserPassword });

const publish = (address: string, ...words: readonly string[]): Promise<Run> =>
  here.run(['mirror', 'publish', address, ...words], { env: environment() });

/** What a publish did, by the tables; it must end with 0 and say nothing else. */
async function published(address: string, ...words: readonly string[]): Promise<ReadonlyMap<string, Line>> {
  const { stdout } = await ends(publish(address, ...words, '--quiet', '-o', 'json'), 0, '');
  return new Map((JSON.parse(stdout) as readonly Line[]).map((line) => [line.Table, line]));
}

async function sync(...words: readonly string[]): Promise<void> {
  await ends(here.run(['mirror', 'sync', '--quiet', ...words]), 0);
}

/** The tables that a publish sent something to, or removed something from, and how much. */
const moved = (lines: ReadonlyMap<string, Line>): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries([...lines].flatMap(([name, { Sent, Gone }]) => (Sent + Gone > 0 ? [[name, [Sent, Gone]]] : [])));

/** Each record of tables of a database is, to the byte, what the mirror lists. */
async function isAsMirror(
  name: string,
  { schema = 'relctl', tables = ['relations', 'products'] }: { schema?: string; tables?: readonly string[] } = {},
): Promise<void> {
  for (const table of tables) {
    const { stdout } = await here.run(['mirror', 'list', table, '-o', 'ndjson', '--quiet']);
    const rows = server.json(name, `SELECT _record FROM ${schema}.${table}`) as readonly { _record: string }[];
    assert.deepEqual(rows.map(({ _record }) => _record).sort(), stdout.trimEnd().split('\n').sort(), table);
  }
}

async function until(name: string, sql: string, wanted: string): Promise<void> {
  for (let round = 0; server.psql(name, sql) !== wanted; round += 1) {
    assert.ok(round < 400, `${sql}: ${server.psql(name, sql)}`);
    await pause(50);
  }
}

/** Runs work while a publish waits, amid its transaction, for a table that another session has locked. */
async function amid(
  { address, name }: { readonly address: string; readonly name: string },
  table: string,
  work: (publishing: {
    readonly child: ChildProcess;
    readonly pid: string;
    readonly unlock: () => Promise<void>;
  }) => Promise<void>,
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const locking = server.session(name, `BEGIN; LOCK TABLE relctl.${table} IN EXCLUSIVE MODE;`);
  await until(
    name,
    `SELECT count(*) FROM pg_locks WHERE relation = 'relctl.${table}'::regclass AND mode = 'ExclusiveLock'`,
    '1',
  );
  const child = spawn(process.execPath, [program, 'mirror', 'publish', address, '--quiet'], { env: environment() });
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const ended = once(child, 'close');
  const waiting =
    "FROM pg_stat_activity WHERE application_name = 'relctl' AND wait_event_type = 'Lock' AND datname = current_database()";
  await until(name, `SELECT count(*) ${waiting}`, '1');
  const unlock = async (): Promise<void> => {
    locking.stdin?.end();
    if (locking.exitCode === null) await once(locking, 'close');
  };
  await work({ child, pid: server.psql(name, `SELECT pid ${waiting}`), unlock });
  await unlock();
  const [code] = (await ended) as [number | null];
  return { code, stderr };
}

describe('Publishing a mirror to PostgreSQL', function () {
  this.timeout(120_000);
  before(async function () {
    server = await startPostgres(this, { auth: 'scram-sha-256' });
    await sync();
  });
  after(() => server.stop());

  it('makes typed tables of all that a sync has read, with comments, keys and indexes', async () => {
    const { address, name } = database();
    const lines = await published(address);
    const counted = (table: string): number => Number(server.psql(name, `SELECT count(*) FROM relctl."${table}"`));
    for (const [table, { Rows, Sent }] of lines) assert.deepEqual([Rows, Sent], [counted(table), Rows], table);
    await isAsMirror(name, {
      tables: ['relations', 'relationships', 'telephone_book', 'products', 'marks', 'sbi_codes'],
    });
    const types = server.json(
      name,
      `SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'relctl' AND (table_name, column_name) IN
        (('relationships', 'Id'), ('relationships', 'IsContact'), ('relationships', 'Description'), ('relationships', 'AuditData_CreatedAt'),
        ('relationships', 'AuditData_CreatedAt_instant'), ('products', 'SalesPrice'), ('products', 'Unit'), ('relationships', '_seq'),
        ('relationships', '_changed_at')) ORDER BY column_name COLLATE "C"`,
    ) as readonly { column_name: string; data_type: string }[];
    assert.deepEqual(Object.fromEntries(types.map((each) => [each.column_name, each.data_type])), {
      AuditData_CreatedAt: 'text',
      AuditData_CreatedAt_instant: 'timestamp with time zone',
      Description: 'text',
      Id: 'uuid',
      IsContact: 'boolean',
      SalesPrice: 'numeric',
      Unit: 'integer',
      _changed_at: 'timestamp with time zone',
      _seq: 'bigint',
    });
    const bare = `SELECT c.relname || '.' || a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = 'relctl'::regnamespace AND c.relkind = 'r' AND c.relname <> '_relctl' AND a.attnum > 0
      AND col_description(c.oid, a.attnum) IS NULL`;
    assert.equal(server.psql(name, bare), '');
    const indexed = (table: string): string =>
      server.psql(
        name,
        `SELECT string_agg(indexdef, ' ') FROM pg_indexes WHERE schemaname = 'relctl' AND tablename = '${table}'`,
      );
    assert.match(indexed('relationships'), /UNIQUE .*\(_seq\).*\("ParentRelationId"\)/);
    assert.match(indexed('telephone_numbers'), /UNIQUE .*\(_seq, _position\).*\(_owner\)/);
    assert.match(indexed('products'), /\("Code" text_pattern_ops\)/);
  });

  it('keeps each value: digits, booleans, absent, nil and empty, and times where there is a zone', async () => {
    const { address, name } = database();
    await published(address);
    const listed = async (table: string): Promise<readonly Member[]> => here.json(['mirror', 'list', table, '--quiet']);
    const products = await listed('products');
    const rows = server.json(
      name,
      'SELECT "Id"::text, "Code", "SalesPrice"::text, "IsInactive", "Unit", "Description" FROM relctl.products',
    ) as readonly Member[];
    const byId = new Map(rows.map((row) => [row['Id'], row]));
    assert.equal(rows.length, products.length);
    for (const product of products) {
      const row = byId.get(String(product['Id']).toLowerCase());
      for (const column of ['Code', 'IsInactive', 'Unit', 'Description', 'SalesPrice'])
        assert.equal(row?.[column] ?? null, product[column] ?? null, column);
    }
    const times = server.json(
      name,
      `SELECT "AuditData_CreatedAt" AS text, to_char("AuditData_CreatedAt_instant" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS instant FROM relctl.relationships`,
    ) as readonly { text: string; instant: string | null }[];
    const zones = new Set(times.map(({ text }) => /Z$|[+-]\d\d:\d\d$/.exec(text)?.[0]));
    assert.ok(zones.has(undefined) && zones.size > 1, 'some have a zone');
    for (const { text, instant } of times) {
      const has = /Z$|[+-]\d\d:\d\d$/.test(text);
      assert.equal(instant?.slice(0, 23) ?? null, has ? new Date(text).toISOString().slice(0, 23) : null, text);
    }
    const numbers = await here.json<readonly Member[]>([
      ...['sql', 'SELECT _owner, _position, Value FROM telephone_numbers ORDER BY _owner, _position', '--quiet'],
    ]);
    const own = 'SELECT _owner, _position, "Value" FROM relctl.telephone_numbers ORDER BY _owner::text, _position';
    assert.deepEqual(server.json(name, own), numbers);
  });

  it('sends only what changed since, and takes out what is gone; views, grants and keys of others stay', async () => {
    const { address, name } = database();
    await published(address);
    server.psql(
      name,
      `CREATE ROLE analyst; GRANT USAGE ON SCHEMA relctl TO analyst; GRANT SELECT ON relctl.products TO analyst;
      CREATE VIEW public.dear AS SELECT "Code", "SalesPrice" FROM relctl.products WHERE "SalesPrice" > 0;
      CREATE VIEW relctl.mine AS SELECT count(*) FROM relctl.telephone_numbers`,
    );
    assert.deepEqual(moved(await published(address)), {});
    const [id] = here.rows('SELECT "Id" FROM "PvProductData_V2" LIMIT 1')[0] ?? [];
    const [gone] = here.rows('SELECT "Id" FROM "PvProductData_V2" WHERE "Id" <> ? LIMIT 1', id ?? '')[0] ?? [];
    here.execute(
      `UPDATE "PvProductData_V2" SET "Name" = 'zwaar & "duur"', "SalesPrice" = '0012.3400' WHERE "Id" = '${String(id)}'`,
    );
    here.execute(`DELETE FROM "PvProductData_V2" WHERE "Id" = '${String(gone)}'`);
    await sync('products');
    const before = server.psql(name, 'SELECT txid_current()');
    assert.deepEqual(moved(await published(address)), { products: [1, 1] });
    const written = (table: string): string =>
      server.psql(name, `SELECT count(*) FROM relctl.${table} WHERE xmin::text::bigint > ${before}`);
    assert.deepEqual(['products', 'relations', 'telephone_numbers'].map(written), ['1', '0', '0']);
    assert.equal(
      server.psql(name, `SELECT "Name", "SalesPrice" FROM relctl.products WHERE "Id" = '${String(id)}'`),
      'zwaar & "duur"\t12.3400',
    );
    await isAsMirror(name);
    const granted = "SELECT has_table_privilege('analyst', 'relctl.products', 'SELECT')";
    assert.equal(server.psql(name, granted), 't');
    assert.ok(Number(server.psql(name, 'SELECT count(*) FROM public.dear')) > 0);
    assert.ok(Number(server.psql(name, 'SELECT count FROM relctl.mine')) > 0);
    assert.deepEqual(moved(await published(address)), {});
  });

  it('publishes whole what another mirror of the service published, and the items of a list as they are now', async () => {
    const { address, name } = database();
    await published(address);
    const file = here.fresh('other.db');
    await sync('products', 'telephone_book', '--mirror', file);
    const few = await publish(address, '--mirror', file);
    assert.equal(few.code, 0);
    assert.match(few.stderr, /not published, because the mirror has not read it yet: relations, /);
    const counts = (): string =>
      server.psql(
        name,
        'SELECT (SELECT count(*) FROM relctl.products), (SELECT count(*) FROM relctl.relations), (SELECT count(*) FROM relctl.telephone_numbers)',
      );
    const [products = '', relations, numbers = ''] = counts().split('\t');
    assert.equal(relations, '0');
    assert.ok(Number(products) > 0 && Number(numbers) > 0);
    here.execute(
      `DELETE FROM "PvTelephoneNumberData" WHERE rowid IN (SELECT rowid FROM "PvTelephoneNumberData" LIMIT 1)`,
    );
    await sync('telephone_book');
    assert.equal((await published(address)).get('products')?.Sent, Number(products));
    await isAsMirror(name);
    const sql = 'SELECT count(*) AS n FROM telephone_numbers';
    const [{ n } = { n: -1 }] = await here.json<readonly { n: number }[]>(['sql', sql, '--quiet']);
    assert.equal(server.psql(name, 'SELECT count(*) FROM relctl.telephone_numbers'), String(n));
  });

  it('leaves what was there when it is killed, and ends with 6 when the connection is ended', async () => {
    const target = database();
    const { address, name } = target;
    await published(address);
    const shown = (): string =>
      server.psql(name, 'SELECT _record FROM relctl.products ORDER BY _seq') +
      server.psql(name, 'SELECT _record FROM relctl.relations ORDER BY _seq');
    const before = shown();
    here.execute(`UPDATE "PvRelationData" SET "Info" = 'other' WHERE "Id" IS NOT NULL`);
    here.execute(`UPDATE "PvProductData_V2" SET "Description" = 'other' WHERE "Id" IS NOT NULL`);
    await sync('relations', 'products');
    const killed = await amid(target, 'products', async ({ child }) => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    });
    assert.deepEqual([killed.code, shown() === before], [null, true]);
    await until(
      name,
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'relctl' AND datname = current_database()",
      '0',
    );
    const ended = await amid(target, 'products', ({ pid }) => {
      server.psql(name, `SELECT pg_terminate_backend(${pid})`);
      return Promise.resolve();
    });
    assert.equal(ended.code, 6, ended.stderr);
    assert.match(ended.stderr, /is being shut down|ended the connection/);
    assert.equal(shown(), before);
    await published(address);
    await isAsMirror(name);
  });

  it('shows one state of the mirror beside a sync, and one publish at a time writes a schema', async () => {
    const target = database();
    await published(target.address);
    here.execute(`UPDATE "PvRelationData" SET "Info" = 'beside' WHERE "Id" IS NOT NULL`);
    await sync('relations');
    const ended = await amid(target, 'relations', async ({ unlock }) => {
      await ends(publish(target.address), 11, /another run publishes to the schema relctl of postgres:/);
      here.execute(`UPDATE "PvProductData_V2" SET "Description" = 'beside' WHERE "Id" IS NOT NULL`);
      await sync('products');
      await unlock();
    });
    assert.equal(ended.code, 0, ended.stderr);
    const products = `SELECT count(*) FROM relctl.products WHERE "Description" = 'beside'`;
    const relations = `SELECT count(*) > 0 FROM relctl.relations WHERE "Info" = 'beside'`;
    assert.deepEqual([server.psql(target.name, relations), server.psql(target.name, products)], ['t', '0']);
    await published(target.address);
    await isAsMirror(target.name);
  });

  it('goes into a schema that is empty or its own for this service, and drops nothing else', async () => {
    const { address, name } = database();
    server.psql(
      name,
      'CREATE SCHEMA relctl; CREATE TABLE relctl.relations (mine integer); INSERT INTO relctl.relations VALUES (7)',
    );
    await ends(publish(address), 2, /has tables that relctl did not publish.*--schema NAME/s);
    assert.equal(server.psql(name, 'SELECT mine FROM relctl.relations'), '7');
    server.psql(name, 'CREATE SCHEMA crm');
    await published(address, '--schema', 'crm');
    await isAsMirror(name, { schema: 'crm' });
    server.psql(name, `UPDATE crm._relctl SET value = 'https://other.test/' WHERE name = 'url'`);
    const other = await publish(address, '--schema', 'crm');
    assert.equal(other.code, 2, other.stderr);
    assert.match(other.stderr, /published data of another service: url https:\/\/other\.test\/, not http/);
    assert.ok(Number(server.psql(name, 'SELECT count(*) FROM crm.relations')) > 0);
    for (const schema of ['public', 'pg_own', 'A"b', ''])
      assert.equal((await publish(address, '--schema', schema)).code, 2, schema);
  });

  it('refuses a database that is not in UTF-8, with the line that makes one', async () => {
    for (const encoding of ['SQL_ASCII', 'LATIN1']) {
      const name = encoding.toLowerCase();
      server.psql(
        'postgres',
        `CREATE DATABASE ${name} ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
      );
      const address = `postgres://${superuser}@127.0.0.1:${server.port}/${name}`;
      const refused = await ends(publish(address, '-o', 'json'), 2);
      const { error } = JSON.parse(refused.stderr) as { error: { message: string; advice: string } };
      assert.match(error.message, new RegExp(`is in ${encoding}`));
      assert.equal(server.psql(name, "SELECT count(*) FROM pg_namespace WHERE nspname = 'relctl'"), '0');
      server.psql('postgres', /CREATE DATABASE .*/.exec(error.advice)?.[0] ?? '');
      await published(`${address}_utf8`);
      await isAsMirror(`${name}_utf8`);
    }
  });

  it('is the same whatever settings the role has', async () => {
    const { address, name } = database();
    server.psql(
      name,
      `CREATE ROLE odd LOGIN PASSWORD 'oddpass'; GRANT CREATE ON DATABASE ${name} TO odd;
      ALTER ROLE odd SET DateStyle = 'German, DMY'; ALTER ROLE odd SET search_path = public, nowhere;
      ALTER ROLE odd SET standard_conforming_strings = off; ALTER ROLE odd SET default_transaction_read_only = on;
      ALTER ROLE odd SET TimeZone = 'Asia/Tokyo'; ALTER ROLE odd SET statement_timeout = '2s';
      ALTER ROLE odd SET client_encoding = 'LATIN1'; ALTER ROLE odd SET idle_session_timeout = '1s'`,
    );
    const odd = address.replace(`${superuser}@`, 'odd@');
    const { code, stderr } = await here.run(['mirror', 'publish', odd], {
      env: { ...here.env, PGPASSWORD: 'oddpass' },
    });
    assert.deepEqual([code, stderr], [0, '']);
    await isAsMirror(name);
    const one = database();
    await published(one.address);
    const times = 'SELECT "Id", "AuditData_CreatedAt_instant", _first_seen FROM relctl.relationships ORDER BY _seq';
    assert.deepEqual(server.json(name, times), server.json(one.name, times));
  });

  it('takes the password from the environment, a file or a program, never from the address, and shows none', async () => {
    const { address, name } = database();
    const bare = { ...here.env, PGPASSFILE: '/no/such' };
    const none = await here.run(['mirror', 'publish', address], { env: bare });
    assert.equal(none.code, 3);
    assert.match(none.stderr, /requires a password, and there is none.*PGPASSWORD.*PGPASSFILE.*file:.*cmd:/s);
    const file = here.fresh('password');
    writeFileSync(file, `${superuserPassword}\n`, { mode: 0o600 });
    for (const from of [`file:${file}`, `cmd:cat ${file}`, 'env:DATABASE_PASSWORD']) {
      const words = ['mirror', 'publish', address, '--password-from', from, '--quiet'];
      await ends(here.run(words, { env: { ...bare, DATABASE_PASSWORD: superuserPassword } }), 0);
    }
    writeFileSync(here.fresh('other'), '');
    const passFile = here.fresh('pgpass');
    writeFileSync(passFile, `127.0.0.1:*:${name}:${superuser}:${superuserPassword}\n`);
    chmodSync(passFile, 0o600);
    await ends(here.run(['mirror', 'publish', address, '-q'], { env: { ...bare, PGPASSFILE: passFile } }), 0);
    const inAddress = await publish(address.replace('@', ':Wr0ngSecret@'));
    const asFlag = await publish(address, '--password-from', 'Wr0ngSecret');
    const wrong = await here.run(['mirror', 'publish', address], { env: { ...bare, PGPASSWORD: 'Wr0ngSecret' } });
    assert.deepEqual([inAddress.code, asFlag.code, wrong.code], [2, 2, 3]);
    assert.match(inAddress.stderr, /without a password.*PGPASSWORD.*PGPASSFILE.*file:.*cmd:/s);
    for (const { stdout, stderr } of [inAddress, asFlag, wrong]) assert.doesNotMatch(stdout + stderr, /Wr0ngSecret/);
    await ends(publish('postgres://owner@127.0.0.1:1/db'), 6);
  });

  it('says which values the type of their column does not have, and keeps them in the record', async () => {
    const { address, name } = database();
    const file = here.fresh('odd.db');
    await sync('products', '--mirror', file);
    const mirror = openDatabase({ file, what: 'The mirror' });
    mirror.execute(
      `UPDATE all_products SET "SalesPrice" = 'op aanvraag', "_record" = json_set("_record", '$.SalesPrice', 'op aanvraag') WHERE _seq = 3`,
    );
    mirror.close();
    await ends(publish(address, '--mirror', file), 0, /products\.SalesPrice has 1 value that does not match its type/);
    const sql = 'SELECT "SalesPrice" IS NULL, _record::json ->> \'SalesPrice\' FROM relctl.products WHERE _seq = 3';
    assert.equal(server.psql(name, sql), 't\top aanvraag');
  });

  it('changes the columns of a table that an earlier version published, but none that others need', async () => {
    const { address, name } = database();
    await published(address);
    server.psql(
      name,
      `ALTER TABLE relctl.marks DROP COLUMN "Category", ADD COLUMN "Old" text; ALTER TABLE relctl.marks ALTER COLUMN "Type" TYPE text;
      UPDATE relctl._relctl SET value = jsonb_set(value::jsonb, '{columns}', '"others"')::text WHERE name = 'table marks';
      CREATE VIEW public.needs AS SELECT "Old" FROM relctl.marks`,
    );
    await ends(publish(address), 10, /a view or a table of somebody else that needs a column/);
    server.psql(name, 'DROP VIEW public.needs; GRANT SELECT ON relctl.marks TO PUBLIC');
    const lines = moved(await published(address));
    assert.deepEqual(Object.keys(lines), ['marks']);
    await isAsMirror(name);
    const sql = `SELECT count("Category") > 0, pg_typeof(max("Type")), has_table_privilege('public', 'relctl.marks', 'SELECT') FROM relctl.marks`;
    assert.equal(server.psql(name, sql), 't\tinteger\tt');
  });
});
