import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../../src/state/sqlite/open.js';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';
import { valuesOf } from '../../support/thrown.js';

interface Line {
  readonly SyncedAt: string | null;
  readonly Age: string | null;
  readonly Table: string;
  readonly Change: string;
  readonly Id: string;
  readonly Rows: number;
  readonly Query: string;
  readonly Column: string;
}

describe('What is read of a mirror', function () {
  const here = place();
  const out = async (words: readonly string[]): Promise<string> => {
    return (await ends(here.run(words), 0, /^(?:\{"notes":\["from the mirror, synced \d+ seconds? ago"\]\}\n)?$/))
      .stdout;
  };
  const file = (): string => {
    const found = readdirSync(here.folder, { recursive: true, encoding: 'utf8' }).find((path) =>
      /mirrors\W\w+\.db$/.test(path),
    );
    return join(here.folder, found ?? '');
  };
  const lines = async (...words: readonly string[]): Promise<readonly Line[]> =>
    JSON.parse(await out(['mirror', ...words, '-o', 'json'])) as readonly Line[];
  const change = (id: string, info: string): void =>
    here.execute(`UPDATE "PvRelationData" SET "Info" = '${info}' WHERE "Id" = '${id}'`);
  const wait = (): Promise<void> => new Promise((done) => setTimeout(done, 5));

  before(async () => {
    await out(['mirror', 'add', 'relations', '--include-fields']);
    await out(['mirror', 'sync', '--quiet']);
  });

  it('is what the list prints, in each format, with its questions', async () => {
    const asked = [
      ['-o', 'csv'],
      ['-o', 'ndjson'],
      ['-o', 'json'],
      ['-o', 'yaml'],
      ['-o', 'csv', '--where', "ImportKey <> ''", '--sort', 'SortingName:desc', '--limit', '7'],
      ['--count', '--where', "DisplayName like '%a%'"],
    ];
    for (const words of asked) {
      const listed = await here.run(['relation', 'list', '--include-fields', ...words]);
      const mirrored = await here.run(['mirror', 'list', 'relations', ...words]);
      assert.equal(mirrored.stdout, listed.stdout, words.join(' '));
      assert.equal(mirrored.code, 0);
      assert.ok(listed.stdout.length > 0);
    }
  });

  it('is a table with the values of each record where no format is asked for', async () => {
    for (const [table, column] of [
      ['marks', 'Name'],
      ['relations', 'DisplayName'],
      ['products', 'Code'],
    ] as const) {
      const listed = await here.json<readonly Record<string, string>[]>(argv`mirror list ${table} --limit 3 --quiet`);
      const [titles = '', ...rows] = (await out(['mirror', 'list', table, '--limit', '3', '--quiet']))
        .trim()
        .split('\n');
      assert.match(titles, new RegExp(`^Id .*\\b${column}\\b`));
      assert.equal(rows.length, listed.length);
      for (const [at, row] of rows.entries()) assert.ok(row.includes(listed[at]?.['Id'] ?? '?'), row);
    }
  });

  it('keeps the order of the list when records come in between', async () => {
    const [first] = await here.json<readonly { Id: string }[]>(['relation', 'list', '--limit', '1', '--quiet']);
    await lines('sync', 'marks');
    here.execute(`DELETE FROM "PvRelationData" WHERE "Id" = '${String(first?.Id)}'`);
    await lines('sync', 'relations');
    const mirrored = await out(['mirror', 'list', 'relations', '-o', 'ndjson']);
    assert.equal(mirrored, await out(['relation', 'list', '--include-fields', '-o', 'ndjson']));
    const gone = await out(['mirror', 'list', 'relations', '--gone', '-o', 'ndjson']);
    assert.ok(gone.includes(String(first?.Id)));
    assert.equal(gone.trim().split('\n').length, 1);
  });

  it('tells each change once, by the end of the sync that found it', async () => {
    const [one, two] = await here.json<readonly { Id: string }[]>(['relation', 'list', '--limit', '3', '--quiet']);
    await wait();
    const since = new Date().toISOString();
    assert.deepEqual(await lines('changes', '--from', since), []);
    change(String(one?.Id), 'new words');
    await lines('sync', 'relations');
    here.execute(`DELETE FROM "PvRelationData" WHERE "Id" = '${String(two?.Id)}'`);
    await lines('sync', 'relations');
    const found = await lines('changes', '--from', since, '--tables', 'relations,marks');
    assert.deepEqual(
      new Set(found.map(({ Table, Change, Id }) => `${Table} ${Change} ${Id}`)),
      new Set([`relations changed ${String(one?.Id)}`, `relations gone ${String(two?.Id)}`]),
    );
    assert.equal(found.length, 2);
    const listed = await out(['mirror', 'list', 'relations', '--from', since, '-o', 'ndjson']);
    assert.deepEqual(
      listed
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { Id: string }).Id),
      [one?.Id],
    );
    await wait();
    assert.deepEqual(await lines('changes', '--from', new Date().toISOString()), []);
  });

  it('prints as many changes as are wanted, of those that are kept, and says that there are more', async () => {
    const all = ['mirror', 'changes', '--from', '2000-01-01', '--tables', 'products,marks', '-o', 'csv'];
    const whole = (await out(all)).split('\n');
    const some = await here.run([...all, '--limit', '3', '--where', "Table = 'products'"]);
    const kept = whole.filter((line) => line.startsWith('products,'));
    assert.ok(kept.length > 3 && kept.length < whole.length - 2);
    assert.deepEqual([some.code, some.stdout], [0, [whole[0], ...kept.slice(0, 3), ''].join('\n')]);
    assert.match(some.stderr, /stopped at --limit: more changes exist/);
    const last = await here.run([...all, '--limit', '2', '--sort', 'Id:desc', '--columns', 'Id']);
    const ids = whole.slice(1, -1).map((line) => line.split(',')[3] ?? '');
    assert.deepEqual(last.stdout.split('\n').slice(1, -1), ids.toSorted().toReversed().slice(0, 2));
    await ends(here.run([...all, '--limit', String(whole.length - 2)]), 0, '', whole.join('\n'));
  });

  it('has the columns that sql lists without a statement, of each table that something fills', async () => {
    const listed = await here.json<readonly { readonly Table: string; readonly Column: string }[]>(['sql']);
    const database = openDatabase({ file: file(), what: 'The mirror' });
    try {
      const tables = [...new Set(listed.map(({ Table }) => Table))];
      for (const table of tables) {
        assert.deepEqual(
          valuesOf(
            listed.filter(({ Table }) => Table === table),
            'Column',
          ),
          database.statement(`SELECT name FROM pragma_table_info('${table}')`).all().flat(),
          table,
        );
      }
      for (const { Table } of await lines('status')) assert.ok(tables.includes(Table), Table);
      for (const table of ['telephone_numbers', 'relation_field_values']) assert.ok(tables.includes(table), table);
      assert.ok(!tables.includes('activities'));
    } finally {
      database.close();
    }
  });

  it('is refused for a name that is no table, and for one that was never read', async () => {
    await ends(here.run(['mirror', 'list', 'relation']), 2, /no table of records 'relation'/);
    await ends(here.run(['mirror', 'list', 'activities']), 5, /no sync has read it/);
  });
});
