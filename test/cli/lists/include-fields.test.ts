import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { strFromU8, unzipSync } from 'fflate';
import { csvReader } from '../../../src/core/text/separated/csv.js';
import { fieldId, known } from '../../../src/sandbox/dataset/known.js';
import { callsIn, place } from '../../support/operations/place.js';
import { ends, program } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';

interface FieldValue {
  readonly Id: string;
  readonly Value: string | null;
}
interface Listed {
  readonly Id: string;
  readonly FieldValues: { readonly Items: readonly FieldValue[] | null } | null;
}

const { activityEntityTypeId, workflowId } = known;

/** Rows of a CSV text, each by the names of its header. */
function table(text: string): readonly ReadonlyMap<string, string>[] {
  const reader = csvReader();
  const [header, ...rows] = [...reader.push(text), ...reader.end()];
  return rows.map(({ cells }) => new Map(cells.map((cell, index) => [header?.cells[index] ?? '', cell])));
}

/** Everything beside a file that begins with its name. */
const beside = (file: string): readonly string[] =>
  readdirSync(dirname(file))
    .filter((name) => name.startsWith(basename(file)) && name !== basename(file))
    .sort();

describe('Lists with --include-fields', function () {
  const here = place();
  const list = ['relation', 'list', '--include-fields', '-o', 'csv'];

  const agree = (text: string, records: readonly Listed[]): void => {
    const rows = table(text);
    assert.equal(rows.length, records.length);
    records.forEach(({ Id, FieldValues }, index) => {
      const row = rows[index] ?? new Map<string, string>();
      assert.equal(row.get('Id'), Id);
      const filled = [...row].filter(([title, cell]) => title.startsWith('Field.') && cell !== '');
      const expected = (FieldValues?.Items ?? []).filter(({ Value }) => Value !== null && Value !== '');
      assert.deepEqual(filled.sort(), expected.map(({ Id: id, Value }) => [`Field.${id}`, Value ?? '']).sort());
      assert.ok(['', '[]'].includes(row.get('FieldValues.Items') ?? '?'));
    });
  };

  it('have a column for each field that comes, and no value is lost', async () => {
    for (const noun of ['relation', 'relationship']) {
      const records = await here.json<readonly Listed[]>([noun, 'list', '--include-fields']);
      const { stdout } = await ends(here.run([noun, 'list', '--include-fields', '-o', 'csv']), 0, '');
      agree(stdout, records);
    }
  });

  it('have them in a table, a card, TSV and a workbook too', async () => {
    const column = `Field.${fieldId(1, 'LastName')}`;
    for (const format of ['table', 'tsv']) {
      const run = await here.run(['relation', 'list', '--include-fields', '-o', format]);
      assert.ok((run.stdout.split('\n')[0] ?? '').includes(column), format);
    }
    const file = here.fresh('relations.xlsx');
    const workbook = ['relation', 'list', '--include-fields', '-o', 'xlsx', '--output-file', file];
    const run = await here.run([...workbook, '--limit', '5', '--quiet']);
    assert.deepEqual([run.code, run.stderr, beside(file)], [0, '', []]);
    const sheet = strFromU8(unzipSync(readFileSync(file))['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
    assert.ok(sheet.includes(`>${column}</t>`));
    const before = readFileSync(file);
    // The day in it is no day of ours: the same records make the same bytes.
    assert.equal(before.readUInt32LE(10), 0x0021_0000);
    const cut = await here.run(workbook);
    assert.deepEqual([cut.code, beside(file)], [0, []]);
    assert.match(cut.stderr, /^Note: 1 text was cut to the 32767 characters .*: Info in row \d+, Id [0-9a-f-]{36} \(/);
    await ends(here.run(['relation', 'list', '--output-file', file]), 0, cut.stderr);
  });

  it('give picked fields by id and by alias at once, and refuse unknown names with what is known', async () => {
    const city = fieldId(1, 'City');
    const id = `Field.${city}`;
    assert.equal((await here.run(['name', 'set', 'field', 'Town', city])).code, 0);
    const records = await here.json<readonly Listed[]>(['relation', 'list', '--include-fields']);
    const picked = await here.run([...list, '--columns', `Id,Field.Town,${id}`]);
    const rows = table(picked.stdout);
    records.forEach(({ FieldValues }, index) => {
      const value = FieldValues?.Items?.find((item) => item.Id === city)?.Value ?? '';
      assert.deepEqual([rows[index]?.get('Field.Town'), rows[index]?.get(id)], [value, value]);
    });
    const whole = await here.run(list);
    assert.match(whole.stdout.split('\n')[0] ?? '', /,Field\.Town,FieldValues\.Items,/);
    const inCapitals = await here.run([...list, '--columns', `ID,FIELD.TOWN,Field.{${city.toUpperCase()}}`]);
    assert.deepEqual([inCapitals.code, inCapitals.stdout], [0, picked.stdout]);
    const unknown = await here.run([...list, '--columns', 'Id,Field.Twon']);
    assert.deepEqual([unknown.code, unknown.stdout], [2, '']);
    assert.match(
      unknown.stderr,
      /there is no field 'Twon'; there are Town\n.*\n {2}Try: relctl .*--columns Id,Field\.Town\n/,
    );
    const bare = await here.run(['relation', 'list', '-o', 'csv', '--columns', 'Field.Town']);
    assert.equal(bare.code, 2);
    assert.match(bare.stderr, /--columns Field\.Town needs --include-fields/);
    assert.equal((await here.run(['name', 'remove', 'field', 'Town'])).code, 0);
  });

  it('have the columns of the workflows that are given, by name, and look them up only for rows', async () => {
    const one = ['relation', 'activities', known.firstRelationId, '--include-fields', '--workflow', workflowId];
    const trace = here.fresh('trace');
    const csv = await ends(here.run([...one, '-o', 'csv', `--trace=${trace}`]), 0, '');
    assert.match(csv.stdout, /,Field\.Subject,Field\.Priority,Field\.Deadline,/);
    assert.equal(callsIn(trace)[0]?.operation, 'ActivityGetFields');
    const second = workflowId.replace(/1$/, '2');
    const both = await here.run([...one, '--workflow', second, '-o', 'csv']);
    const titles = (text: string): number => text.split('\n')[0]?.match(/Field\./g)?.length ?? 0;
    assert.ok(titles(both.stdout) > titles(csv.stdout));
    const json = here.fresh('trace');
    await here.json([...one, '--workflow', workflowId.replace(/1$/, '3'), `--trace=${json}`]);
    await ends(here.run([...one, '--workflow', workflowId.replace(/1$/, '3'), '--envelope', `--trace=${json}`]), 0);
    assert.ok(callsIn(json).every(({ operation }) => operation !== 'ActivityGetFields'));
  });

  it('have a column for each kind of counter with --include-counters', async () => {
    interface Counted {
      readonly CounterValues: readonly { readonly TabPageType: string; readonly Value: number }[];
    }
    const records = await here.json<readonly Counted[]>(['relation', 'list', '--include-counters']);
    const rows = table((await here.run(['relation', 'list', '--include-counters', '-o', 'csv'])).stdout);
    records.forEach(({ CounterValues }, index) => {
      const filled = [...(rows[index] ?? [])].filter(([title, cell]) => title.startsWith('Counter.') && cell !== '');
      const expected = CounterValues.map(({ TabPageType, Value }) => [`Counter.${TabPageType}`, String(Value)]);
      assert.deepEqual(filled.sort(), expected.sort());
    });
    const one = await here.run(['relation', 'list', '-o', 'csv', '--columns', 'Counter.Marks']);
    assert.match(one.stderr, /--columns Counter\.Marks needs --include-counters/);
  });

  it('go to a file as to stdout, also compressed, without a header and cut', async () => {
    for (const more of [[], ['--no-header'], ['--limit', '7', '--quiet'], ['--consistent'], ['--page-size', '4']]) {
      const file = here.fresh('relations.csv');
      const onStdout = await here.run([...list, ...more.filter((word) => word !== '--consistent')]);
      await ends(here.run([...list, ...more, '--output-file', file]), 0, '', '');
      assert.equal(readFileSync(file, 'utf8'), onStdout.stdout);
      assert.deepEqual(beside(file), []);
    }
    const file = here.fresh('relations.csv.gz');
    assert.equal((await here.run([...list, '--output-file', file])).code, 0);
    assert.equal(gunzipSync(readFileSync(file)).toString(), (await here.run(list)).stdout);
  });

  it('print what came of a list that stops short, and end with 8', async () => {
    await here.fault('fault=Server,message="x";page=3');
    const run = await here.run([...list, '--page-size', '5', '--concurrency', '1']);
    await here.calm();
    assert.equal(run.code, 8);
    assert.equal(table(run.stdout).length, 10);
  });
});

describe('An export with --include-fields', function () {
  const here = place();
  const args = (file: string): readonly string[] =>
    argv`relation list --include-fields -o csv --page-size 2 --output-file ${file}`;
  let whole = '';
  before(async () => {
    const file = here.fresh('whole.csv');
    assert.equal((await here.run([...args(file), '--meta'])).code, 0);
    whole = readFileSync(file, 'utf8');
    const meta = JSON.parse(readFileSync(`${file}.meta.json`, 'utf8')) as Record<string, unknown>;
    assert.deepEqual([meta['rows'], meta['ended'], meta['bytes']], [60, 'empty page', Buffer.byteLength(whole)]);
  });

  /** Kills a run when a file has appeared; false when it ended before. */
  async function killed(words: readonly string[], isTime: () => boolean): Promise<boolean> {
    const child = spawn(process.execPath, [program, ...words], { env: here.env, stdio: 'ignore' });
    const ended = new Promise<boolean>((resolve) => {
      child.on('exit', (_, signal) => resolve(signal === 'SIGKILL'));
    });
    while (child.exitCode === null && !isTime()) await turn();
    child.kill('SIGKILL');
    return ended;
  }

  it('is byte for byte the same after kill -9 in either pass, resumed', async () => {
    for (const pages of [1, 29]) {
      const file = here.fresh('killed.csv');
      const isTime = (): boolean => {
        const journal = `${file}.staging.journal`;
        return existsSync(journal) && readFileSync(journal, 'utf8').split('\n').length > pages + 1;
      };
      await here.failing('latency=50ms', async () => assert.ok(await killed(args(file), isTime)));
      assert.ok(!existsSync(file));
      await ends(here.run(args(file)), 8, /--resume/);
      assert.deepEqual(await here.run([...args(file), '--resume']), { code: 0, signal: null, stdout: '', stderr: '' });
      assert.equal(readFileSync(file, 'utf8'), whole);
      assert.deepEqual(beside(file), []);
    }
    let second = 0;
    for (let tries = 0; tries < 20 && second < 1; tries += 1) {
      const file = here.fresh('killed.csv');
      await killed(args(file), () => existsSync(`${file}.part`));
      if (existsSync(`${file}.staging`)) second += 1;
      assert.equal((await here.run([...args(file), '--resume'])).code, 0);
      assert.equal(readFileSync(file, 'utf8'), whole);
      assert.deepEqual(beside(file), []);
    }
  });

  it('that failed in its second pass is written from the staging file, without a call, also as something else', async () => {
    const file = here.fresh('blocked.csv');
    writeFileSync(file, 'old');
    mkdirSync(`${file}.part`);
    await ends(here.run([...args(file), '--force']), 10);
    assert.equal(readFileSync(file, 'utf8'), 'old');
    assert.ok(existsSync(`${file}.staging`));
    rmSync(`${file}.part`, { recursive: true });
    await ends(here.run([...args(file), '--force']), 8, /was interrupted after it read 60 rows/);
    await ends(here.run([...args(file), '--force', '--resume', '--limit', '3']), 2);
    const trace = here.fresh('trace');
    await ends(here.run([...args(file), '--force', '--resume', '--meta', `--trace=${trace}`]), 0, '');
    assert.deepEqual(callsIn(trace), []);
    assert.equal(readFileSync(file, 'utf8'), whole);
    const meta = JSON.parse(readFileSync(`${file}.meta.json`, 'utf8')) as Record<string, unknown>;
    assert.deepEqual([meta['rows'], meta['resumed'], meta['pages']], [60, true, 31]);
    assert.deepEqual(beside(file), [`${basename(file)}.meta.json`]);
  });

  it('does not go on with a staging file that was changed, and begins anew with --restart', async () => {
    const file = here.fresh('damaged.csv');
    mkdirSync(`${file}.part`);
    assert.equal((await here.run(args(file))).code, 10);
    rmSync(`${file}.part`, { recursive: true });
    const staging = readFileSync(`${file}.staging`, 'utf8').split('\n');
    for (const damage of [staging.toSpliced(5, 1), staging.with(7, (staging[7] ?? '').slice(0, -5))]) {
      writeFileSync(`${file}.staging`, damage.join('\n'));
      await ends(here.run([...args(file), '--resume']), 10, /damaged\.csv\.staging is damaged[^]*--restart/);
      assert.ok(!existsSync(file));
    }
    assert.equal((await here.run([...args(file), '--restart'])).code, 0);
    assert.equal(readFileSync(file, 'utf8'), whole);
    assert.deepEqual(beside(file), []);
  });

  it('takes nothing from a link that stands where its staging file should', async () => {
    const file = here.fresh('linked.csv');
    const other = here.fresh('other');
    writeFileSync(other, 'of somebody else');
    symlinkSync(other, `${file}.staging`);
    const run = await here.run([...args(file), '--resume']);
    assert.equal(readFileSync(other, 'utf8'), 'of somebody else', run.stderr);
  });

  it('that another run writes is locked', async () => {
    const file = here.fresh('locked.csv');
    let ended: Promise<unknown> | undefined;
    await here.failing('latency=300ms', async () => {
      const child = spawn(process.execPath, [program, ...args(file)], { env: here.env, stdio: 'ignore' });
      ended = new Promise((resolve) => child.on('exit', resolve));
      while (child.exitCode === null && !existsSync(`${file}.staging.part`)) await turn();
      assert.equal((await here.run(args(file))).code, 11);
    });
    assert.equal(await ended, 0);
    assert.equal(readFileSync(file, 'utf8'), whole);
  });

  it('tells fields that the workflow does not list in a file of their own, as long as there are any', async () => {
    const search = ['activity', 'search', '--entity-type', activityEntityTypeId, '--fields-of', workflowId];
    const file = here.fresh('activities.csv');
    const words = [...search, '--include-fields', '-o', 'csv', '--output-file', file];
    const clean = await here.run([...words, '--meta']);
    assert.deepEqual([clean.code, clean.stderr, beside(file)], [0, '', [`${basename(file)}.meta.json`]]);
    const records = await here.json<readonly Listed[]>([...search, '--include-fields']);
    const record = records[0]?.Id ?? '';
    const late = '00000000-0041-4000-8000-0000000099ff';
    here.execute(
      `INSERT INTO "PvActivityData_FieldValues_Items" (owner, position, "Id", "Value")
       SELECT seq, 999, '${late}', 'a, "b"' FROM "PvActivityData" WHERE "Id" = '${record}'`,
    );
    const run = await here.run([...words, '--meta']);
    assert.equal(run.code, 0, run.stderr);
    assert.match(run.stderr, /1 value of 1 field that the workflow does not list is in .*activities\.csv\.fields\.csv/);
    assert.equal(readFileSync(`${file}.fields.csv`, 'utf8'), `Id,FieldId,Value\n${record},${late},"a, ""b"""\n`);
    const meta = JSON.parse(readFileSync(`${file}.meta.json`, 'utf8')) as Record<string, unknown>;
    assert.equal(meta['lateValues'], 1);
    const onStdout = await here.run([...search, '--include-fields', '-o', 'csv']);
    assert.equal(readFileSync(file, 'utf8'), onStdout.stdout);
    assert.match(onStdout.stderr, /1 value of 1 field .* is in the column FieldValues\.Items/);
    const row = table(onStdout.stdout).find((each) => each.get('Id') === record);
    assert.deepEqual(JSON.parse(row?.get('FieldValues.Items') ?? ''), [{ Id: late, Value: 'a, "b"' }]);
    here.execute(`DELETE FROM "PvActivityData_FieldValues_Items" WHERE "Id" = '${late}'`);
    assert.deepEqual([(await here.run(words)).code, existsSync(`${file}.fields.csv`)], [0, false]);
    writeFileSync(`${file}.fields.csv`, 'of somebody else');
    assert.equal((await here.run(words)).code, 0);
    assert.equal(readFileSync(`${file}.fields.csv`, 'utf8'), 'of somebody else');
  });
});
