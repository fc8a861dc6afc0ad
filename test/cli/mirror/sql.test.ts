import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ends, home, program, relctl, relctlProcess, type Run } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { needs, python } from '../../support/skip.js';

/** Never ends, and never has a row. */
const endless = 'WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';

/** Statements that are answered, and their rows as JSON. */
const answered: readonly (readonly [sql: string, rows: readonly object[]])[] = [
  ['SELECT 1 AS a', [{ a: 1 }]],
  ['select 1 a;', [{ a: 1 }]],
  [
    '/* why */ -- how\nVALUES (1, NULL), (2, 3)',
    [
      { column1: 1, column2: null },
      { column1: 2, column2: 3 },
    ],
  ],
  ['WITH t(x) AS (VALUES (1), (2)) SELECT sum(x) AS s FROM t', [{ s: 3 }]],
  ["SELECT 'DELETE; DROP' AS a -- ; PRAGMA x", [{ a: 'DELETE; DROP' }]],
  ['SELECT 9007199254740991 AS a, 9007199254740992 AS b', [{ a: 9007199254740991, b: '9007199254740992' }]],
  ['SELECT -9223372036854775808 AS a', [{ a: '-9223372036854775808' }]],
  ['SELECT 1e999 AS a, -1e999 AS b, 2.5 AS c', [{ a: 'Infinity', b: '-Infinity', c: 2.5 }]],
  ["SELECT x'00ff10' AS a", [{ a: 'AP8Q' }]],
  ["SELECT '' AS a, NULL AS b", [{ a: '', b: null }]],
  ['SELECT 1 AS a WHERE 0', []],
  ['SELECT value AS v FROM json_each(\'[1,"b"]\')', [{ v: 1 }, { v: 'b' }]],
  ['SELECT value AS v FROM generate_series(1, 3)', [{ v: 1 }, { v: 2 }, { v: 3 }]],
  ["SELECT upper('ab') || lower('CD') AS a, '{\"x\":5}' ->> 'x' AS b", [{ a: 'ABcd', b: 5 }]],
  ['SELECT x, row_number() OVER (ORDER BY x DESC) AS n FROM (VALUES (1)) JOIN (SELECT 7 AS x)', [{ x: 7, n: 1 }]],
  [
    'SELECT 1 AS "__proto__", 2 AS "a.b", 3 AS "toString"',
    [JSON.parse('{"__proto__":1,"a.b":2,"toString":3}') as object],
  ],
  ["SELECT 'z\u00eb\u{1f600}' AS a", [{ a: 'z\u00eb\u{1f600}' }]],
];

