import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { known } from '../../src/sandbox/dataset/known.js';
import { sizeOf, started, until } from '../support/export-lane.js';
import { callsIn, place, undoOf } from '../support/operations/place.js';
import { ends } from '../support/relctl.js';
import { valuesOf } from '../support/thrown.js';

interface Line {
  readonly Id: string;
  readonly What: string;
  readonly Outcome: string;
  readonly Rows: number | null;
  readonly Undoes: string | null;
}

interface Row {
  readonly Row: number;
  readonly Record: string;
  readonly Outcome: string;
  readonly Changes: readonly { readonly Name: string; readonly From: string | null; readonly To: string | null }[];
}

describe('writes undo of a batch', function () {
  const here = place();
  const codes = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(5, '0'));
  const products = (): ReadonlyMap<string, string> =>
    new Map(
      here
        .rows('SELECT * FROM "PvProductData_V2" ORDER BY "Code"')
        .map((row) => [String(row.find((cell) => codes.includes(String(cell)))), JSON.stringify(row)]),
    );
  const price = (code: string): unknown =>
    here.rows('SELECT "SalesPrice" FROM "PvProductData_V2" WHERE "Code" = ?', code)[0]?.[0];
  const list = (...more: readonly string[]): Promise<readonly Line[]> => here.json(['writes', 'list', ...more]);
  const lastId = async (): Promise<string> => (await list('--limit', '1', '-q'))[0]?.Id ?? '';
  const undo = (id: string, ...more: readonly string[]): ReturnType<typeof here.run> =>
    here.run(['writes', 'undo', id, '--yes', ...more]);
  afterEach(() => here.calm());

  function fileOf(rows: readonly string[], cents: number): string {
    const file = here.fresh('prices.csv');
    const lines = rows.map((code, index) => `${code},${index + 1}.${cents}\n`);
    writeFileSync(file, `Code,SalesPrice\n${lines.join('')}`);
    return file;
  }

  /** Writes a file, and gives the id of its entry. */
  async function written(rows: readonly string[], cents: number): Promise<{ file: string; id: string }> {
    const file = fileOf(rows, cents);
    await ends(here.run(['product', 'update', '--file', file, '--no-base', '--yes']), 0);
    return { file, id: await lastId() };
  }

  const outcomes = (file: string): ReadonlyMap<string, string> =>
    new Map(
      readFileSync(file, 'utf8')
        .split('\r\n')
        .slice(1, -1)
        .map((line) => [line.split(',')[0] ?? '', line.split(',')[2] ?? '']),
    );

  /** The id of the write that the last undo took back. */
  const writtenBefore = async (): Promise<string> => (await list('--limit', '1', '-q'))[0]?.Undoes ?? '';

  it('puts each row back, and can be undone itself', async () => {
    const before = products();
    const { file, id } = await written(codes.slice(0, 3), 31);
    const after = products();
    const run = await undo(id);
    assert.deepEqual([run.code, run.stdout], [0, ''], run.stderr);
    assert.deepEqual(products(), before);
    const [line] = await list('--limit', '1', '-q');
    assert.deepEqual([line?.Undoes, line?.Outcome, line?.Rows], [id, 'done', 3]);
    assert.deepEqual(new Set(outcomes(undoOf(file)).values()), new Set(['done']));
    await ends(undo(line?.Id ?? ''), 0);
    assert.deepEqual(products(), after);
    assert.equal((await list('--limit', '1', '-q'))[0]?.Undoes, line?.Id);
    // And that one, too: by its id only.
    const [last] = await list('--limit', '1', '-q');
    await ends(undo('last'), 2, /is an undo itself/);
    assert.deepEqual(products(), after);
    assert.equal((await undo(last?.Id ?? '')).code, 0);
    assert.deepEqual(products(), before);
  });

  it('shows the rows of a batch, and what an undo would do, and sends nothing', async () => {
    const { id } = await written(codes.slice(0, 2), 32);
    const rows = await here.json<readonly Row[]>(['writes', 'show', id, '--rows']);
    assert.deepEqual(
      rows.map(({ Row, Record, Outcome, Changes }) => [Row, Record.slice(0, 5), Outcome, Changes[0]?.To]),
      [
        [1, '00001', 'done', '1.32'],
        [2, '00002', 'done', '2.32'],
      ],
    );
    const csv = await here.run(['writes', 'show', id, '--rows', '-o', 'csv']);
    assert.equal(csv.stdout.trim().split('\n').length, 3);
    const digest = here.digest();
    const trace = here.fresh('trace');
    const run = await ends(undo(id, '--dry-run', '-o', 'json', `--trace=${trace}`), 0);
    const planned = JSON.parse(run.stdout) as readonly { readonly Plan: string; readonly Changes: readonly object[] }[];
    assert.deepEqual(
      valuesOf(planned, 'Plan', 'Changes'),
      rows.map(({ Changes }) => [
        'change',
        Changes.map(({ Name, From, To }) => ({ Member: Name, Before: To, After: From })),
      ]),
    );
    assert.deepEqual([callsIn(trace).map(({ operation }) => operation), here.digest()], [['ProductGetAll_V2'], digest]);
    assert.equal((await undo(id)).code, 0);
  });

  it('leaves a record that somebody changed since, and says what', async () => {
    const before = products();
    const { file, id } = await written(codes.slice(0, 4), 33);
    here.execute(`UPDATE "PvProductData_V2" SET "SalesPrice" = '99.00' WHERE "Code" = '00002'`);
    // Another field is nobody's conflict.
    here.execute(`UPDATE "PvProductData_V2" SET "Name" = 'Bell' WHERE "Code" = '00003'`);
    here.execute(`DELETE FROM "PvProductData_V2" WHERE "Code" = '00004'`);
    await ends(undo(id), 8);
    const results = undoOf(file);
    assert.deepEqual([...outcomes(results).values()], ['done', 'conflict', 'done', 'conflict']);
    assert.match(readFileSync(results, 'utf8'), /SalesPrice was ""2\.33"", is ""99\.00""/);
    assert.match(readFileSync(results, 'utf8'), /was removed by somebody else/);
    assert.deepEqual([products().get('00001'), price('00002')], [before.get('00001'), '99.00']);
    assert.deepEqual(here.rows('SELECT "Name" FROM "PvProductData_V2" WHERE "Code" = ?', '00003'), [['Bell']]);
    const old = JSON.parse(before.get('00003') ?? '') as readonly unknown[];
    assert.ok(old.includes(price('00003')));
  });

  it('puts back the rows of --row alone', async () => {
    const [first, third] = [price('00001'), price('00005')];
    const { id } = await written(['00001', '00002', '00005'], 34);
    assert.match((await undo(id, '--row', '4')).stderr, /row 4 of the batch was not done/);
    assert.equal((await undo(id, '--row', '3')).code, 0);
    assert.deepEqual([price('00001'), price('00005')], ['1.34', third]);
    await ends(undo(id, '--row', '1', '--results', here.fresh('rest.csv')), 0);
    assert.deepEqual([price('00001'), price('00002')], [first, '2.34']);
  });

  it('undoes a file that was written and undone before', async () => {
    const before = products();
    const { file } = await written(codes.slice(5, 7), 41);
    assert.equal((await undo('last')).code, 0);
    assert.equal((await here.run(['product', 'update', '--file', file, '--no-base', '--yes', '--restart'])).code, 0);
    assert.notDeepEqual(products(), before);
    await ends(undo('last'), 0);
    assert.deepEqual(products(), before);
    await ends(undo(await writtenBefore()), 2, /already written on/);
  });

  it('does nothing a second time', async () => {
    const { id } = await written(codes.slice(5, 7), 35);
    assert.equal((await undo(id)).code, 0);
    const [digest, count] = [here.digest(), (await list()).length];
    await ends(undo(id), 2, /already written on/);
    const trace = here.fresh('trace');
    await ends(undo(id, '--restart', `--trace=${trace}`), 0);
    // Each row is as it would be put back: nothing is sent.
    assert.ok(callsIn(trace).every(({ operation }) => operation === 'ProductGetAll_V2'));
    assert.equal(here.digest(), digest);
    assert.ok((await list()).length <= count + 1);
  });

  it('undoes all of a batch that was gone on with, by the entry of any of its runs', async () => {
    const before = products();
    const file = fileOf(
      codes.slice(0, 4).filter((code) => code !== '00004'),
      36,
    );
    await here.fault('not-succeeded;operation=ProductUpdate_V2;every=2');
    const words = ['product', 'update', '--file', file, '--no-base', '--yes'];
    await ends(here.run([...words, '--max-errors', '0']), 8);
    await here.calm();
    const firstId = await lastId();
    await ends(here.run([...words, '--resume']), 8);
    const secondId = await lastId();
    assert.notEqual(firstId, secondId);
    await ends(undo(firstId), 0);
    assert.deepEqual(products(), before);
    assert.match((await undo(secondId)).stderr, /already/);
  });

  it('finds the journal of a batch that another one has taken the place of', async () => {
    const before = price('00006');
    const { file, id } = await written(['00006'], 37);
    assert.equal((await undo(id)).code, 0);
    rmSync(`${undoOf(file)}.journal`);
    assert.equal((await here.run(['product', 'update', '--file', file, '--no-base', '--yes', '--restart'])).code, 0);
    const last = await lastId();
    assert.equal((await here.json<readonly Row[]>(['writes', 'show', id, '--rows'])).length, 1);
    assert.notEqual(last, id);
    await ends(undo(id), 0);
    assert.equal(price('00006'), before);
  });

  it('goes on behind a kill, and does nothing twice', async () => {
    const before = products();
    const some = codes.filter((code) => code !== '00004');
    const { file, id } = await written(some, 38);
    here.execute('CREATE TABLE effects (code)');
    here.execute(
      'CREATE TRIGGER effect AFTER UPDATE ON "PvProductData_V2" BEGIN INSERT INTO effects VALUES (NEW."Code"); END',
    );
    // Each is carried out at once, and answered slowly: behind the kill nothing is under way in the service.
    await here.fault('drip=100/40ms;operation=ProductUpdate_V2');
    const journal = (): string => `${undoOf(file)}.journal`;
    const killed = started(['writes', 'undo', id, '--yes'], { env: here.env });
    await until(killed, () => sizeOf(journal()) > 5000);
    killed.child.kill('SIGKILL');
    assert.equal((await killed.ended).signal, 'SIGKILL');
    await here.calm();
    await ends(undo(id), 2);
    const again = await undo('last');
    assert.deepEqual([again.code, again.stderr.includes(`is an undo itself, of ${id}`)], [2, true], again.stderr);
    // The undo of the same write, which the last entry is.
    assert.doesNotMatch((await undo('last', '--resume')).stderr, /is an undo itself/);
    const settled = await undo('last', '--settle');
    const resumed = await undo(id, '--resume');
    const effects = here.rows('SELECT code, count(*) FROM effects GROUP BY code');
    here.execute('DROP TRIGGER effect');
    here.execute('DROP TABLE effects');
    assert.equal(resumed.code, 0, settled.stderr + resumed.stderr);
    assert.deepEqual(
      effects.map(([, count]) => count),
      some.map(() => 1),
    );
    assert.deepEqual(products(), before);
  });

  it('says of what was added where to look', async () => {
    const file = here.fresh('lines.csv');
    const columns = 'id,product,quantity,description,vat,amount,purchase-amount';
    writeFileSync(file, `${columns}\n${known.activityId},${known.productId},1,x,${known.vatId},1.00,0.50\n`);
    await ends(here.run(['activity', 'add-line', '--file', file, '--yes']), 0);
    const id = await lastId();
    const refused = await ends(undo(id), 2, /no operation removes a product line/);
    assert.match(refused.stderr, new RegExp(`relctl writes show ${id} --rows`));
    const [row] = await here.json<readonly Row[]>(['writes', 'show', id, '--rows']);
    assert.equal(row?.Record, known.activityId);
  });

  it('refuses flags of a batch for a single write, and rows of one that has none', async () => {
    assert.equal((await here.run(['product', 'update', '00008', '--sales-price', '4.44', '--yes'])).code, 0);
    await ends(undo('last', '--row', '1'), 2, /--row is for a batch/);
    await ends(here.run(['writes', 'show', 'last', '--rows']), 2, /--rows is for the rows of a batch/);
    const before = products();
    assert.equal((await undo('last')).code, 0);
    const undone = products();
    assert.notDeepEqual(undone, before);
    await ends(undo('last'), 2, /is an undo itself/, '');
    assert.deepEqual(products(), undone);
  });

  it('sends nothing to another service than that of the write', async () => {
    const { id } = await written(['00009'], 39);
    const env = { RELCTL_BASE_URL: 'http://127.0.0.1:9' };
    await ends(here.run(['writes', 'undo', id, '--yes'], { env }), 2, /went to another service/);
    await ends(here.run(['product', 'update', '00010', '--sales-price', '4.45', '--yes']), 0);
    await ends(here.run(['writes', 'undo', 'last', '--yes'], { env }), 2, /went to another service/);
    assert.equal((await undo(id)).code, 0);
  });
});
