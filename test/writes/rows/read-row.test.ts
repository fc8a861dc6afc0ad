import assert from 'node:assert/strict';
import { readDecimal } from '../../../src/writes/rows/read-row.js';
import type { Target } from '../../../src/writes/columns.js';
import { decimalOf, wholeOf } from '../../../src/kit/flags/readers.js';

const column = (reader: (text: string, name: string) => unknown): Target => ({ kind: 'value', name: 'price', reader });
const decimals = column((text, name) => decimalOf(text, name));
const wholes = column((text, name) => wholeOf(text, name, { least: 0, most: 9 }));

describe('The decimals of a file', () => {
  it('get a point, and what may mean two things is refused', () => {
    assert.equal(readDecimal('12,50', decimals, 'comma'), '12.50');
    assert.equal(readDecimal('-,5', decimals, 'comma'), '-.5');
    assert.equal(readDecimal('7', decimals, 'comma'), '7');
    assert.equal(readDecimal('12.50', decimals, 'point'), '12.50');
    assert.equal(readDecimal('12.50', decimals, 'doubtful'), '12.50');
    assert.equal(readDecimal('1.234', decimals, 'point'), '1.234');
    assert.throws(() => readDecimal('1.234', decimals, 'comma'), /has a point, and --decimal comma is set/);
    assert.throws(() => readDecimal('1.234', decimals, 'doubtful'), /may be 1234 or 1\.234: --decimal point reads/);
    assert.throws(() => readDecimal('12,50', decimals, 'point'), /has a comma: --decimal comma reads it/);
    for (const sign of ['point', 'doubtful'] as const)
      assert.throws(() => readDecimal('-1,234', decimals, sign), /may be -1234 or -1\.234: --decimal comma reads/);
    assert.equal(readDecimal('1,234', decimals, 'comma'), '1.234');
    for (const text of ['1.234,56', '1,234.56'])
      for (const sign of ['comma', 'point', 'doubtful'] as const)
        assert.throws(() => readDecimal(text, decimals, sign), /a point and a comma/);
  });

  it('are nothing to columns that hold no decimals', () => {
    for (const reader of [wholes, column((text) => text)])
      assert.equal(readDecimal('1.234,5', reader, 'comma'), '1.234,5');
  });
});
