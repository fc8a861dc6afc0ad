import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('The bench', () => {
  it('runs every measure, at a size that says nothing', function () {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'bench/run.ts', '--small'], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    const titles = [...stdout.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    assert.deepEqual(titles, [
      'Start-up, whole process',
      'Decoding one page in process',
      'A list to CSV',
      'The same with 50 ms before each page',
      'Memory of an export',
      'The embedded service',
      'Large tables and attachments',
    ]);
  });

  it('refuses a measure that it does not know', () => {
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'bench/run.ts', '--only', 'luck'], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.notEqual(status, 0);
    assert.match(stderr, /no measure 'luck'; there are start-up, decoding/);
  });
});
