import assert from 'node:assert/strict';
import { linesAfter } from '../../../src/core/text/text.js';

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
