import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { duckdb, quoted, type Questions } from '../../support/output/other-programs.js';
import { ends, home, relctl } from '../../support/relctl.js';

type Member = Readonly<Record<string, unknown>>;

describe('Lists as Parquet files', () => {
  const place = home();
  const { env, folder } = place;
  let reader: Questions | undefined;
  before(async function () {
    reader = await duckdb(this);
  });
  after(() => {
    reader?.close();
    place.remove();
  });

  const file = (name: string): string => join(folder, name);
  const run = (...args: readonly string[]) => relctl([...args, '-p', 'sandbox'], { env });

  /** The rows of a file, as an object each. */
  async function rowsOf(name: string): Promise<readonly Member[]> {
    assert.ok(reader);
    const from = `from ${quoted(file(name))}`;
    const titles = (await reader.rows(`select column_name from (describe select * ${from})`)).flat().map(String);
    const rows = await reader.rows(`select * ${from}`);
    return rows.map((row) => Object.fromEntries(titles.map((title, at) => [title, row[at]])));
  }

  async function listed(...args: readonly string[]): Promise<readonly Member[]> {
    const { stdout } = await ends(run(...args, '-o', 'json'), 0);
    return JSON.parse(stdout) as readonly Member[];
  }

  /** What stands in the cell of a member, by the documentation. */
  function cell(record: Member, title: string): unknown {
    const [first = '', ...rest] = title.split('.');
    const value = record[first] ?? null;
    if (rest.length > 0) return value === null ? null : cell(value as Member, rest.join('.'));
    if (typeof value === 'number') return BigInt(value);
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  }

  for (const list of ['relation list', 'relationship list', 'product list', 'mark list'])
    it(`hold what JSON holds: ${list}`, async () => {
      await ends(run(...list.split(' '), '--output-file', file('a.parquet')), 0, '', '');
      const records = await listed(...list.split(' '));
      const rows = await rowsOf('a.parquet');
      const titles = Object.keys(rows[0] ?? {});
      assert.ok(titles.length > 4);
      assert.deepEqual(
        rows,
        records.map((record) => Object.fromEntries(titles.map((title) => [title, cell(record, title)]))),
      );
    });

  it('have the columns of CSV: of fields, of items of lists, and those that were asked for', async () => {
    for (const args of [
      ['relation', 'list', '--include-fields', '--limit', '20'],
      ['relation', 'phone-book'],
      ['relation', 'list', '--columns', 'DisplayName,Id', '--sort', 'DisplayName'],
    ]) {
      const csv = await run(...args, '-o', 'csv', '--quiet');
      const made = await run(...args, '--output-file', file('b.parquet'), '--force', '--quiet');
      assert.deepEqual([csv.code, made.code], [0, 0], made.stderr);
      const rows = await rowsOf('b.parquet');
      assert.equal(Object.keys(rows[0] ?? {}).join(','), csv.stdout.split('\n')[0]);
      assert.ok(rows.length > 10);
    }
  });

  it('stay as they were when the list has another length, or something is wrong', async () => {
    const name = file('d.parquet');
    assert.equal((await run('product', 'list', '--output-file', name)).code, 0);
    const before = readFileSync(name);
    for (const [code, ...flags] of [
      [8, '--expect', '7'],
      [2, '--columns', 'Id,id=Code'],
      [2, '--query', "[?Code == 'nothing']"],
      [2, '--count'],
      [2, '--no-header'],
    ] as const) {
      await ends(run('product', 'list', '--output-file', name, ...flags), code);
      assert.deepEqual(readFileSync(name), before);
    }
    assert.deepEqual(
      readdirSync(folder).filter((each) => each.startsWith('d.parquet')),
      ['d.parquet'],
    );
  });

  it('hold a record, and what a query gave', async () => {
    const [first] = await listed('product', 'list', '--limit', '1');
    const code = String(first?.['Code']);
    assert.equal((await run('product', 'get', code, '--output-file', file('e.parquet'))).code, 0);
    assert.equal((await rowsOf('e.parquet'))[0]?.['Code'], code);
    const query = '{Products: length(@), First: [0].Code}';
    await ends(run('product', 'list', '--query', query, '--output-file', file('f.parquet')), 0);
    assert.deepEqual(await rowsOf('f.parquet'), [{ Products: '50', First: code }]);
  });
});