/** Statements that are refused, and what is said. */
const refused: readonly (readonly [sql: string, said: RegExp])[] = [
  ['DELETE FROM relations', /is read-only.*not DELETE/],
  ['INSERT INTO relations VALUES (1)', /not INSERT/],
  ['UPDATE all_relations SET Id = 1', /not UPDATE/],
  ['REPLACE INTO all_relations VALUES (1)', /not REPLACE/],
  ['DROP TABLE all_relations', /not DROP/],
  ['CREATE TABLE x (a)', /not CREATE/],
  ['CREATE TEMP TABLE x (a)', /not CREATE/],
  ['ALTER TABLE all_relations RENAME TO x', /not ALTER/],
  ['PRAGMA user_version = 7', /not PRAGMA/],
  ['PRAGMA query_only = OFF', /not PRAGMA/],
  ['PRAGMA journal_mode = DELETE', /not PRAGMA/],
  ["ATTACH 'other.db' AS other", /not ATTACH/],
  ['DETACH main', /not DETACH/],
  ['VACUUM', /not VACUUM/],
  ["VACUUM INTO 'copy.db'", /not VACUUM/],
  ['BEGIN IMMEDIATE', /not BEGIN/],
  ['COMMIT', /not COMMIT/],
  ['SAVEPOINT a', /not SAVEPOINT/],
  ['ANALYZE', /not ANALYZE/],
  ['REINDEX', /not REINDEX/],
  ['EXPLAIN DELETE FROM relations', /not DELETE/],
  ['WITH a AS (SELECT 1) DELETE FROM all_relations RETURNING *', /after WITH, not DELETE/],
  ['WITH a AS (SELECT 1) INSERT INTO all_relations SELECT * FROM a', /after WITH, not INSERT/],
  ['WITH a AS (SELECT 1) UPDATE all_relations SET Id = 1 RETURNING *', /after WITH, not UPDATE/],
  ['SELECT 1; DELETE FROM all_relations', /a second one begins/],
  ['SELECT 1;\nSELECT 2', /a second one begins, at line 2, character 1/],
  ["SELECT writefile('written', 'x')", /no function writefile/],
  ["SELECT \"writefile\"('written', 'x')", /no function writefile/],
  ["SELECT [WriteFile]('written', 'x')", /no function writefile/],
  ["SELECT /**/ writefile /**/ ('written', 'x')", /no function writefile/],
  ["SELECT coalesce(1, writefile('written', 'x'))", /no function writefile/],
  ["SELECT count(*) FROM relations WHERE writefile('written', Id) > 0", /no function writefile/],
  ["SELECT Id FROM relations ORDER BY writefile('written', Id)", /no function writefile/],
  ["VALUES (1, writefile('written', 'x'))", /no function writefile/],
  ["WITH a AS MATERIALIZED (SELECT readfile('/etc/passwd') AS b) SELECT b FROM a", /no function readfile/],
  ["SELECT load_extension('x')", /no function load_extension/],
  ["SELECT fts3_tokenizer('a')", /no function fts3_tokenizer/],
  ['SELECT lsmode(1)', /no function lsmode/],
  ["SELECT * FROM fsdir('/')", /does not read fsdir/],
  ["SELECT name FROM 'fsdir' WHERE path = '/'", /does not read fsdir/],
  ['SELECT f.name FROM "FSDIR" AS f WHERE f.path = \'/\'', /does not read fsdir/],
  ['SELECT * FROM sqlite_dbpage', /does not read sqlite_dbpage/],
  ['SELECT * FROM pragma_query_only', /does not read pragma_query_only/],
  ["SELECT * FROM pragma_table_info('relations')", /does not read pragma_table_info/],
  ['SELECT * FROM relation', /there is no table relation, at character 15/],
  ['SELECT DisplayNam FROM relations', /there is no column DisplayNam, at character 8/],
  ['SELECT r.DisplayNam FROM relations r', /there is no column r.DisplayNam, at character 10/],
  ['SELECT uper(Id) FROM relations', /there is no function uper/],
  ['SELECT Id FROM relations r JOIN relationships s', /several tables here have the column Id/],
  ['SELECT * FORM relations', /syntax error at/],
  ['SELECT * FROM', /is incomplete/],
  ['SELECT (1', /is incomplete/],
  ['SELECT 1 AS a, 2 AS a', /two columns are named a/],
  ['SELECT 2, 1', /is a number: rename it with AS/],
  ['SELECT 1 AS ""', /column 1 has no name/],
  ['SELECT abs(-9223372036854775808) AS a', /integer overflow/],
  ["SELECT json('{') AS a", /malformed JSON/],
  ["SELECT 'a", /has no end/],
  ['SELECT ?1', /parameters need a name/],
  ['SELECT :a', /no --param sets its value/],
  ["SELECT 1 AS a LIMIT 'x'", /has the wrong type/],
  ['SELECT Code FROM products WHERE SalesPrice > 10', /SalesPrice has numbers as text/],
  ['', /there is no statement/],
];

