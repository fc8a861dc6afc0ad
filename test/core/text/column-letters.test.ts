import assert from 'node:assert/strict';
import { columnLetters } from '../../../src/core/text/spreadsheet.js';

describe('The name of a column', () => {
  for (const [at, name] of [
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [701, 'ZZ'],
    [702, 'AAA'],
    [16_383, 'XFD'],
  ] as const) {
    it(`is ${name} for column ${at + 1}`, () => assert.equal(columnLetters(at), name));
  }
});
