import assert from 'node:assert/strict';
import { readDecimal } from '../../../src/bulk/read-row.js';
import { decimalOf, wholeOf } from '../../../src/cli/flags/readers.js';

const decimals = (text: string, name: string): string => decimalOf(text, name);
const wholes = (text: string, name: string): number => wholeOf(text, name, { least: 0, most: 9 });

describe('The decimals of a file', () => {
  it('get a point, and what may mean two things is refused', () => {
    assert.equal(readDecimal('12,50', decimals, 'comma'), '12.50');
    assert.equal(readDecimal('-,5', decimals, 'comma'), '-.5');
    assert.equal(readDecimal('7', decimals, 'comma'), '7');
    assert.equal(readDecimal('12.50', decimals, 'point'), '12.50');
    assert.equal(readDecimal('12.50', decimals, 'doubtful'), '12.50');
    assert.equal(readDecimal('1.234', decimals, 'point'), '1.234');
    assert.throws(() => readDecimal('1.234', decimals, 'comma'), /has a point, and --decimal comma is given/);
    assert.throws(() => readDecimal('1.234', decimals, 'doubtful'), /may be 1234: --decimal point/);
    assert.throws(() => readDecimal('12,50', decimals, 'point'), /has a comma: --decimal comma reads it/);
    for (const text of ['1.234,56', '1,234.56'])
      for (const sign of ['comma', 'point', 'doubtful'] as const)
        assert.throws(() => readDecimal(text, decimals, sign), /a point and a comma/);
  });

  it('are nothing to columns that hold no decimals', () => {
    for (const reader of [wholes, (text: string) => text])
      assert.equal(readDecimal('1.234,5', reader, 'comma'), '1.234,5');
  });
});
