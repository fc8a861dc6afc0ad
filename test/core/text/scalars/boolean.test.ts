import assert from 'node:assert/strict';
import { parseBoolean, readYesNo } from '../../../../src/core/text/scalars.js';

describe('parseBoolean', () => {
  for (const [text, value] of [
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ] as const)
    it(`reads ${text} as ${value}`, () => assert.equal(parseBoolean(text), value));

  for (const text of ['', 'True', 'FALSE', 'yes', 'no', '2', '01', ' true', 'true\n'])
    it(`finds no boolean in ${JSON.stringify(text)}`, () => assert.equal(parseBoolean(text), undefined));
});

describe('readYesNo', () => {
  for (const [value, words] of [
    [true, ['true', 'True', 'TRUE', 'yes', 'Y', '1', 'on', 'ON']],
    [false, ['false', 'False', 'no', 'NO', 'n', '0', 'Off']],
    [undefined, ['', 'ja', 'tru', '2', '-1', 'null', 'constructor', '__proto__', ' true']],
  ] as const)
    for (const word of words)
      it(`reads ${JSON.stringify(word)} as ${String(value)}`, () => assert.equal(readYesNo(word), value));
});
