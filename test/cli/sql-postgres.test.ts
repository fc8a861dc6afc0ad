import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { place } from '../support/operations/place.js';
import { startPostgres, superuserPassword, type PostgresServer } from '../support/postgres.js';
import { program } from '../support/relctl.js';

/** Statements that are answered, and their rows as JSON. */
const answered: readonly (readonly [sql: string, rows: readonly object[]])[] = [
  ['SELECT 1 AS a', [{ a: 1 }]],
  ['/* why /* nested :x; */ */ SELECT 1 a; -- ;', [{ a: 1 }]],
  [
    'VALUES (1, NULL), (2, 3)',
    [
      { column1: 1, column2: null },
      { column1: 2, column2: 3 },
    ],
  ],
  ['SELECT 9007199254740991 AS a, 9007199254740993 AS b', [{ a: 9007199254740991, b: '9007199254740993' }]],
  ['SELECT 12.50::numeric(40, 2) AS a, true AS b, false AS c', [{ a: '12.50', b: true, c: false }]],
  ["SELECT 'NaN'::float8 AS a, 0.1::float8 AS b, '-Infinity'::float4 AS c", [{ a: 'NaN', b: 0.1, c: '-Infinity' }]],
  ["SELECT '\\x00ff10'::bytea AS a", [{ a: 'AP8Q' }]],
  ["SELECT '2026-01-02 03:04:05.678901+02'::timestamptz AS a", [{ a: '2026-01-02T01:04:05.678901Z' }]],
  ["SELECT $q$a; :b$q$ AS a, E'it\\'s; :c' AS b", [{ a: 'a; :b', b: "it's; :c" }]],
  ["SELECT ARRAY[1,2] AS a, '{\"x\":5}'::jsonb ->> 'x' AS b", [{ a: '{1,2}', b: '5' }]],
  ['SELECT 1 AS a WHERE false', []],
  ['WITH t(x) AS (VALUES (1), (2)) SELECT sum(x) AS s FROM t', [{ s: 3 }]],
];

/** Statements that are refused, and what is said. */
const refused: readonly (readonly [sql: string, said: RegExp])[] = [
  ['DELETE FROM all_relations', /changes nothing.*not DELETE/],
  ['COPY all_relations TO STDOUT', /not COPY/],
  ['SET transaction_read_only = off', /not SET/],
  ['SELECT 1; DELETE FROM all_relations', /a second one begins/],
  ['EXPLAIN ANALYZE DELETE FROM all_relations', /not DELETE/],
  ['EXPLAIN (ANALYZE, FORMAT JSON) DELETE FROM all_relations', /not DELETE/],
  ['WITH a AS (SELECT 1) DELETE FROM all_relations', /behind WITH, not DELETE/],
  ['WITH a AS (DELETE FROM all_relations RETURNING 1) SELECT * FROM a', /data-modifying statements in WITH/],
  ['EXPLAIN ANALYZE WITH a AS (DELETE FROM all_relations RETURNING 1) SELECT * FROM a', /changes nothing/],
  ['SELECT * INTO kept FROM relations', /INTO/],
  ['SELECT * FROM all_relations FOR UPDATE', /changes nothing.*FOR UPDATE/],
  ["SELECT set_config('transaction_read_only', 'off', false)", /read-write mode/],
  ["SELECT query_to_xml('CREATE TEMP TABLE kept (a int)', true, false, '') AS a", /changes nothing|non-volatile/],
  ['SELECT * FROM relation', /there is no table relation, at character 15/],
  ['SELECT DisplayName FROM relations', /a name with capitals stands in double quotes, at character 8/],
  ['SELECT r."DisplayNam" FROM relations r', /there is no column DisplayNam, at character 10/],
  ['SELECT \'\u{1f600}\' AS a, :x AS b, "Nothing" FROM relations', /no column Nothing.*, at character 28/],
  ['SELECT upper(:x) || nothing(1) AS a', /function nothing\(integer\) does not exist, at character 21/],
  ['SELECT * FORM relations', /syntax error at or near "FORM", at character 10/],
  ['SELECT 1 AS a, 2 AS a', /two columns are named a/],
  ['SELECT 1/0 AS a', /division by zero/],
  ["SELECT 'x'::integer AS a", /invalid input syntax for type integer/],
  ['SELECT $1', /a parameter has a name/],
  ['SELECT :a AS a', /no --param gives its value/],
  ["SELECT 'a", /has no end/],
  ['SELECT 1 /* a /* b */', /has no end/],
];