describe('SQL on the mirror', () => {
  const place = home();
  after(() => place.remove());
  const { env, folder } = place;
  let file = '';

  const sql = (...args: readonly string[]): Promise<Run> => relctl(['sql', '-p', 'sandbox', ...args], { env });

  async function good(...args: readonly string[]): Promise<string> {
    return (await ends(sql(...args), 0)).stdout;
  }

  const digest = (): string => createHash('sha256').update(readFileSync(file)).digest('hex');

  before(async () => {
    await ends(relctl(['mirror', 'sync', '-p', 'sandbox', '-q'], { env }), 0);
    file = (await good('--print-file')).trim();
  });

  it('says where its file is, for other tools', () => {
    assert.ok(file.startsWith(folder) && existsSync(file));
  });

  it('answers what only asks, and refuses the rest, and no statement changes a byte of the file', async () => {
    const before = digest();
    const files = readdirSync(folder).length;
    for (const [text, rows] of answered) {
      const { stdout } = await ends(sql(text, '-o', 'json'), 0);
      assert.equal(stdout, `${stdout === '[]\n' ? '[]' : stdout.trim()}\n`);
      assert.deepEqual(JSON.parse(stdout), rows, text);
    }
    for (const [text, said] of refused) {
      await ends(sql(text), 2, said, '');
      assert.equal(digest(), before, text);
    }
    assert.equal(readdirSync(folder).length, files);
    assert.ok(!existsSync('written') && !existsSync('copy.db'));
  });

  it('proposes the statement that was meant', async () => {
    const lines = [
      ['SELECT DisplayNam FROM relations', 'SELECT DisplayName FROM relations'],
      ['SELECT * FROM relation', 'SELECT * FROM relations'],
      ['SELECT * FORM relations', 'SELECT * FROM relations'],
      ['SELCT 1', 'SELECT 1'],
      [
        'SELECT Id FROM relations WHERE DisplayName = "Veen"',
        `SELECT Id FROM relations WHERE DisplayName = '\\''Veen'\\''`,
      ],
      ['SELECT Code FROM products ORDER BY SalesPrice', 'SELECT Code FROM products ORDER BY CAST(SalesPrice AS REAL)'],
    ];
    for (const [given = '', meant = ''] of lines) {
      const { stderr } = await sql(given);
      assert.ok(stderr.includes(`Try: relctl sql -p sandbox '${meant}'`), stderr);
    }
  });

  it('prints an answer in every format', async () => {
    const query = "SELECT 'a,\"b' AS Text, 12 AS Number, NULL AS None UNION ALL SELECT 'é', 9007199254740993, 'x'";
    assert.equal(await good(query, '-o', 'csv'), 'Text,Number,None\n"a,""b",12,\né,9007199254740993,x\n');
    assert.equal(await good(query, '-o', 'tsv'), 'Text\tNumber\tNone\na,"b\t12\t\né\t9007199254740993\tx\n');
    assert.equal(
      await good(query, '-o', 'ndjson'),
      '{"Text":"a,\\"b","Number":12,"None":null}\n{"Text":"é","Number":"9007199254740993","None":"x"}\n',
    );
    assert.match(await good(query, '-o', 'yaml'), /Number: "?9007199254740993"?/);
    assert.match(await good(query, '-o', 'table'), /Text +Number +None\n/);
    assert.match(await good(query, '-o', 'card'), /9007199254740993/);
    const book = join(folder, 'answer.xlsx');
    await good(query, '--output-file', book);
    assert.ok(statSync(book).size > 1000);
  });

  it('shows columns of the mirror as lists show them, and numbers computed as numbers', async () => {
    const listed = await relctl(['product', 'list', '-p', 'sandbox', '-o', 'json', '--columns', 'Code,SalesPrice'], {
      env,
    });
    const rows = await good('SELECT Code, SalesPrice FROM products', '-o', 'json');
    assert.deepEqual(JSON.parse(rows), JSON.parse(listed.stdout));
    const sorted = await good('SELECT Code, length(Name) AS n FROM products', '--sort', 'n:desc,Code', '-o', 'csv');
    const lengths = sorted
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => Number(line.split(',').at(-1)));
    assert.deepEqual(
      lengths,
      lengths.toSorted((a, b) => b - a),
    );
    assert.ok(new Set(lengths.map((length) => String(length).length)).size > 1);
  });

  it('goes with the flags of output', async () => {
    const numbers = 'SELECT value AS n FROM generate_series(1, 5)';
    assert.equal(await good(numbers, '--where', 'n > 2', '--limit', '2', '-o', 'csv'), 'n\n3\n4\n');
    assert.equal(await good(numbers, '--sort', 'n:desc', '--limit', '2', '-o', 'csv'), 'n\n5\n4\n');
    assert.equal(
      await good(numbers, '--query', '[].n', '-o', 'json'),
      '[1,2,3,4,5]\n'.replaceAll(',', ',\n  ').replace('[', '[\n  ').replace(']', '\n]'),
    );
    assert.equal(await good(numbers, '--where', 'n > 2', '--count'), '3\n');
    assert.equal(await good('SELECT 1 AS a, 2 AS b', '--columns', 'b', '--no-header', '-o', 'csv'), '2\n');
    const { stderr } = await sql(numbers, '--limit', '2', '-o', 'csv');
    assert.match(stderr, /stopped at --limit: more rows exist/);
    assert.equal((await sql(numbers, '--limit', '5', '-o', 'csv')).stderr, '');
    assert.equal((await sql(numbers, '--where', 'm > 2')).code, 2);
  });

  it('takes parameters, of which no text becomes part of the statement', async () => {
    const text = "x' OR 1=1 --";
    const answer = await good(
      ...argv`
        "SELECT :a AS a, :b + 1 AS b, typeof(:c) AS c" --param a=${text} --param b:int=9007199254740993 --param c:null=
        -o json
      `,
    );
    assert.deepEqual(JSON.parse(answer), [{ a: text, b: '9007199254740994', c: 'null' }]);
    assert.equal((await sql('SELECT :a', '--param', 'a=1', '--param', 'b=2')).code, 2);
  });

  it('takes the statement from a file or from stdin, and one of them only', async () => {
    const path = join(folder, 'question.sql');
    writeFileSync(path, '\ufeff-- a question\nSELECT 1 AS a;\n');
    assert.equal(await good('--file', path, '-o', 'csv'), 'a\n1\n');
    const piped = await relctl(['sql', '-', '-p', 'sandbox', '-o', 'csv'], { env, input: 'SELECT 2 AS a' });
    assert.equal(piped.stdout, 'a\n2\n');
    writeFileSync(path, 'SELECT 1,\n  Idd\nFROM relations');
    await ends(sql('--file', path), 2, /there is no column Idd, at line 2, character 3\n {6}Idd\n {6}\^/);
    assert.match((await sql('SELECT 1', '--file', path)).stderr, /set twice/);
    assert.equal((await sql('--file', join(folder, 'none.sql'))).code, 2);
    writeFileSync(path, Buffer.from([0x53, 0xff]));
    assert.match((await sql('--file', path)).stderr, /is not UTF-8 text/);
  });

  it('lets no control character of a value or a name through to a terminal', async () => {
    const { stdout } = await relctl(['sql', 'SELECT char(27) || \'[2J\' AS "n\u{9b}31m"', '-p', 'sandbox'], {
      env: { ...env, RELCTL_FORCE_TTY: '80' },
    });
    assert.ok(!/[\u001b\u009b]/.test(stdout), JSON.stringify(stdout));
  });

  it('lists the columns of the tables without a statement, with what they hold, in each format', async () => {
    const { stdout, stderr, code } = await relctl(['sql', '-p', 'sandbox'], {
      env: { ...env, RELCTL_FORCE_TTY: '160' },
    });
    assert.equal(code, 0);
    assert.match(stdout, /\nrelations +DisplayName +string [^]*\ntelephone_numbers +_owner +guid [^]*/);
    assert.match(stderr, /relctl sql "SELECT/);
    const csv = await sql('-o', 'csv');
    assert.match(csv.stdout, /^Table,Column,Type,Stored,Holds\n[^]*\nproducts,SalesPrice,decimal,TEXT,/);
    assert.equal(csv.stderr, '');
    await ends(sql('--param', 'a=1'), 2, /QUERY is missing: the statement that --param is for/);
  });

  it('compares and orders decimals as the list does, and as other programs that read the file do', async function () {
    needs(this, 'python3');
    const query = 'SELECT Code FROM products WHERE SalesPrice_number > 99.9 ORDER BY SalesPrice_number DESC, Code';
    const asked = await sql(query, '-o', 'csv', '--no-header');
    const words = ['product', 'list', '--where', 'SalesPrice > 99.9', '--sort', 'SalesPrice:desc,Code'];
    const listed = await relctl([...words, '--columns', 'Code', '-o', 'csv', '--no-header', '-p', 'sandbox'], { env });
    const file = (await sql('--print-file')).stdout.trim();
    const script =
      'import sqlite3, sys; [print(code) for (code,) in sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True).execute(sys.argv[2])]';
    const read = spawnSync(python('sqlite3'), ['-c', script, file, query], { encoding: 'utf8' });
    assert.ok(asked.stdout.split('\n').length > 10, asked.stdout);
    assert.equal(asked.stdout, listed.stdout);
    assert.equal(read.stdout, asked.stdout, read.stderr);
  });

  it('says which command makes a mirror where there is none', async () => {
    const { code, stderr } = await relctl(['sql', 'SELECT 1', '-p', 'sandbox', '--mirror', join(folder, 'none.db')], {
      env,
    });
    assert.equal(code, 5);
    assert.match(stderr, /Try: relctl mirror sync (-p|--profile) sandbox/);
    assert.ok(!existsSync(join(folder, 'none.db')));
  });

  it('takes no address for the file of a mirror, and repeats no password of one', async () => {
    for (const words of [['SELECT 1'], ['--print-file']]) {
      const { code, stderr } = await sql(...words, '--mirror', 'postgres://user:s3cret@db/crm');
      assert.equal(code, 2);
      assert.match(stderr, /--mirror needs the path of a file/);
      assert.doesNotMatch(stderr, /s3cret/);
    }
  });

  it('ends a query without end at --timeout', async () => {
    await ends(sql(endless, '--timeout', '1s'), 6, /exceeded --timeout 1s/);
  });

  it('ends with an error where a value ends the process that reads', async () => {
    await ends(sql("SELECT CAST(x'ff' AS TEXT) AS a"), 10, /the process that reads the mirror ended by SIG/);
    assert.equal((await sql("SELECT length(format('%900000000d', 1)) AS a")).code, 10);
  });

  it('ends a query without end at Ctrl-C, and leaves no process behind, not when it is killed either', async () => {
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      const child = spawn(process.execPath, [program, 'sql', endless, '-p', 'sandbox'], { env, stdio: 'ignore' });
      const readers = (): readonly string[] => childrenOf(child.pid ?? 0);
      while (readers().length === 0) await wait(20);
      const [reader = ''] = readers();
      child.kill(signal);
      const [, by] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
      assert.equal(by, signal);
      while (isRunning(reader)) await wait(20);
    }
  });

  it('ends quietly where its reader has gone', async () => {
    await ends(relctlProcess(['doctor', '--help'], { env }), 0);
    const child = spawn(
      'bash',
      [
        '-c',
        `set -o pipefail; "${process.execPath}" "${program}" sql "SELECT value AS n FROM generate_series(1, 1000000)" -p sandbox -o csv | head -2`,
      ],
      { env },
    );
    let text = '';
    child.stdout.on('data', (piece: Buffer) => (text += piece.toString()));
    const [status] = (await once(child, 'close')) as [number | null];
    assert.deepEqual([status, text], [0, 'n\n1\n']);
  });
});

/** Processes that a process started, by the list of the system. */
function childrenOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter((id) => id.trim() !== '');
  } catch {
    return [];
  }
}

/** True for a process that is there and has not ended. */
function isRunning(pid: string): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
