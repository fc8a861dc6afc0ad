import assert from 'node:assert/strict';
import { parseBoolean } from '../../src/lexical/boolean.js';

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
