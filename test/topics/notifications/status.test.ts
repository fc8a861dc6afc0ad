import assert from 'node:assert/strict';
import { statusOf } from '../../../src/topics/notifications/status.js';

const of = (name: string, value: number) => ({ name, value });

/** Figures of a line as the plug-in interface defines them: labels in quotes, doubled inside. */
const figuresOf = (line: string): readonly string[] =>
  [...(line.split(' | ')[1] ?? '').matchAll(/'((?:[^']|'')*)'=\S+/g)].map(([, label = '']) =>
    label.replaceAll("''", "'"),
  );

describe('The status of a monitoring plug-in', () => {
  const codeOf = (value: number): number => statusOf([of('a', value)], { warn: 5, crit: 10 }).code;

  it('is a warning above the one threshold, critical above the other, and OK at both', () =>
    assert.deepEqual([0, 5, 6, 10, 11].map(codeOf), [0, 0, 1, 1, 2]));

  it('needs one threshold only', () => {
    assert.equal(statusOf([of('a', 6)], { warn: undefined, crit: 5 }).code, 2);
    assert.equal(statusOf([of('a', 6)], { warn: 5, crit: undefined }).code, 1);
  });

  it('is that of the worst user, who is named first', () => {
    const { code, line } = statusOf([of('a', 6), of('b', 0), of('c', 11)], { warn: 5, crit: 10 });
    assert.equal(code, 2);
    assert.equal(
      line,
      "NOTIFICATIONS CRITICAL: c has 11, a has 6; 3 users, 17 notifications | total=17;;;0 'a'=6;5;10;0 'b'=0;5;10;0 'c'=11;5;10;0",
    );
  });

  it('names five, and says how many more there are', () => {
    const counts = Array.from({ length: 8 }, (_, at) => of(`u${at}`, 10 + at));
    assert.match(
      statusOf(counts, { warn: 5, crit: undefined }).line,
      /WARNING: u7 has 17, .*u3 has 13, 3 more users exceed; 8 users, 108 notifications \|/,
    );
  });

  it('is one line of text with one bar, whatever a user is called', () => {
    const { line } = statusOf([of("O'Brien = x | y\nz", 9)], { warn: 5, crit: undefined });
    assert.equal(line.split('|').length, 2);
    assert.doesNotMatch(line, /\n/);
    assert.deepEqual(figuresOf(line), ["O'Brien - x / y\\u000Az"]);
  });
});
