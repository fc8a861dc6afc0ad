import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeLock } from '../../src/files/locks/lock.js';
import { duckdb, quoted, type Questions } from '../support/output/duckdb.js';
import { place } from '../support/operations/place.js';
import { program } from '../support/relctl.js';

type Member = Readonly<Record<string, unknown>>;

describe('The export of a mirror', () => {
  const here = place();
  let reader: Questions | undefined;
  before(async function () {
    this.timeout(60_000);
    reader = await duckdb(this);
    const { code, stderr } = await here.run(['mirror', 'sync', '--quiet']);
    assert.equal(code, 0, stderr);
  });
  after(() => reader?.close());

  const folder = (name: string): string => join(here.folder, name);
  const exported = (name: string, ...words: readonly string[]) =>
    here.run(['mirror', 'export', folder(name), ...words]);

  /** What DuckDB reads of the files of a pattern. */
  async function asked(sql: string): Promise<readonly (readonly unknown[])[]> {
    assert.ok(reader);
    return reader.rows(sql);
  }

  /** A file as an object for each row. */
  async function rowsOf(file: string): Promise<readonly Member[]> {
    const from = `from ${quoted(file)}`;
    const titles = (await asked(`select column_name from (describe select * ${from})`)).flat().map(String);
    const rows = await asked(`select * ${from}`);
    return rows.map((row) => Object.fromEntries(titles.map((title, at) => [title, row[at]])));
  }

  /** What stands in the column of a member; a nested one has `_` in its name. */
  function cell(record: Member, [first = '', ...rest]: readonly string[]): unknown {
    const value = record[first] ?? null;
    if (rest.length > 0) return value === null ? null : cell(value as Member, rest);
    return typeof value === 'number' ? BigInt(value) : value;
  }

  it('is a Parquet file for each table, with the values of the list', async () => {
    const run = await exported('lake');
    assert.deepEqual([run.code, run.stdout, run.stderr], [0, '', '']);
    const files = readdirSync(folder('lake'));
    for (const name of ['relations', 'relationships', 'telephone_book', 'telephone_numbers', 'products', 'marks'])
      assert.ok(files.includes(`${name}.parquet`), name);
    assert.ok(
      files.every((name) => /^[A-Za-z_]+\.parquet$/.test(name) && !/^_|activities/.test(name)),
      files.join(),
    );
    for (const [table, ...list] of [
      ['relations', 'relation', 'list'],
      ['relationships', 'relationship', 'list'],
      ['products', 'product', 'list'],
    ] as const) {
      const records = await here.json<readonly Member[]>(list);
      const rows = await rowsOf(join(folder('lake'), `${table}.parquet`));
      const own = Object.keys(rows[0] ?? {}).filter((title) => !/^_|_instant$/.test(title));
      assert.ok(own.length > 4);
      const wanted = records.map((record) => own.map((title) => cell(record, title.split('_'))));
      assert.deepEqual(
        rows.map((row) => own.map((title) => row[title])),
        wanted,
      );
    }
    const mode = statSync(join(folder('lake'), 'relations.parquet')).mode & 0o777;
    assert.deepEqual([mode, statSync(folder('lake')).mode & 0o777], [0o600, 0o700]);
  });

  it('holds the items of lists beside the Id of their record', async () => {
    assert.equal((await exported('items', 'telephone_numbers', 'telephone_book')).code, 0);
    assert.deepEqual(readdirSync(folder('items')).sort(), ['telephone_book.parquet', 'telephone_numbers.parquet']);
    const book = await here.json<readonly { relation: Member; TelephoneNumbers: readonly Member[] }[]>([
      ...['relation', 'phone-book'],
    ]);
    const items = book.flatMap(({ relation, TelephoneNumbers }) =>
      TelephoneNumbers.map((each, at) => [relation['Id'], BigInt(at), each['Value']]),
    );
    const sql = `select _owner, _position, "Value" from ${quoted(join(folder('items'), 'telephone_numbers.parquet'))}`;
    assert.deepEqual([...(await asked(sql))].map(String).sort(), items.map(String).sort());
  });

  it('is the same in every format', async () => {
    const files = new Map<string, readonly unknown[]>();
    for (const format of ['parquet', 'csv', 'tsv', 'ndjson']) {
      const run = await exported('formats', 'Products', 'marks', '-o', format);
      assert.equal(run.code, 0, run.stderr);
      const path = quoted(join(folder('formats'), `products.${format}`));
      const from = { parquet: path, ndjson: `read_ndjson(${path})` }[format] ?? `read_csv(${path}, all_varchar = true)`;
      const texts = ['Id', 'Code', 'SalesPrice', 'IsInactive'].map((name) => `${name}::varchar`).join(', ');
      files.set(format, await asked(`select ${texts} from ${from} order by Id`));
    }
    const [first, ...others] = files.values();
    assert.equal(first?.length, 44);
    for (const other of others) assert.deepEqual(other, first);
    assert.equal(readdirSync(folder('formats')).length, 8);
  });

  it('replaces what it wrote itself, and what others wrote only by --force; and then all or nothing', async () => {
    assert.equal((await exported('mine')).code, 0);
    assert.equal((await exported('mine')).code, 0);
    const foreign = join(folder('mine'), 'relations.parquet');
    writeFileSync(foreign, 'of somebody else');
    const before = readdirSync(folder('mine'));
    const refused = await exported('mine');
    assert.equal(refused.code, 10);
    assert.match(refused.stderr, /relations\.parquet exists already, .*\n {2}Try: relctl mirror export .* --force\n$/);
    assert.equal(readFileSync(foreign, 'utf8'), 'of somebody else');
    assert.deepEqual(readdirSync(folder('mine')), before);
    assert.equal((await exported('mine', '--force')).code, 0);
    assert.equal((await asked(`select count(*) from ${quoted(foreign)}`))[0]?.[0], 60n);
  });

  it('leaves every file as it was when one of them cannot be written to its end', async () => {
    assert.equal((await exported('full', 'marks', '-o', 'csv')).code, 0);
    const file = join(folder('full'), 'marks.csv');
    const before = statSync(file).ino;
    const args = ['mirror', 'export', folder('full'), 'marks', 'relations', '-o', 'csv'];
    assert.equal((await exported('whole', '-o', 'csv')).code, 0);
    // No file may become as large as that of relations, behind that of marks; those that SQLite makes are smaller.
    const kibibytes = Math.floor(statSync(join(folder('whole'), 'relations.csv')).size / 1024);
    assert.ok(kibibytes > 33);
    const line = `ulimit -f ${kibibytes} && exec "$0" "$@"`;
    const ended = spawnSync('bash', ['-c', line, process.execPath, program, ...args], { env: here.env });
    assert.equal(ended.status, 10, ended.stderr.toString());
    assert.match(ended.stderr.toString(), /relations\.csv cannot be written/);
    assert.deepEqual([readdirSync(folder('full')), statSync(file).ino], [['marks.csv'], before]);
  });

  it('is made by one run at a time in a folder', async () => {
    mkdirSync(folder('shared'));
    const release = await takeLock(join(folder('shared'), '.relctl.lock'));
    const second = await exported('shared', 'marks');
    assert.deepEqual([second.code, readdirSync(folder('shared'))], [11, ['.relctl.lock']]);
    assert.match(second.stderr, /shared is .*\n.*Try: relctl mirror export .* --lock-wait 10m/s);
    const waiting = exported('shared', 'marks', '--lock-wait', '20s', '--quiet');
    release();
    assert.equal((await waiting).code, 0);
    assert.deepEqual(readdirSync(folder('shared')), ['marks.parquet']);
  });

  it('says what is wrong with a table, a folder or a format', async () => {
    mkdirSync(folder('odd'));
    writeFileSync(join(folder('odd'), 'file'), '');
    for (const [code, words, ...args] of [
      [2, /no table 'relatons'.*\n {2}Try: relctl mirror export .* relations/, 'odd', 'relatons'],
      [2, /nothing fills activities yet\n {2}Try: relctl mirror add --help/, 'odd', 'activities'],
      [2, /exported as parquet, csv, tsv, ndjson, not as 'xlsx'/, 'odd', '-o', 'xlsx'],
      [10, /odd\/file is no folder/, 'odd/file'],
      [5, /there is no mirror in .*other\.db/, 'odd', '--to', folder('other.db')],
    ] as const) {
      const [name = '', ...words_] = args;
      const run = await exported(name, ...words_);
      assert.equal(run.code, code, run.stderr);
      assert.match(run.stderr, words);
    }
    assert.deepEqual(readdirSync(folder('odd')), ['file']);
    assert.equal(existsSync(folder('other.db')), false);
  });

  it('is of what was read only', async () => {
    const to = ['--to', folder('few.db')];
    assert.equal((await here.run(['mirror', 'sync', 'marks', 'LegalEntity', '--quiet', ...to])).code, 2);
    assert.equal(
      (await here.run(['mirror', 'sync', 'marks', 'system_datastores LegalEntity', '--quiet', ...to])).code,
      0,
    );
    const run = await exported('few', ...to);
    assert.equal(run.code, 0);
    const said = 'Note: not in the files, because not read into the mirror yet: ';
    assert.ok(run.stderr.startsWith(`${said}relations, relationships, `), run.stderr);
    const some = await exported('few', 'system_datastores', ...to);
    assert.ok(some.stderr.startsWith(`${said}system_datastores `), some.stderr);
    assert.equal((await exported('few', 'marks', ...to)).stderr, '');
    assert.deepEqual(readdirSync(folder('few')).sort(), ['marks.parquet', 'system_datastores.parquet']);
    const none = await exported('few', 'products', ...to);
    assert.deepEqual(
      [none.code, /products was not read into the mirror yet\n {2}Try: relctl mirror sync /.test(none.stderr)],
      [2, true],
    );
  });
});
