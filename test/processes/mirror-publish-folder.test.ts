import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeLock } from '../../src/state/locks/lock.js';
import { place } from '../support/operations/place.js';
import { duckdb, quoted, type Questions } from '../support/output/other-programs.js';
import { ends, program } from '../support/relctl.js';

type Member = Readonly<Record<string, unknown>>;

/** What `_relctl.json` says. */
interface Manifest {
  readonly files: readonly {
    readonly name: string;
    readonly rows: number;
    readonly bytes: number;
    readonly sha256: string;
  }[];
  readonly replacing?: readonly unknown[];
}

describe('Publishing a mirror to a folder', () => {
  const here = place();
  let reader: Questions | undefined;
  before(async function () {
    this.timeout(60_000);
    reader = await duckdb(this);
    await sync();
  });
  after(() => reader?.close());

  const folder = (name: string): string => join(here.folder, name);
  const publish = (name: string, ...words: readonly string[]) =>
    here.run(['mirror', 'publish', folder(name), '--quiet', ...words]);
  const done = async (name: string, ...words: readonly string[]): Promise<void> => {
    await ends(publish(name, ...words), 0, '');
  };
  const manifestOf = (name: string): Manifest =>
    JSON.parse(readFileSync(join(folder(name), '_relctl.json'), 'utf8')) as Manifest;
  const filesOf = (name: string): readonly string[] => readdirSync(folder(name)).sort();

  async function sync(): Promise<void> {
    await ends(here.run(['mirror', 'sync', '--quiet']), 0);
  }

  /** What DuckDB reads. */
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

  it('writes a Parquet file for each table, with the values of the list, and a list of the files with their hashes', async () => {
    await done('lake');
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
    const { files, replacing } = manifestOf('lake');
    assert.equal(replacing, undefined);
    assert.deepEqual([...files.map(({ name }) => name), '_relctl.json'].sort(), filesOf('lake'));
    for (const { name, rows, bytes, sha256 } of files) {
      const content = readFileSync(join(folder('lake'), name));
      assert.deepEqual([content.length, createHash('sha256').update(content).digest('hex')], [bytes, sha256], name);
      assert.equal((await asked(`select count(*) from ${quoted(join(folder('lake'), name))}`))[0]?.[0], BigInt(rows));
    }
    const mode = statSync(join(folder('lake'), 'relations.parquet')).mode & 0o777;
    assert.deepEqual([mode, statSync(folder('lake')).mode & 0o777], [0o600, 0o700]);
  });

  it('holds the items of lists beside the Id of their record', async () => {
    await done('items');
    const book = await here.json<readonly { relation: Member; TelephoneNumbers: readonly Member[] }[]>([
      ...['relation', 'phone-book'],
    ]);
    const items = book.flatMap(({ relation, TelephoneNumbers }) =>
      TelephoneNumbers.map((each, at) => [relation['Id'], BigInt(at), each['Value']]),
    );
    const sql = `select _owner, _position, "Value" from ${quoted(join(folder('items'), 'telephone_numbers.parquet'))}`;
    assert.deepEqual([...(await asked(sql))].map(String).sort(), items.map(String).sort());
  });

  it('has the same values as CSV, and one format at a time', async () => {
    await done('formats');
    const parquet = filesOf('formats');
    const texts = ['Id', 'Code', 'Name', 'SalesPrice', 'IsInactive'].map((name) => `"${name}"::varchar`).join(', ');
    const products = (file: string): Promise<readonly (readonly unknown[])[]> =>
      asked(`select ${texts} from ${file} order by Id`);
    const before = await products(quoted(join(folder('formats'), 'products.parquet')));
    await done('formats', '--format', 'csv');
    assert.deepEqual(filesOf('formats'), parquet.map((name) => name.replace('.parquet', '.csv')).sort());
    const csv = `read_csv(${quoted(join(folder('formats'), 'products.csv'))}, all_varchar = true)`;
    assert.deepEqual(await products(csv), before);
    assert.ok(before.length > 40);
  });

  it('replaces what it published itself, never what others made or changed, and then nothing', async () => {
    await done('mine');
    here.execute(`UPDATE "PvProductData_V2" SET "Name" = 'other' WHERE "Id" IS NOT NULL`);
    await sync();
    await done('mine');
    const file = join(folder('mine'), 'products.parquet');
    assert.deepEqual(await asked(`select distinct "Name" from ${quoted(file)}`), [['other']]);
    const before = filesOf('mine').map((name) => [name, statSync(join(folder('mine'), name)).ino]);
    const refused = async (foreign: string): Promise<void> => {
      const was = readFileSync(foreign);
      await ends(publish('mine'), 10, /relctl changed nothing\. Move it away/);
      assert.deepEqual(readFileSync(foreign), was);
    };
    const content = readFileSync(file);
    for (const other of [Buffer.from('of somebody else'), Buffer.concat([content.subarray(0, -1), Buffer.from([1])])]) {
      writeFileSync(file, other);
      await refused(file);
    }
    writeFileSync(file, content);
    const manifest = join(folder('mine'), '_relctl.json');
    const list = readFileSync(manifest);
    for (const other of ['', '{}', '[1]', list.toString().replace('products.parquet', '../products.parquet')]) {
      writeFileSync(manifest, other);
      await refused(manifest);
    }
    rmSync(manifest);
    await refused(file);
    writeFileSync(manifest, list);
    assert.deepEqual(
      filesOf('mine').flatMap((name) =>
        name === '_relctl.json' ? [] : [[name, statSync(join(folder('mine'), name)).ino]],
      ),
      before.filter(([name]) => name !== '_relctl.json'),
    );
    await done('mine');
    writeFileSync(manifest, list.toString().replace(/"url": ".*"/, '"url": "https://other.test/"'));
    await ends(publish('mine'), 2, /published data of another service: https:\/\/other\.test\//);
  });

  it('goes on where a run was killed while files got their places', async () => {
    await done('killed');
    cpSync(folder('killed'), folder('older'), { recursive: true });
    here.execute(`UPDATE "PvProductData_V2" SET "Description" = 'later' WHERE "Id" IS NOT NULL`);
    here.execute(`UPDATE "PvRelationData" SET "Info" = 'later' WHERE "Id" IS NOT NULL`);
    await sync();
    await done('killed');
    // As a run leaves it that has put the products in their place, and not the relations.
    const older = manifestOf('older');
    cpSync(join(folder('older'), 'relations.parquet'), join(folder('killed'), 'relations.parquet'));
    const pending = { ...manifestOf('killed'), replacing: older.files };
    writeFileSync(join(folder('killed'), '_relctl.json'), JSON.stringify(pending));
    await done('killed');
    assert.equal(manifestOf('killed').replacing, undefined);
    const relations = quoted(join(folder('killed'), 'relations.parquet'));
    assert.deepEqual(await asked(`select distinct "Info" from ${relations}`), [['later']]);
  });

  it('leaves every file as it was when one of them cannot be written to its end', async () => {
    await done('full', '--format', 'csv');
    const before = filesOf('full').map((name) => [name, statSync(join(folder('full'), name)).ino]);
    here.execute(`UPDATE "PvProductData_V2" SET "Description" = 'longer and longer' WHERE "Id" IS NOT NULL`);
    await sync();
    const kibibytes = Math.floor(statSync(join(folder('full'), 'relationships.csv')).size / 1024);
    const args = ['mirror', 'publish', folder('full'), '--format', 'csv'];
    const line = `ulimit -f ${kibibytes} && exec "$0" "$@"`;
    const ended = spawnSync('bash', ['-c', line, process.execPath, program, ...args], { env: here.env });
    assert.equal(ended.status, 10, ended.stderr.toString());
    assert.match(ended.stderr.toString(), /\.csv cannot be written/);
    assert.deepEqual(
      filesOf('full').map((name) => [name, statSync(join(folder('full'), name)).ino]),
      before,
    );
  });

  it('is made by one run at a time in a folder', async () => {
    mkdirSync(folder('shared'));
    const release = await takeLock(join(folder('shared'), '.relctl.lock'));
    const second = await publish('shared');
    assert.deepEqual([second.code, filesOf('shared')], [11, ['.relctl.lock']]);
    const waiting = publish('shared', '--lock-wait', '20s');
    release();
    assert.equal((await waiting).code, 0);
  });

  it('says what is wrong with a target, a flag or a mirror', async () => {
    mkdirSync(folder('odd'));
    writeFileSync(join(folder('odd'), 'file'), '');
    for (const [code, words, ...args] of [
      [2, /--format takes? .*parquet/, folder('odd'), '--format', 'xlsx'],
      [2, /TARGET is a folder, or postgres:/, 's3://bucket/lake'],
      [2, /TARGET is a folder, or postgres:/, ''],
      [2, /--schema needs postgres:/, folder('odd'), '--schema', 'crm'],
      [2, /--format needs a folder/, 'postgres://owner@127.0.0.1/crm', '--format', 'csv'],
      [10, /odd\/file is no folder/, folder('odd/file')],
      [
        5,
        /there is no mirror in .*other\.db\n.*Try: relctl mirror sync --mirror/s,
        folder('odd'),
        '--mirror',
        folder('other.db'),
      ],
    ] as const) {
      await ends(here.run(['mirror', 'publish', ...args]), code, words);
    }
    assert.deepEqual(filesOf('odd'), ['file']);
    assert.equal(existsSync(folder('other.db')), false);
  });
});
