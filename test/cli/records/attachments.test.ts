import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { started, until } from '../../support/export-lane.js';
import { callsIn, place } from '../../support/operations/place.js';
import { ends, type Run } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Rows of results by their ids; no cell of these tests has a comma, but in words in quotes at the end. */
function resultsIn(file: string): ReadonlyMap<string, readonly string[]> {
  const lines = readFileSync(file, 'utf8').split('\r\n');
  assert.equal(lines[0], 'id,file,size,sha256,outcome,message,at');
  return new Map(lines.slice(1, -1).map((line) => [line.split(',')[0] ?? '', line.split(',')]));
}

describe('attachment get --ids', () => {
  const here = place();
  /** Ids and contents, as they are in the database. */
  const contents = (): ReadonlyMap<string, Buffer> =>
    new Map(
      here
        .rows('SELECT "Id", "Base64EncodedFile" FROM "Attachment" ORDER BY seq')
        .map(([id, text]) => [String(id), Buffer.from(String(text), 'base64')]),
    );
  /** A file of ids, and a folder for their files. */
  function task(ids: readonly string[]): { readonly ids: string; readonly out: string; readonly results: string } {
    const [file, out] = [here.fresh('ids.txt'), here.fresh('out')];
    mkdirSync(out);
    writeFileSync(file, ids.map((id) => `${id}\n`).join(''));
    return { ids: file, out, results: `${file}.results.csv` };
  }
  const words = (of: { readonly ids: string; readonly out: string }, more: readonly string[] = []): string[] =>
    argv`attachment get --ids ${of.ids} --output-dir ${of.out} ${more}`;
  const get = (of: { readonly ids: string; readonly out: string }, ...more: readonly string[]): Promise<Run> =>
    here.run(words(of, more));
  const outcomes = (file: string): readonly (string | undefined)[] =>
    [...resultsIn(file).values()].map((cells) => cells[4]);
  /** Each file of the folder is the content of its attachment, and the results say so. */
  function checkAll({ out, results }: ReturnType<typeof task>, wanted: ReadonlyMap<string, Buffer>): void {
    const told = resultsIn(results);
    assert.deepEqual([...told.keys()], [...wanted.keys()]);
    assert.equal(readdirSync(out).length, wanted.size);
    for (const [id, bytes] of wanted) {
      const [, file = '', size, hash] = told.get(id) ?? [];
      assert.ok(file.startsWith(`${id}_`), file);
      assert.deepEqual([readFileSync(join(out, file)), size, hash], [bytes, String(bytes.length), sha256(bytes)]);
    }
  }

  it('saves each file whole, whatever the service calls it, and tells size and hash', async () => {
    const all = contents();
    const names = here.rows('SELECT "FileName" FROM "Attachment"').map(([name]) => String(name));
    // What must be seen: two of one name, and one that is a path.
    assert.ok(new Set(names).size < names.length && names.some((name) => name.includes('../')));
    const of = task([...all.keys(), [...all.keys()][0] ?? '']);
    const { stdout } = await ends(get(of, '-o', 'json'), 0, /repeats ids \(lines: 1\)/);
    const bytes = [...all.values()].reduce((sum, each) => sum + each.length, 0);
    const { Attachments, Saved, Bytes } = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual([Attachments, Saved, Bytes], [all.size, all.size, String(bytes)]);
    checkAll(of, all);
  });

  it('asks with --only-missing for what is not there with its size and hash', async () => {
    const all = contents();
    const of = task([...all.keys()]);
    assert.equal((await get(of, '--only-missing')).code, 0);
    const [first = '', second = '', third = ''] = readdirSync(of.out).filter((name) => name.includes('notulen'));
    rmSync(join(of.out, first));
    const cut = readFileSync(join(of.out, second)).subarray(1);
    writeFileSync(join(of.out, second), cut);
    const touched = readFileSync(join(of.out, third));
    writeFileSync(join(of.out, third), touched);
    const trace = here.fresh('trace');
    await ends(get(of, '--only-missing', `--trace=${trace}`), 8);
    assert.equal(callsIn(trace).length, 2);
    const told = resultsIn(of.results);
    assert.equal(told.get(first.slice(0, 36))?.[4], 'saved');
    assert.equal(told.get(second.slice(0, 36))?.[4], 'failed');
    const line = told.get(second.slice(0, 36))?.join(',') ?? '';
    assert.match(line, /already exists, and relctl did not save it: --force/);
    assert.deepEqual(readFileSync(join(of.out, second)), cut);
    assert.equal((await get(of, '--only-missing', '--force')).code, 0);
    checkAll(of, all);
  });

  it('knows files without results by their content, and replaces no other', async () => {
    const [id = ''] = contents().keys();
    const of = task([id]);
    assert.equal((await get(of)).code, 0);
    const [name = ''] = readdirSync(of.out);
    rmSync(of.results);
    assert.equal((await get(of)).code, 0);
    assert.deepEqual(outcomes(of.results), ['there']);
    rmSync(of.results);
    const elsewhere = join(of.out, '..', 'elsewhere');
    writeFileSync(elsewhere, 'mine');
    rmSync(join(of.out, name));
    symlinkSync(elsewhere, join(of.out, name));
    assert.equal((await get(of, '--only-missing')).code, 10);
    assert.deepEqual(outcomes(of.results), ['failed']);
    assert.equal(readFileSync(elsewhere, 'utf8'), 'mine');
    rmSync(of.results);
    assert.equal((await get(of, '--force')).code, 0);
    assert.equal(readFileSync(elsewhere, 'utf8'), 'mine');
  });

  it('writes over no results that it was not asked to go on with, and none of something else', async () => {
    const of = task([...contents().keys()].slice(0, 1));
    assert.equal((await get(of)).code, 0);
    await ends(get(of), 2, /already exists: resume with --only-missing/);
    writeFileSync(of.results, 'my notes\n');
    assert.equal((await get(of, '--only-missing')).code, 2);
    assert.equal(readFileSync(of.results, 'utf8'), 'my notes\n');
  });

  it('goes on where one is refused, and ends with the code that all have in common', async () => {
    const missing = '00000000-0021-4000-8000-0000000fffff';
    const [id = ''] = contents().keys();
    const none = task([missing]);
    assert.equal((await get(none)).code, 5);
    assert.deepEqual([outcomes(none.results), readdirSync(none.out)], [['refused'], []]);
    const of = task([missing, id]);
    assert.equal((await get(of)).code, 8);
    assert.deepEqual(outcomes(of.results), ['refused', 'saved']);
  });

  it('stops when the service does not answer, and says which were not requested', async () => {
    const of = task([...contents().keys()].slice(0, 9));
    const { code, stderr } = await here.failing('status=503;operation=AttachmentGet', () =>
      get(of, '--set', 'retries=0', '--concurrency', '1'),
    );
    assert.equal(code, 6, stderr);
    assert.match(stderr, /9 attachments: 5 failed, 4 not asked/);
    assert.deepEqual(outcomes(of.results).slice(4, 6), ['failed', 'not asked']);
    assert.equal((await get(of, '--only-missing')).code, 0);
  });

  it('tells at Ctrl-C what is there, and goes on later', async () => {
    const all = [...contents().keys()].slice(0, 6);
    const of = task(all);
    await here.failing('latency=300ms;operation=AttachmentGet', async () => {
      const run = started(words(of, ['--concurrency', '1']), { env: here.env });
      assert.ok(await until(run, () => existsSync(of.results) && /,saved,/.test(readFileSync(of.results, 'utf8'))));
      run.child.kill('SIGINT');
      const { signal, stderr } = await run.ended;
      assert.equal(signal, 'SIGINT', stderr);
      assert.match(stderr, /6 attachments: [1-5] saved, [1-5] not asked/);
      assert.match(stderr, /Try: .*--only-missing/);
    });
    const saved = outcomes(of.results).filter((each) => each === 'saved').length;
    assert.equal(readdirSync(of.out).length, saved);
    const trace = here.fresh('trace');
    assert.equal((await get(of, '--only-missing', `--trace=${trace}`)).code, 0);
    assert.equal(callsIn(trace).length, 6 - saved);
  });

  it('tells of each file before it has its name, and again when it is there', async () => {
    const of = task([...contents().keys()].slice(0, 3));
    await here.failing('latency=300ms;operation=AttachmentGet', async () => {
      const run = started(words(of, ['--concurrency', '1']), { env: here.env });
      assert.ok(await until(run, () => existsSync(of.results) && /,saved,/.test(readFileSync(of.results, 'utf8'))));
      run.child.kill('SIGKILL');
      await run.ended;
    });
    const [, first = '', second = ''] = readFileSync(of.results, 'utf8').split('\r\n');
    assert.match(first, /,saving,/);
    assert.match(second, /,saved,/);
    assert.deepEqual(first.split(',').slice(0, 4), second.split(',').slice(0, 4));
  });

  it('refuses the results of a batch, whose column id is not that of attachments, and takes their column _id', async () => {
    const activity = '00000000-0020-4000-8000-000000000001';
    const sent = here.fresh('sent.txt');
    writeFileSync(sent, 'sent');
    for (const title of ['id', 'activity']) {
      const rows = here.fresh('rows.csv');
      writeFileSync(rows, `${title},file\n${activity},${sent}\n`);
      const attach = ['activity', 'attach', '--file', rows, '--allow-outside', '--yes'];
      await ends(here.run(attach), 0);
      const results = `${rows}.results.csv`;
      const { out } = task([]);
      const { stderr } = await ends(get({ ids: results, out }), 2);
      assert.ok(
        stderr.startsWith(`Error: ${results} is a results file of a batch: its column id has the Ids of the rows\n`),
      );
      assert.match(stderr, /in its column _id\. Write them to a file, one per line, and use that file\./);
      assert.deepEqual([readdirSync(out), existsSync(`${results}.results.csv`)], [[], false]);
      const [titles = [], cells = []] = readFileSync(results, 'utf8')
        .split('\r\n')
        .map((line) => line.split(','));
      const of = task([cells[titles.indexOf('_id')] ?? '']);
      assert.equal((await get(of)).code, 0);
      assert.equal(
        readdirSync(of.out)
          .map((name) => readFileSync(join(of.out, name), 'utf8'))
          .join(),
        'sent',
      );
    }
  });

  it('refuses a header without a column Id', async () => {
    const { code, stderr } = await get(task(['Attachment,Name', '00000000-0021-4000-8000-000000000001,x']));
    assert.equal(code, 2, stderr);
    assert.match(stderr, /line 1: 'Attachment,Name' is not a GUID; a header needs a column Id/);
  });

  it('refuses flags that do not go together, before anything is called', async () => {
    const of = task(['00000000-0021-4000-8000-000000000001', 'nope', 'no']);
    for (const [args, told] of [
      [['--ids', of.ids], /--ids needs --output-dir/],
      [['--ids', of.ids, '--output-dir', of.out, '--output-file', 'x'], /--output-file is for one attachment/],
      [['--ids', '-', '--output-dir', of.out], /ids from stdin need --results/],
      [['--ids', of.ids, '--output-dir', of.out], /line 2: 'nope' is not a GUID/],
      [['00000000-0021-4000-8000-000000000001', '--ids', of.ids], /cannot be used together/],
      [['00000000-0021-4000-8000-000000000001', '--only-missing'], /--only-missing needs --ids/],
      [['--ids', of.ids, '--output-dir', of.out, '--results', of.ids], /--results needs a file of its own/],
      [['--ids', of.ids, '--output-dir', of.out, '--results', '-'], /--results takes a file, not -/],
    ] as const) {
      await ends(here.run(['attachment', 'get', ...args]), 2, told);
    }
  });
});
