import assert from 'node:assert/strict';
import { NullText } from '../../src/writes/check.js';
import type { Cell } from '../../src/formats/readers/input.js';

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
