import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isFigure } from '../../bench/figures.js';
import { goals } from '../../bench/goals.js';
import { quick, type Scale } from '../../bench/scale.js';
import { sections } from '../../bench/sections/index.js';
import { judge } from '../../bench/verdict.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

function bench(...args: readonly string[]) {
  return spawnSync(process.execPath, ['--import', 'tsx', 'bench/run.ts', ...args], { cwd: root, encoding: 'utf8' });
}

/** Just enough for each figure. */
const small: Scale = { ...quick, growth: [60, 120, 180], rows: 20, calls: 20 };

/** Sections whose figures are all of the smallest and the largest size: in the middle the same lines would be run again. */
const withoutMiddle: ReadonlySet<string> = new Set(['find', 'names', 'sql']);

describe('The bench', () => {
  for (const [name, section] of Object.entries(sections))
    it(`has a figure for every goal of its section ${name}`, async () => {
      const [few, , most] = small.growth;
      const scale: Scale = withoutMiddle.has(name) ? { ...small, growth: [few, few, most] } : small;
      const outcome = await section.measure(scale);
      assert.deepEqual(
        outcome.notes.filter((note) => /failed:/i.test(note)),
        [],
      );
      const own = goals.filter((goal) => goal.section === name);
      const reasons = judge(own, new Map([[name, outcome]])).flatMap(({ found }) =>
        isFigure(found) ? [] : [found.why],
      );
      // Another client may be missing here, and only Linux tells what a process took; nothing else may be missing.
      assert.deepEqual(
        reasons.filter((why) => !/is not on this machine|this system does not tell it/.test(why)),
        [],
      );
    });

  it('prints a section that is named, and its goals', () => {
    const { status, stdout, stderr } = bench('--quick', 'decoding');
    assert.equal(status, 0, stderr);
    const titles = [...stdout.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    assert.deepEqual(titles, [sections['decoding']?.title, 'Goals']);
    const lines = stdout.split('\n').filter((line) => / (?:met|\*\*missed\*\*) \|/.test(line));
    assert.equal(lines.length, goals.filter(({ section }) => section === 'decoding').length);
  });

  it('refuses a section that it does not know', () => {
    const { status, stderr } = bench('luck');
    assert.notEqual(status, 0);
    assert.match(stderr, /no section 'luck'; there are start-up, decoding/);
  });
});
