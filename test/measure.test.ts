import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lowered, overBudget } from '../scripts/measure/budgets.js';
import { countReaches, countSizes } from '../scripts/measure/counts.js';
import { reachOf } from '../scripts/measure/reach.js';

describe('Budgets of the sources', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'relctl-test-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (path: string, text: string): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };

  it('are passed by a number that grew, which is named, and by one that has none', () => {
    const budget = { 'lines of src': 10, 'files of src': 2, 'lines of src/gone': 3 };
    assert.deepEqual(overBudget({ 'lines of src': 10, 'files of src': 1 }, budget), []);
    assert.deepEqual(overBudget({ 'lines of src': 12, 'files of src': 2, 'lines of src/new': 1 }, budget), [
      'lines of src: 12, 2 more than the budget of 10',
      'lines of src/new: 1, and measure.json has no budget for it',
    ]);
  });

  it('are lowered to what is counted, never raised, and dropped for what is counted no more', () => {
    const budget = { 'lines of src': 10, 'files of src': 2, 'lines of src/gone': 3 };
    assert.deepEqual(lowered({ 'lines of src': 9, 'files of src': 3, 'lines of src/new': 1 }, budget), {
      'lines of src': 9,
      'files of src': 2,
    });
  });

  it('are of lines by folder, files, flags that help shows, words of pages, and bytes of the manifest', () => {
    write('src/a/one.ts', '1\n2\n');
    write('src/a/deep/two.ts', '1\n');
    write('src/b/three.ts', '1\n2\n3\n4\n');
    write('src/b/data.json', '1\n');
    write('docs/page.md', '# A page\n\nof  six words.\n');
    write('docs/decisions/001.md', 'Not counted.\n');
    const flags = (...names: readonly string[]) =>
      Object.fromEntries(names.map((name) => [name, { name, type: 'option' }]));
    const hidden = { old: { name: 'old', type: 'option', hidden: true } };
    const manifest = JSON.stringify({
      commands: { x: { id: 'x', flags: { ...flags('p', 'q'), ...hidden } }, y: { id: 'y', flags: flags('q') } },
    });
    write('oclif.manifest.json', manifest);
    assert.deepEqual(countSizes(`${folder}/`), {
      'lines of src': 7,
      'files of src': 3,
      'lines of src/a': 3,
      'lines of src/b': 4,
      'different flags': 2,
      'flags of the largest command': 2,
      'words of docs': 6,
      'bytes of oclif.manifest.json': manifest.length,
    });
  });

  it('are of the files entered and the functions run by a process, without the sandbox and helpers', () => {
    const ran = (functionName: string, startOffset: number, count = 1) => ({
      functionName,
      ranges: [{ startOffset, endOffset: startOffset + 1, count }],
    });
    const script = (path: string, ...functions: readonly object[]) => ({
      url: pathToFileURL(join(folder, path)).href,
      functions,
    });
    const coverage = (pid: number, ...result: readonly object[]): void =>
      write(`coverage/coverage-${pid}-1-0.json`, JSON.stringify({ result }));
    coverage(
      7,
      script('src/a/one.js', ran('', 0), ran('read', 10), ran('read', 20), ran('unused', 30, 0)),
      script('src/a/two.js', ran('', 0), ran('__name', 10)),
      script('src/b/three.js', ran('read', 10)),
      script('src/sandbox/four.js', ran('read', 10)),
      script('node_modules/p/src/five.js', ran('read', 10)),
    );
    coverage(8, script('src/c/six.js', ran('read', 10)));
    const reach = reachOf(join(folder, 'coverage'), 7, join(folder, 'src'));
    assert.deepEqual(reach, { files: 2, functions: 3 });
    assert.deepEqual(countReaches({ find: reach }), { 'files entered by find': 2, 'functions run by find': 3 });
  });

  it('were counted first for each number that has one today, where its folder is not new', () => {
    const { budget, first } = JSON.parse(readFileSync('measure.json', 'utf8')) as Record<
      string,
      Record<string, number>
    >;
    assert.deepEqual(
      Object.keys(budget ?? {}).filter((what) => !what.startsWith('lines of src/') && first?.[what] === undefined),
      [],
    );
  });
});
