import assert from 'node:assert/strict';
import type { Goal } from '../../bench/goals.js';
import type { Origin } from '../../bench/origin.js';
import { goalLines, originLines, replaceFigures, sectionLines } from '../../bench/page.js';
import { whole } from '../../bench/scale.js';
import type { Verdict } from '../../bench/verdict.js';

const goal = (what: string, bound: number, reason?: string): Goal => ({
  section: 'lists',
  figure: what,
  what,
  comparison: 'at most',
  bound,
  unit: 'x',
  ...(reason === undefined ? {} : { reason }),
});

const verdicts: readonly Verdict[] = [
  { goal: goal('time', 2, 'never told'), found: { value: 1.234, runs: 9 }, verdict: 'met' },
  { goal: goal('disk', 150), found: { value: 150.4, runs: 1 }, verdict: 'missed' },
  { goal: goal('memory', 3, 'the page is held whole'), found: { value: 3.5, runs: 3 }, verdict: 'missed' },
  { goal: goal('zeep', 9), found: { why: 'zeep: is not on this machine' }, verdict: 'not measured' },
];

const origin: Origin = { commit: 'abc123', changed: [], machine: 'Node v20, 2 processors', load: 0.051 };

describe('The page of benchmarks', () => {
  it('has a line for each goal, and reasons where they are known', () => {
    assert.deepEqual(goalLines(verdicts), [
      '## Goals',
      '',
      '4 goals: 1 met, 2 missed, 1 not measured.',
      '',
      '| section | goal | bound | figure | verdict | runs |',
      '| --- | --- | --- | --- | --- | --- |',
      '| lists | time | at most 2 x | 1.23 | met | 9 |',
      '| lists | disk | at most 150 x | 150.4000 | **missed** | 1 |',
      '| lists | memory | at most 3 x | 3.50 | **missed** | 3 |',
      '| lists | zeep | at most 9 x | – | **not measured** | 0 |',
      '',
      '- lists, memory: the page is held whole',
      '- lists, zeep: zeep: is not on this machine',
    ]);
  });

  it('says of which commit it is, and that the tree was dirty or changed meanwhile', () => {
    const lines = (begin: Origin, end: Origin): readonly string[] => originLines(begin, end, whole).slice(0, -1);
    assert.deepEqual(lines(origin, origin), [
      'Commit abc123.',
      'Node v20, 2 processors. Load average 0.05 before the run.',
    ]);
    assert.deepEqual(lines({ ...origin, changed: ['src/b.ts'] }, { ...origin, commit: 'def', changed: ['src/a.ts'] }), [
      'Commit abc123, **and def at the end**.',
      '**The tree is dirty**: 2 files differ from the commit: src/a.ts, src/b.ts.',
      'Node v20, 2 processors. Load average 0.05 before the run.',
    ]);
  });

  it('says that the machine had other work', () => {
    const busy = originLines({ ...origin, load: 1 }, origin, whole);
    assert.equal(
      busy[1],
      'Node v20, 2 processors. Load average 1.00 before the run. **The machine was not idle**: the figures are no verdicts.',
    );
  });

  it('has the tables of a section, or how it failed', () => {
    const table = { head: ['client', 's'], rows: [['relctl', 1]] };
    assert.deepEqual(sectionLines('Lists', { words: 'Words.', tables: [table], figures: {}, notes: ['zeep: gone'] }), [
      '## Lists',
      '',
      'Words.',
      '',
      '| client | s |',
      '| --- | --- |',
      '| relctl | 1 |',
      '',
      '- Not measured: zeep: gone',
    ]);
    assert.deepEqual(sectionLines('Lists', { failed: 'no port' }), ['## Lists', '', '**Failed**: no port']);
  });

  it('is written between its marks, and what stands around them stays', () => {
    const page = 'Before.\n\n<!-- begin:figures -->\n\nold\n\n<!-- end:figures -->\n';
    const written = 'Before.\n\n<!-- begin:figures -->\n\nnew\nlines\n\n<!-- end:figures -->\n';
    assert.equal(replaceFigures(page, ['new', 'lines']), written);
    assert.equal(replaceFigures(written, ['new', 'lines']), written);
    assert.throws(() => replaceFigures('no marks', []), /the page has no <!-- begin:figures -->/);
  });
});
