import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { sizeOf, started, until } from '../support/export-lane.js';
import { place } from '../support/operations/place.js';
import { ends, type Run } from '../support/relctl.js';
import { argv } from '../support/argv.js';

describe('A file of rows that is changed while they are sent', () => {
  const here = place([], true);
  const file = (content: string, name: string): string => {
    const path = here.fresh(name);
    writeFileSync(path, content);
    return path;
  };
  const entries = '00000000-0040-4000-8000-000000000021';
  const entryName = '00000000-0041-4000-8000-000000002101';
  // More than are read at a time.
  const count = 300;
  const wide = 'x'.repeat(600);
  const names = Array.from({ length: count }, (_, at) => `Row ${String(at).padStart(4, '0')}`);
  const lines = names.map((name) => `{"${entryName}":"${name}","translation.nl-NL":"${wide}"}\n`);
  const words = (path: string): readonly string[] =>
    argv`datastore create-item ${entries} --file ${path} --yes --set rate=200/s`;
  /** What the service was asked to make, and did. */
  const made = (begin: string): readonly string[] =>
    here.requests('DatastoreCreateItem_V3').flatMap(({ input, outcome }) => {
      const [{ Value } = { Value: '' }] = input?.['fieldValues'] as readonly { readonly Value: string }[];
      assert.equal(outcome, 'done');
      return Value.toLowerCase().startsWith(begin) ? [Value] : [];
    });
  /** Runs the batch, and lets something happen after its first rows were sent, while it stands still. */
  async function disturbed(path: string, disturb: () => void): Promise<Run> {
    const run = started(words(path), { env: here.env });
    const isBegun = await until(run, () => sizeOf(`${path}.results.csv.journal`) > 2000);
    if (!isBegun) assert.fail((await run.ended).stderr.slice(0, 800));
    run.child.kill('SIGSTOP');
    disturb();
    run.child.kill('SIGCONT');
    return run.ended;
  }

  it('stops with words before it sends anything that was not checked, and goes on with the file as it was', async () => {
    const path = file(lines.join(''), 'rows.ndjson');
    const run = await disturbed(path, () => {
      const handle = openSync(path, 'r+');
      writeSync(handle, 'Other', Buffer.byteLength(lines.join('')) - 500);
      closeSync(handle);
    });
    assert.equal(run.code, 10, run.stderr);
    const [, done = '', unsent = ''] = /; 300 rows: (\d+) done, (\d+) not sent; /.exec(run.stderr) ?? [];
    assert.match(run.stderr, /rows\.ndjson changed while relctl read it.*restore the file/s);
    assert.equal(Number(done) + Number(unsent), count);
    assert.deepEqual(made('row'), names.slice(0, Number(done)));
    const resume = [...words(path), '--resume'];
    await ends(here.run(resume), 2, /cannot resume the batch of .*: this is a file with other content/);
    // A line to try that names other results would write the rows that are done once more.
    const anew = await ends(
      here.run(words(path)),
      2,
      /belongs to another batch.*: a file with other content\n {2}relctl would write its done rows again/,
    );
    assert.doesNotMatch(anew.stderr, /Try:/);
    writeFileSync(path, lines.join(''));
    assert.deepEqual((await here.run(resume)).code, 0);
    assert.deepEqual(made('row'), names);
    const results = parse<Record<string, string>>(readFileSync(`${path}.results.csv`), { columns: true });
    assert.deepEqual(
      results.map((row) => [row['_outcome'], row[entryName]]),
      names.map((name) => ['done', name]),
    );
  });

  it('goes on by what was checked where another file took its name', async () => {
    const path = file(lines.join('').replaceAll('Row', 'Was'), 'rows.ndjson');
    const other = file(lines.join('').replaceAll('Row', 'New'), 'other.ndjson');
    const run = await disturbed(path, () => renameSync(other, path));
    assert.deepEqual([run.code, run.stderr], [0, '']);
    assert.deepEqual(
      made('was'),
      names.map((name) => name.replace('Row', 'Was')),
    );
    assert.deepEqual(made('new'), []);
  });
});
