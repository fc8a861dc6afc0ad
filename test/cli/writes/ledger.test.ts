import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { known } from '../../../src/sandbox/dataset/known.js';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

interface Line {
  readonly Id: string;
  readonly What: string;
  readonly Outcome: string;
  readonly Operation: string;
  readonly NewId: string | null;
  readonly Undoes: string | null;
}

interface Entry extends Line {
  readonly Changes: readonly { readonly Name: string; readonly From: string | null; readonly To: string | null }[];
}

describe('The ledger of writes', () => {
  const here = place();
  const list = (...more: readonly string[]): Promise<readonly Line[]> => here.json(['writes', 'list', ...more]);
  const show = (id: string): Promise<Entry> => here.json(['writes', 'show', id]);
  const price = (code: string): unknown =>
    here.rows('SELECT "SalesPrice" FROM "PvProductData_V2" WHERE "Code" = ?', code)[0]?.[0];
  const update = (...args: readonly string[]): ReturnType<typeof here.run> =>
    here.run(['product', 'update', ...args, '--yes']);
  const folder = (): string => join(here.env['XDG_STATE_HOME'] ?? '', 'relctl', 'writes');

  it('has a write with what it changed, and puts it back', async () => {
    const before = price('00001');
    assert.equal((await update('00001', '--sales-price', '77.70', '--name', 'Lamp')).code, 0);
    const [line] = await list('--limit', '1', '-q');
    assert.deepEqual([line?.Outcome, line?.Operation], ['done', 'ProductUpdate_V2']);
    const id = line?.Id ?? '';
    const entry = await show(id.slice(0, 6));
    assert.deepEqual(new Set(entry.Changes.map(({ Name }) => Name)), new Set(['SalesPrice', 'Name']));
    assert.equal(entry.Changes.find(({ Name }) => Name === 'SalesPrice')?.To, '77.70');
    assert.equal((await show('last')).Id, id);
    await ends(here.run(['writes', 'undo', id, '--yes']), 0);
    assert.equal(price('00001'), before);
    const [second] = await list('--limit', '1', '-q');
    assert.equal(second?.Undoes, id);
    // The undo can be undone.
    assert.equal((await here.run(['writes', 'undo', second.Id, '--yes'])).code, 0);
    assert.equal(price('00001'), '77.70');
  });

  it('does not call a write done that is not there as it was sent', async () => {
    here.execute(
      `CREATE TRIGGER meddle AFTER UPDATE ON "PvProductData_V2" WHEN NEW."Code" = '00008' AND NEW."SalesPrice" = '4.04'
       BEGIN UPDATE "PvProductData_V2" SET "SalesPrice" = '4.00' WHERE "Code" = '00008'; END`,
    );
    const run = await update('00008', '--sales-price', '4.04');
    here.execute('DROP TRIGGER meddle');
    assert.equal(run.code, 9, run.stderr);
    const entry = await show('last');
    assert.deepEqual([entry.Outcome, entry.Operation], ['unknown', 'ProductUpdate_V2']);
  });

  it('puts nothing back that somebody changed since', async () => {
    assert.equal((await update('00002', '--sales-price', '5.55')).code, 0);
    const [line] = await list('--limit', '1', '-q');
    assert.equal((await update('00002', '--sales-price', '6.66')).code, 0);
    await ends(here.run(['writes', 'undo', line?.Id ?? '', '--yes']), 13, /SalesPrice was left as "5\.55", is "6\.66"/);
    assert.equal(price('00002'), '6.66');
  });

  it('keeps what others changed beside it', async () => {
    assert.equal((await update('00003', '--sales-price', '5.55')).code, 0);
    const [line] = await list('--limit', '1', '-q');
    assert.equal((await update('00003', '--name', 'Bell')).code, 0);
    assert.equal((await here.run(['writes', 'undo', line?.Id ?? '', '--yes'])).code, 0);
    assert.deepEqual(here.rows('SELECT "Name" FROM "PvProductData_V2" WHERE "Code" = ?', '00003'), [['Bell']]);
    assert.notEqual(price('00003'), '5.55');
  });

  it('says why what was added cannot be undone, and keeps its Id but no content', async () => {
    const file = here.fresh('minutes.txt');
    writeFileSync(file, 'SECRETCONTENT'.repeat(10));
    assert.equal((await here.run(['activity', 'attach', known.activityId, file])).code, 0);
    const [line] = await list('--limit', '1', '-q');
    assert.match(line?.NewId ?? '', /^[0-9a-f-]{36}$/);
    await ends(here.run(['writes', 'undo', line?.Id ?? '', '--yes']), 2, /no operation removes an attachment/);
    const kept = readdirSync(folder())
      .map((name) => readFileSync(join(folder(), name), 'utf8'))
      .join('');
    assert.ok(!kept.includes(Buffer.from('SECRETCONTENT'.repeat(10)).toString('base64').slice(0, 40)));
    for (const secret of [known.credentials.ApiKey, known.credentials.Password])
      if (typeof secret === 'string') assert.ok(!kept.toLowerCase().includes(secret.toLowerCase()));
  });

  it('has a write that was refused, and none for --set ledger=no, a dry run or a read', async () => {
    const before = (await list()).length;
    const refused = await here.run(['activity', 'attach', '00000000-0000-4000-8000-00000000dead', '-', '--name', 'x'], {
      input: 'x',
    });
    assert.notEqual(refused.code, 0);
    const [line] = await list('--limit', '1', '-q');
    assert.equal(line?.Outcome, 'refused');
    await update('00004', '--sales-price', '1.11', '--set', 'ledger=no');
    await update('00004', '--sales-price', '1.12', '--dry-run');
    await here.run(['product', 'get', '00004']);
    assert.equal((await list()).length, before + 1);
  });

  it('sends nothing when it cannot be written', async () => {
    const before = here.digest();
    const state = here.fresh('state');
    writeFileSync(state, '');
    const env = { XDG_STATE_HOME: state };
    const run = await here.run(['product', 'update', '00005', '--sales-price', '8.88', '--yes'], { env });
    assert.equal(run.code, 10, run.stderr);
    assert.match(run.stderr, /--set ledger=no/);
    assert.equal(here.digest(), before);
  });

  it('has a batch whose other rows needed no write as done', async () => {
    const file = here.fresh('one-edited.csv');
    const same = price('00009');
    writeFileSync(file, `Code,SalesPrice\n00009,${String(same)}\n00010,63.00\n`);
    assert.equal((await update('--file', file, '--no-base')).code, 0);
    const entry = await here.json<Readonly<Record<string, unknown>>>(['writes', 'show', 'last']);
    assert.deepEqual([entry['Outcome'], entry['Counts']], ['done', '1 done, 1 unchanged']);
  });

  it('has a batch as one entry, which names its journal', async () => {
    const file = here.fresh('prices.csv');
    writeFileSync(file, 'Code,SalesPrice\n00006,61.00\n00007,62.00\n');
    const before = (await list()).length;
    assert.equal((await update('--file', file, '--no-base')).code, 0);
    assert.equal((await list()).length, before + 1);
    const entry = await here.json<Readonly<Record<string, unknown>>>(['writes', 'show', 'last']);
    assert.deepEqual([entry['Outcome'], entry['Rows'], entry['Counts']], ['done', 2, '2 done']);
    assert.ok(readFileSync(String(entry['Journal']), 'utf8').includes('61.00'));
    // Nothing is sent, and nothing is told.
    assert.equal((await update('--file', file, '--no-base', '--restart')).code, 0);
    assert.equal((await list()).length, before + 1);
  });

  it('is chosen from, and forgotten when that is meant', async () => {
    assert.ok((await list('--where', "Outcome = 'refused'")).every(({ Outcome }) => Outcome === 'refused'));
    assert.equal((await list('--from', '2999-01-01')).length, 0);
    // --limit counts what --where keeps.
    assert.equal((await list('--where', "Outcome = 'refused'", '--limit', '1', '-q')).length, 1);
    assert.ok((await list('--where', "Operation = 'ProductUpdate_V2'")).length > 0);
    assert.equal((await here.run(['writes', 'forget'])).code, 2);
    assert.ok((await list()).length > 0);
    assert.equal((await here.run(['writes', 'forget', '--yes'])).code, 0);
    assert.deepEqual(await list(), []);
    assert.equal((await here.run(['writes', 'forget', '--yes'])).code, 5);
    assert.equal(statSync(folder()).mode & 0o777, 0o700);
  });
});
