import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonDamage } from '../../../src/profiles/store/json-damage.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON in which a piece was replaced by another. */
const damaged = fc
  .tuple(
    fc.json(),
    fc.nat(),
    fc.nat(4),
    fc.constantFrom('', ',', '}', ']', '{', '[', ':', '"', '1', ' ', 'x', '\\', '\n', '-', '.', 'e'),
  )
  .map(([text, at, length, piece]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + piece + text.slice(start + length);
  });

describe('jsonDamage', () => {
  const places: readonly (readonly [text: string, offset: number | undefined])[] = [
    ['{"a": [1, -2.5e3, true, null, "\\u00e9\\n", {}, []]}', undefined],
    [' \t\r\n7 ', undefined],
    ['', 0],
    ['   ', 3],
    ['{"a": 1', 7],
    ['{"a": 1}}', 8],
    ['{"a": 1} x', 9],
    ['{"a": x}', 6],
    ['{"a" 1}', 5],
    ['{"a": 1,}', 8],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['[1}', 2],
    ['{a: 1}', 1],
    ['{1: 1}', 1],
    ["{'a': 1}", 1],
    ['{"a": "open', 6],
    ['{"a": "\n"}', 6],
    ['{"a": "\\x"}', 6],
    ['{"a": 01}', 7],
    ['\ufeff{}', 0],
    ['{"a": 1 /* no */}', 8],
  ];
  for (const [text, offset] of places) {
    it(`is ${offset} in ${JSON.stringify(text)}`, () => assert.equal(jsonDamage(text), offset));
  }

  it('finds damage exactly where the platform’s parser refuses', () => {
    fc.assert(
      fc.property(damaged, (text) => assert.equal(jsonDamage(text) === undefined, isJson(text))),
      { numRuns: 3000 },
    );
  });

  it('takes JSON of any depth', () => {
    const depth = 100_000;
    assert.equal(jsonDamage('['.repeat(depth) + ']'.repeat(depth)), undefined);
    assert.equal(jsonDamage('['.repeat(depth)), depth);
  });

  it('takes a string of a megabyte', () => {
    assert.equal(jsonDamage(JSON.stringify('x'.repeat(2 ** 20))), undefined);
    assert.equal(jsonDamage(`{"a": "${'x'.repeat(2 ** 20)}`), 6);
  });
});
