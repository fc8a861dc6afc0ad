import assert from 'node:assert/strict';
import { csvFlags, linesOf } from '../../../src/kit/flags/csv.js';
import { valuesOf } from './values.js';

describe('--delimiter', () => {
  for (const [text, character] of [
    ['comma', ','],
    ['Semicolon', ';'],
    ['pipe', '|'],
    ['#', '#'],
    ['€', '€'],
  ] as const)
    it(`takes ${text}`, () => assert.equal(linesOf(valuesOf(csvFlags, { delimiter: text })).delimiter, character));

  // What stands in cells, what quotes them, what ends lines, and what is not one character.
  for (const text of [
    '',
    'a',
    'Z',
    '0',
    '.',
    '+',
    '-',
    '"',
    '\\',
    ' ',
    '\t',
    '\n',
    '\r',
    ';;',
    ',;',
    'tab',
    'constructor',
    '😀',
  ])
    it(`refuses ${JSON.stringify(text)}`, () =>
      assert.throws(() => valuesOf(csvFlags, { delimiter: text }), {
        kind: 'usage',
        message:
          /^--delimiter takes comma, semicolon, pipe, or one character: no blank or tab, none of A-Z, a-z and 0-9, and none of " \\ \+ - \.; not /,
      }));
});
