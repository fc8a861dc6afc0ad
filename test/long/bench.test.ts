import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { goals } from '../../bench/goals.js';
import { sections } from '../../bench/sections/index.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

function bench(...args: readonly string[]) {
  return spawnSync(process.execPath, ['--import', 'tsx', 'bench/run.ts', ...args], { cwd: root, encoding: 'utf8' });
}

describe('The bench', () => {
  it('runs every section, at a size that says nothing, and has a figure for every goal', () => {
    const { status, stdout, stderr } = bench('--quick');
    assert.equal(status, 0, stderr);
    const titles = [...stdout.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    assert.deepEqual(titles, [...Object.values(sections).map(({ title }) => title), 'Goals']);
    assert.doesNotMatch(stdout, /failed:/i);
    const lines = stdout.split('\n').filter((line) => / (?:met|\*\*missed\*\*|\*\*not measured\*\*) \|/.test(line));
    assert.equal(lines.length, goals.length);
    // Another client may be missing here, and only Linux tells what a process took; nothing else may be missing.
    const without = lines.filter((line) => line.includes('not measured'));
    assert.deepEqual(
      without.filter((line) => !/is not on this machine|this system does not tell it/.test(line)),
      [],
    );
  });

  it('refuses a section that it does not know', () => {
    const { status, stderr } = bench('luck');
    assert.notEqual(status, 0);
    assert.match(stderr, /no section 'luck'; there are start-up, decoding/);
  });
});
