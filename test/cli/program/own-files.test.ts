import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { place } from '../../support/operations/place.js';
import { ends } from '../../support/relctl.js';

const attachment = '00000000-0021-4000-8000-000000000001';

describe('A file that cannot be noted as one of relctl’s own', () => {
  const here = place();
  const state = (): string => join(here.folder, 'state', 'relctl');
  /** The folder of the notes. */
  const written = (): string => join(state(), 'written');
  /** A file stands where the folder of the notes would be: for root too, nothing can be written there. */
  beforeEach(() => {
    rmSync(written(), { recursive: true, force: true });
    mkdirSync(state(), { recursive: true });
    writeFileSync(written(), '');
  });

  const said = (file: string): string =>
    `Note: ${file} is complete, but not in the output registry, because ${written()} cannot be written: ` +
    'it already exists; the next run that replaces it needs --force once\n';

  for (const [title, words, ending] of [
    ['an export', ['relation', 'list'], 'csv'],
    ['an export with --sort', ['relation', 'list', '--sort', 'Id'], 'csv'],
    ['a list without pages', ['mark', 'list'], 'csv'],
    ['a workbook', ['relation', 'list', '--columns', 'Id'], 'xlsx'],
    ['an answer to --query', ['mark', 'list', '--query', '[].Id'], 'json'],
    ['an answer to --count', ['mark', 'list', '--count'], 'txt'],
    ['an attachment', ['attachment', 'get', attachment], 'bin'],
  ] as const) {
    it(`is whole, and a note says so: ${title}`, async () => {
      const file = here.fresh(`own.${ending}`);
      const run = (...more: string[]) => here.run([...words, '--output-file', file, ...more]);
      await ends(run(), 0, said(file), '');
      const whole = readFileSync(file);
      await ends(run(), 10, /already exists, and relctl did not write this content\n {2}Try: .* --force\n/);
      assert.deepEqual(readFileSync(file), whole);
      rmSync(written());
      const forced = await run('--force');
      const again = await run();
      assert.deepEqual([forced.code, forced.stderr, again.code, again.stderr], [0, '', 0, '']);
      assert.deepEqual([existsSync(`${file}.part`), existsSync(`${file}.journal`)], [false, false]);
    });
  }

  it('is one of those of a batch that changed records, which says it beside what it did', async () => {
    const [rows, results] = [here.fresh('rows.csv'), here.fresh('results.csv')];
    writeFileSync(rows, 'Code,SalesPrice\n00001,3.75\n');
    const words = ['product', 'update', '--file', rows, '--no-base', '--yes', '--results', results];
    await ends(here.run(words), 0, said(results));
    assert.match(readFileSync(results, 'utf8'), /done/);
  });
});
