import assert from 'node:assert/strict';
import { CheckedRows } from '../../src/writes/check.js';

describe('CheckedRows', () => {
  const rows = 5000;
  const counted = (checked: CheckedRows): CheckedRows => {
    for (let row = 0; row < rows; row += 1) {
      const mistakes = [{ line: row + 2, column: 'Price', what: `is no number: ${row}` }];
      checked.take({ row, line: row + 2, cells: [`${row}`], mistakes });
    }
    return checked;
  };

  it('counts every wrong row, and keeps the words of none where nothing is sent for them', () => {
    const { wrongRows, count, wrong, mistakes } = counted(new CheckedRows());
    assert.deepEqual([wrongRows, count, wrong.size, mistakes.length], [rows, rows, 0, 1000]);
  });

  it('keeps the words of each wrong row where the others are sent', () => {
    const { wrongRows, wrong } = counted(new CheckedRows({ isSkipped: true }));
    assert.deepEqual([wrongRows, wrong.size, wrong.get(4999)], [rows, rows, 'Price: is no number: 4999']);
  });
});
