import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CheckedRows, NullText, SameRecords } from '../../src/writes/check.js';
import type { Cell } from '../../src/formats/readers/input.js';

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

const of = (cells: readonly Cell[], given?: string): NullText => {
  const nulls = new NullText(given);
  for (const cell of cells) nulls.take([cell]);
  return nulls;
};

describe('The text that stands for null', () => {
  it('is NULL, and is no cell of the file', () => {
    assert.equal(of(['null', 'x', null]).text, 'NULL');
    const files: readonly (readonly string[])[] = [
      ['NULL'],
      ['NULL', '_NULL'],
      ['_NULL', 'NULL'],
      ['___NULL', 'NULL', '__ NULL', '____NULL.'],
      ['_____nULL', 'NULL_'],
    ];
    for (const cells of files) {
      const { text } = of([null, ...cells]);
      assert.match(text, /^_*NULL$/);
      assert.ok(!cells.includes(text), text);
    }
  });

  it('is that of --null-as where it was given', () => {
    assert.equal(of([null, 'NULL'], '-').text, '-');
  });

  it('is told only where a cell is null and nothing was given', () => {
    assert.deepEqual(
      [of([null]).isOwn, of([null], '-').isOwn, of(['', undefined, 'NULL']).isOwn],
      [true, false, false],
    );
  });
});

describe('SameRecords', () => {
  it('finds the line of the first row of each key, as a map does', () => {
    const keys = fc.array(fc.string({ maxLength: 3 }), { maxLength: 3000, size: 'max' });
    fc.assert(
      fc.property(keys, (all) => {
        const same = new SameRecords();
        const lines = new Map<string, number>();
        for (const [index, key] of all.entries()) {
          assert.equal(same.before(key, index + 2), lines.get(key));
          if (!lines.has(key)) lines.set(key, index + 2);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('keeps many keys', () => {
    const same = new SameRecords();
    for (let line = 1; line <= 20_000; line += 1) assert.equal(same.before(`key ${line}`, line), undefined);
    for (let line = 1; line <= 20_000; line += 1) assert.equal(same.before(`key ${line}`, 1), line);
  });
});
