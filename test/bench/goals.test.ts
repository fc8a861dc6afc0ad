import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { usualConcurrency } from '../../bench/export.js';
import { goals } from '../../bench/goals.js';
import { whole } from '../../bench/scale.js';
import { sections } from '../../bench/sections/index.js';

describe('The goals', () => {
  it('are each about a figure of their own, of a section that there is', () => {
    const figures = goals.map(({ section, figure }) => `${section} ${figure}`);
    assert.deepEqual([...new Set(figures)], figures);
    const lines = goals.map(({ what }) => what);
    assert.deepEqual([...new Set(lines)], lines);
    const named = new Set(goals.map(({ section }) => section));
    assert.deepEqual(
      Object.keys(sections).filter((name) => !named.has(name)),
      [],
    );
    assert.deepEqual(
      [...named].filter((name) => !Object.hasOwn(sections, name)),
      [],
    );
  });

  it('have sections that the page names, in their order', () => {
    const page = readFileSync(new URL('../../docs/benchmarks.md', import.meta.url), 'utf8');
    const line = page.split('\n').find((each) => each.startsWith('- **Sections**')) ?? '';
    const named = [...(/runs some of them: ([^.]*)\./.exec(line)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(
      ([, name]) => name,
    );
    assert.deepEqual(named, Object.keys(sections));
  });

  it('are judged by at least nine rounds, but for what takes many seconds', () => {
    assert.ok(whole.rounds >= 9);
  });

  it('that cannot be met have reasons that hold: relctl asks for three pages at once', () => {
    const reasons = goals.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
    assert.deepEqual(
      reasons.map((reason) => /^With (\d+) pages under way/.exec(reason)?.[1]),
      [String(usualConcurrency)],
    );
  });
});
