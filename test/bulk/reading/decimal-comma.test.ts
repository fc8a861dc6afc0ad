import assert from 'node:assert/strict';
import { commaOf, pointOf, type DecimalComma } from '../../../src/bulk/reading/decimal-comma.js';
import type { InputFile, InputRow } from '../../../src/inputs/input.js';
import { decimalOf, wholeOf } from '../../../src/cli/flags/readers.js';

const decimals = (text: string, name: string): string => decimalOf(text, name);
const wholes = (text: string, name: string): number => wholeOf(text, name, { least: 0, most: 9 });

async function commaIn(values: readonly string[], mayHaveCommas = true, asked?: 'yes' | 'no'): Promise<DecimalComma> {
  const rows = async function* (): AsyncGenerator<InputRow> {
    for (const [index, value] of values.entries()) yield { line: index + 2, cells: ['1,5', value] };
  };
  const input = { name: 'a.csv', mayHaveCommas, rows } as unknown as InputFile;
  const targets = [
    { kind: 'value', name: 'name', reader: (text: string) => text },
    { kind: 'value', name: 'price', reader: decimals },
  ] as const;
  return (await commaOf(input, targets, asked)).comma;
}

describe('The decimal comma of a file', () => {
  it('is found where all decimals that have a sign have a comma, in columns of decimals', async () => {
    assert.equal(await commaIn(['12,50', '7', '']), 'comma');
    assert.equal(await commaIn(['7', '']), 'point');
    assert.equal(await commaIn(['12,50', '7.5']), 'point');
    assert.equal(await commaIn(['1.234']), 'doubtful');
    assert.equal(await commaIn(['1.234', '12,50']), 'doubtful');
    assert.equal(await commaIn(['1.234', '0.5']), 'point');
    assert.equal(await commaIn(['1.234', '0.500']), 'point');
    assert.equal(await commaIn(['12,50'], false), 'point');
    assert.equal(await commaIn(['12,50'], false, 'yes'), 'comma');
    assert.equal(await commaIn(['12,50'], true, 'no'), 'point');
  });

  it('becomes a point, and what may mean two things is refused', () => {
    assert.equal(pointOf('12,50', decimals, 'comma'), '12.50');
    assert.equal(pointOf('-,5', decimals, 'comma'), '-.5');
    assert.equal(pointOf('7', decimals, 'comma'), '7');
    assert.equal(pointOf('12.50', decimals, 'point'), '12.50');
    assert.equal(pointOf('12.50', decimals, 'doubtful'), '12.50');
    assert.equal(pointOf('1.234', decimals, 'point'), '1.234');
    assert.throws(() => pointOf('1.234', decimals, 'comma'), /has a point, and decimals here have a comma/);
    assert.throws(() => pointOf('1.234', decimals, 'doubtful'), /may be 1234: --decimal-comma no/);
    assert.throws(() => pointOf('12,50', decimals, 'point'), /--decimal-comma yes/);
    for (const text of ['1.234,56', '1,234.56'])
      for (const comma of ['comma', 'point', 'doubtful'] as const)
        assert.throws(() => pointOf(text, decimals, comma), /a point and a comma/);
  });

  it('is nothing to columns that hold no decimals', () => {
    for (const reader of [wholes, (text: string) => text]) assert.equal(pointOf('1.234,5', reader, 'comma'), '1.234,5');
  });
});
