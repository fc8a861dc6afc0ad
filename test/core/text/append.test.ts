import assert from 'node:assert/strict';
import { append, linesAfter } from '../../../src/core/text/text.js';

describe('A text that grows', () => {
  it('holds all its pieces in their order, however many and however long they are', () => {
    const long = 'x'.repeat(300_000);
    let [text, whole] = ['', ''];
    for (const piece of ['', 'a', long, '', '\u{1f600}', long, 'b'.repeat(262_144), 'c']) {
      text = append(text, piece);
      whole += piece;
      assert.equal(text, whole);
    }
    let small = '';
    for (let at = 0; at < 300_000; at += 1) small = append(small, String(at % 10));
    assert.equal(small, '0123456789'.repeat(30_000));
  });
});

describe('lines behind a line that was begun', () => {
  it('are those of the whole text, however it is cut', () => {
    const text = 'a\n\nbc\r\nd\n';
    for (let at = 0; at <= text.length; at += 1) {
      const before = linesAfter('', text.slice(0, at));
      const begun = before.pop() ?? '';
      assert.deepEqual([...before, ...linesAfter(begun, text.slice(at))], text.split('\n'));
    }
  });
});
