import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { csvReader, tsvReader } from '../../../src/core/text/separated/csv.js';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';

interface TelephoneNumber {
  readonly Id: string;
  readonly Value: string;
  readonly Description?: string;
}
interface Entry {
  readonly relation: { readonly Id: string; readonly DisplayName: string };
  readonly TelephoneNumbers: readonly TelephoneNumber[];
}
interface Listed {
  readonly Id: string;
  readonly FieldValues: { readonly Items: readonly { readonly Id: string; readonly Value: string | null }[] | null };
}

/** Cells of a CSV or TSV text, its header too. */
function cells(text: string, reader = csvReader()): readonly (readonly string[])[] {
  return [...reader.push(text), ...reader.end()].map((row) => row.cells);
}

describe('Lists within the records of a list', function () {
  const here = place();
  const book = ['relation', 'phone-book'];
  const short = ['--columns', 'relation.Id,TelephoneNumbers.Value'];
  let entries: readonly Entry[];
  let pairs: readonly (readonly string[])[];
  before(async () => {
    entries = await here.json<Entry[]>(book);
    pairs = entries.flatMap(({ relation, TelephoneNumbers: numbers }) =>
      numbers.map(({ Value }) => [relation.Id, Value]),
    );
    assert.ok(pairs.length > entries.length);
  });

  async function out(...args: readonly string[]): Promise<string> {
    return (await ends(here.run(args), 0, '')).stdout;
  }

  it('are counted as one record by --limit behind --sort, which keeps all rows of the first ones', async () => {
    const numbers = entries.flatMap(({ TelephoneNumbers: all }) => all.map(({ Value }) => Value));
    // Another order than that of --sort would do as well, but digits alone are ordered alike by every rule.
    const byValue = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
    assert.ok(numbers.length > entries.length);
    const sorted = cells(await out(...book, '-o', 'csv', ...short, '--sort', 'TelephoneNumbers.Value')).slice(1);
    assert.deepEqual(sorted.map(([, value = '']) => value).sort(byValue), numbers.toSorted(byValue));
    const firstIds = [...new Set(sorted.map(([id = '']) => id))].slice(0, 3);
    const wanted = sorted.filter(([id = '']) => firstIds.includes(id));
    assert.ok(wanted.length > 3);
    const limited = [...book, '-o', 'csv', ...short, '--sort', 'TelephoneNumbers.Value', '--limit', '3', '-q'];
    assert.deepEqual(cells(await out(...limited)).slice(1), wanted);
    const file = here.fresh('sorted.csv');
    await out(...limited, '--output-file', file, '--meta', '--expect', '3');
    assert.deepEqual(cells(readFileSync(file, 'utf8')).slice(1), wanted);
    const lines = (await out(...book, '-o', 'ndjson', '--explode', 'TelephoneNumbers', ...limited.slice(4)))
      .trimEnd()
      .split('\n')
      .map((line) => Object.values(JSON.parse(line) as Record<string, string>));
    assert.deepEqual(lines, wanted);
    // All of them, each row once.
    const all = await out(...limited.slice(0, -3), '--limit', String(entries.length), '-q');
    assert.deepEqual(cells(all).slice(1), sorted);
  });

  it('have a row for each telephone number in CSV and TSV, and none in JSON', async () => {
    const wanted = [['relation.Id', 'TelephoneNumbers.Value'], ...pairs];
    assert.deepEqual(cells(await out(...book, '-o', 'csv', ...short)), wanted);
    assert.deepEqual(cells(await out(...book, '-o', 'tsv', ...short), tsvReader()), wanted);
    assert.deepEqual(cells(await out(...book, '-o', 'csv', '--explode', 'TELEPHONENUMBERS', ...short)), wanted);
    const lines = (await out(...book, '-o', 'ndjson', '--explode', 'TelephoneNumbers')).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => {
        const { relation, TelephoneNumbers: number } = JSON.parse(line) as Omit<Entry, 'TelephoneNumbers'> & {
          readonly TelephoneNumbers: TelephoneNumber;
        };
        return [relation.Id, number.Value];
      }),
      pairs,
    );
  });

  it('have the columns of their items in the place of their own', async () => {
    const [header] = cells(await out(...book, '-o', 'csv', '--columns', 'relation.Id,TelephoneNumbers'));
    const members = ['Id', 'Type', 'Name', 'Description', 'Field', 'Value'].map((name) => `TelephoneNumbers.${name}`);
    assert.deepEqual(header, ['relation.Id', ...members]);
    const table = await out(...book, '--explode', 'TelephoneNumbers');
    const shown = (table.split('\n')[0] ?? '').split(/ +/);
    assert.ok(shown.indexOf('TelephoneNumbers.Value') < shown.indexOf('TelephoneNumbers.Id'), shown.join(' '));
    assert.deepEqual(shown.toSorted(), ['relation.DisplayName', 'relation.Id', ...members].toSorted());
    assert.equal(table.trimEnd().split('\n').length, pairs.length + 1);
  });

  it('are texts in a cell with --join', async () => {
    const rows = cells(await out(...book, '-o', 'csv', '--join', '; ', ...short));
    const wanted = entries.map(({ relation, TelephoneNumbers: numbers }) => [
      relation.Id,
      numbers.map(({ Value }) => Value).join('; '),
    ]);
    assert.deepEqual(rows.slice(1), wanted);
    await ends(here.run([...book, '-o', 'json', '--join', '; ']), 2, /--join is for formats with cells, not for json/);
  });

  it('give one row of field values each, in place of their columns, and one to a record without any', async () => {
    const records = await here.json<Listed[]>(['relation', 'list', '--include-fields']);
    const wanted = records.flatMap(({ Id, FieldValues: values }) => {
      const items = values.Items ?? [];
      return items.length === 0 ? [[Id, '', '']] : items.map((item) => [Id, item.Id, item.Value ?? '']);
    });
    const long = ['relation', 'list', '--include-fields', '--explode', 'fieldvalues'];
    const rows = cells(await out(...long, '-o', 'csv'));
    const at = ['Id', 'FieldValues.Items.Id', 'FieldValues.Items.Value'].map((title) => rows[0]?.indexOf(title) ?? -1);
    assert.deepEqual(
      rows.slice(1).map((row) => at.map((index) => row[index])),
      wanted,
    );
    const file = here.fresh('fields.csv');
    await out(...long, '--output-file', file);
    assert.deepEqual(cells(readFileSync(file, 'utf8')), rows);
    const refused = await here.run([...long, '-o', 'csv', '--columns', 'Id,Field.x']);
    assert.deepEqual([refused.code, refused.stdout], [2, '']);
    assert.match(refused.stderr, /prints a row for each item, so there is no column Field\.x/);
  });

  it('are refused by a name that is none of theirs, with what they are called', async () => {
    const run = await here.run([...book, '-o', 'csv', '--explode', 'TelephoneNumber']);
    assert.deepEqual([run.code, run.stdout], [2, '']);
    assert.match(
      run.stderr,
      /TelephoneBookEntry has no list 'TelephoneNumber'; its lists are .*TelephoneNumbers\n {2}Try: .*--explode TelephoneNumbers\n/,
    );
    const several = await here.run(['relation', 'activities', entries[0]?.relation.Id ?? '', '--explode', 'Items']);
    assert.equal(several.code, 2);
    assert.match(several.stderr, /PvActivityData has no list 'Items'; its lists are /);
    await ends(here.run(['mark', 'list', '--explode', 'Marks']), 2, /PvMarkData has no list 'Marks'; it has none/);
  });

  /** Leaves an export that stopped in the middle. */
  async function interrupted(file: string, ...more: readonly string[]): Promise<void> {
    await here.fault('fault=Server,message="x";page=3');
    const run = await here.run(
      argv`${book} --output-file ${file} --page-size 5 --concurrency 1 --set retries=0 ${more}`,
    );
    await here.calm();
    assert.ok(run.code !== 0 && existsSync(`${file}.journal`), run.stderr);
  }

  it('are not mixed by --resume', async () => {
    const resume = (file: string, ...more: readonly string[]) =>
      here.run([...book, '--output-file', file, '--page-size', '5', '--resume', ...more]);
    // With these columns the header is the same for both.
    const columns = ['--columns', 'relation.Id'];
    const file = here.fresh('old.csv');
    await interrupted(file, '--explode', 'none', ...columns);
    for (const other of [[], ['--explode', 'TelephoneNumbers'], ['--join', '; ']]) {
      await ends(resume(file, ...columns, ...other), 2, /the interrupted export is a different one: style was/);
    }
    await ends(resume(file, ...columns, '--explode', 'none'), 0);
    assert.equal(readFileSync(file, 'utf8'), await out(...book, '-o', 'csv', '--explode', 'none', ...columns));
    const rows = here.fresh('rows.csv');
    await interrupted(rows);
    assert.equal((await resume(rows)).code, 0);
    assert.equal(readFileSync(rows, 'utf8'), await out(...book, '-o', 'csv'));
  });

  it('count as records: --limit, --expect and --meta', async () => {
    const file = here.fresh('counted.csv');
    await out(...book, '--output-file', file, '--meta', '--expect', String(entries.length));
    const meta = JSON.parse(readFileSync(`${file}.meta.json`, 'utf8')) as { readonly rows: number };
    assert.equal(meta.rows, entries.length);
    const { stdout } = await here.run([...book, '-o', 'csv', '--limit', '2', ...short]);
    const two = entries.slice(0, 2).flatMap(({ TelephoneNumbers: numbers }) => numbers);
    assert.equal(cells(stdout).length - 1, two.length);
  });

  it('are exploded behind what --changes-since finds', async () => {
    const args = argv`relation list --changes-since exploded --include-fields --explode FieldValues.Items`;
    const first = cells(await out(...args, '-o', 'csv'));
    const records = await here.json<Listed[]>(['relation', 'list', '--include-fields']);
    const items = records.reduce((sum, { FieldValues: { Items: some } }) => sum + Math.max(some?.length ?? 0, 1), 0);
    assert.deepEqual([first[0]?.[0], first.length - 1], ['_change', items]);
    assert.deepEqual(cells(await out(...args, '-o', 'csv')), [first[0]]);
  });

  it('are exploded with --ids', async () => {
    const ids = here.fresh('ids.txt');
    const id = entries[0]?.relation.Id ?? '';
    writeFileSync(ids, `${id}\n`);
    const activities = ['relation', 'activities'];
    const explode = ['--explode', 'CounterValues', '-o', 'csv'];
    const [header, ...rows] = cells(await out(...activities, '--ids', ids, ...explode));
    assert.equal(header?.[0], '_relationId');
    assert.ok(header.includes('CounterValues.TabPageType'));
    assert.equal(cells(await out(...activities, id, ...explode)).length - 1, rows.length);
  });
});