describe('SQL on a mirror in PostgreSQL', function () {
  this.timeout(180_000);
  const here = place();
  let server: PostgresServer;
  let owner: string;
  let reader: string;
  const asOwner = { ...here.env, PGPASSWORD: superuserPassword };
  const asReader = { ...here.env, PGPASSWORD: 'readerpass' };
  const sql = (...words: readonly string[]) => here.run(['sql', ...words, '--to', reader], { env: asReader });
  const dump = (): string =>
    server.psql('db1', 'SELECT md5(string_agg(_record, chr(10) ORDER BY _seq)) FROM relctl.all_relations');
  const running = (): string =>
    server.psql('db1', "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'relctl'");

  // The user may write: it is not rights that keep sql from it.
  before(async function () {
    server = await startPostgres(this, { auth: 'scram-sha-256' });
    owner = server.database();
    const synced = await here.run(['mirror', 'sync', 'relations', 'products', '--to', owner], { env: asOwner });
    assert.equal(synced.code, 0, synced.stderr);
    server.psql(
      'db1',
      "CREATE ROLE reader LOGIN PASSWORD 'readerpass'; GRANT USAGE ON SCHEMA relctl TO reader; " +
        "GRANT ALL ON ALL TABLES IN SCHEMA relctl TO reader; CREATE ROLE nobody LOGIN PASSWORD 'readerpass'",
    );
    reader = owner.replace('owner@', 'reader@');
  });
  after(() => server.stop());

  it('answers what the server answers', async () => {
    for (const [statement, rows] of answered) {
      const { code, stdout, stderr } = await sql(statement, '-o', 'json');
      assert.deepEqual([code, stderr], [0, ''], statement);
      assert.deepEqual(JSON.parse(stdout), rows, statement);
    }
  });

  it('reads the rows of the mirror, in every format, streaming', async () => {
    const { stdout } = await sql('SELECT _record FROM all_relations ORDER BY _seq', '-o', 'ndjson');
    const listed = await here.run(['relation', 'list', '-o', 'ndjson']);
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { _record: string })._record);
    assert.equal(records.map((record) => `${record}\n`).join(''), listed.stdout);
    const counted = await sql('SELECT n FROM generate_series(1, 12345) AS n', '-o', 'csv');
    const numbers = Array.from({ length: 12_345 }, (_, at) => at + 1);
    assert.equal(counted.stdout, `n\n${numbers.join('\n')}\n`);
    assert.equal(
      (await sql('SELECT n FROM generate_series(1, 12345) AS n', '-o', 'csv', '--limit', '2')).stdout,
      'n\n1\n2\n',
    );
    const plan = await sql('EXPLAIN SELECT * FROM relations', '-o', 'csv');
    assert.match(plan.stdout, /^QUERY PLAN\n/);
  });

  it('takes parameters with their types', async () => {
    const words = [
      '-o',
      'json',
      '--param',
      "t=x' OR 1=1 --",
      '--param',
      'i:int=9007199254740993',
      '--param',
      'b:bool=true',
    ];
    const types = 'pg_typeof(:i)::text AS ti, pg_typeof(:b)::text AS tb, pg_typeof(:r)::text AS tr';
    const { stdout, stderr } = await sql(
      `SELECT :t AS t, :i + 1 AS i, NOT :b AS b, :r * 2 AS r, :n AS n, ${types}`,
      ...words,
      ...['--param', 'r:real=12.5', '--param', 'n:null='],
    );
    assert.equal(stderr, '');
    assert.deepEqual(JSON.parse(stdout), [
      {
        t: "x' OR 1=1 --",
        i: '9007199254740994',
        b: false,
        r: '25.0',
        n: null,
        ti: 'bigint',
        tb: 'boolean',
        tr: 'numeric',
      },
    ]);
    const [id = ''] = server.psql('db1', 'SELECT "Id" FROM relctl.relations LIMIT 1').split('\n');
    const found = await sql('SELECT "Id" FROM relations WHERE "Id" = :id', '--param', `id=${id}`, '-o', 'csv');
    assert.equal(found.stdout, `Id\n${id}\n`);
  });

  it('refuses what would write and what is wrong, with its place, and nothing is changed', async () => {
    const before = dump();
    for (const [statement, said] of refused) {
      const parameters = statement.includes(':x') ? ['--param', 'x=1'] : [];
      const { code, stdout, stderr } = await sql(statement, ...parameters, '-o', 'csv');
      assert.deepEqual([code, stdout], [2, ''], `${statement}: ${stderr}`);
      assert.match(stderr, said);
    }
    assert.equal(dump(), before);
    assert.equal(server.psql('db1', "SELECT count(*) FROM pg_class WHERE relname = 'kept'"), '0');
  });

  it('refuses a user that is a superuser, or can become one, and one that may not read', async () => {
    const all = await here.run(['sql', 'SELECT 1 AS a', '--to', owner], { env: asOwner });
    assert.equal(all.code, 3);
    assert.match(all.stderr, /is a superuser.*CREATE ROLE reader/s);
    server.psql(
      'db1',
      "CREATE ROLE deputy LOGIN PASSWORD 'readerpass' NOINHERIT; GRANT owner, reader TO deputy; GRANT USAGE ON SCHEMA relctl TO deputy; GRANT SELECT ON ALL TABLES IN SCHEMA relctl TO deputy",
    );
    const deputy = await here.run(['sql', 'SELECT 1 AS a', '--to', owner.replace('owner@', 'deputy@')], {
      env: asReader,
    });
    assert.equal(deputy.code, 3, deputy.stderr);
    assert.match(deputy.stderr, /superuser/);
    const none = await here.run(['sql', 'SELECT 1 AS a', '--to', owner.replace('owner@', 'nobody@')], {
      env: asReader,
    });
    assert.equal(none.code, 3);
    assert.match(none.stderr, /permission denied.*GRANT USAGE ON SCHEMA/s);
  });

  it('says where no mirror is, and that there is no file', async () => {
    const absent = await sql('SELECT 1 AS a', '--schema', 'other');
    assert.equal(absent.code, 5);
    const file = await sql('--print-file');
    assert.equal(file.code, 2);
    assert.match(file.stderr, /takes the file of a mirror here/);
  });

  it('ends a query at --timeout and at Ctrl-C, also at the server', async () => {
    const late = await sql('SELECT pg_sleep(60)::text AS a', '--timeout', '1s');
    assert.equal(late.code, 6);
    assert.match(late.stderr, /took longer than --timeout 1s/);
    const child = spawn(process.execPath, [program, 'sql', 'SELECT pg_sleep(600)::text AS a', '--to', reader], {
      env: asReader,
      stdio: 'ignore',
    });
    while (
      server.psql('db1', "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'FETCH%' AND state = 'active'") === '0'
    )
      await wait(50);
    child.kill('SIGINT');
    const [, by] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    assert.equal(by, 'SIGINT');
    while (running() !== '0') await wait(100);
  });
});
