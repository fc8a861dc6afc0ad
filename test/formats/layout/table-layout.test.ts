import assert from 'node:assert/strict';
import fc from 'fast-check';
import { list, scalar, type Role, type ScalarName } from '../../../src/contract/build.js';
import { planTable, type Measured } from '../../../src/formats/layout/table-layout.js';

interface Given {
  readonly role?: Role;
  readonly type?: ScalarName;
  readonly title?: number;
}

const column = (cell: number, { role, type = 'string', title = 2 }: Given = {}): Measured => ({
  column: { title: 'T'.repeat(title), path: [], type: scalar(type), ...(role === undefined ? {} : { role }) },
  title,
  cell,
  part: cell,
});
const text = (cell: number): Measured => column(cell);
const id = column(36, { type: 'guid' });
const name = (cell: number): Measured => column(cell, { role: 'name' });
const widthsOf = (all: readonly Measured[], width: number): readonly (number | undefined)[] =>
  planTable(all, width).widths;

describe('The plan of a table', () => {
  it('leaves what fits', () => assert.deepEqual(widthsOf([text(10), text(20), text(6)], 40), [10, 20, 6]));

  it('takes from the widest first, and from equals alike', () => {
    assert.deepEqual(widthsOf([text(50), text(13), text(6)], 43), [20, 13, 6]);
    assert.deepEqual(widthsOf([text(50), text(50), text(5)], 42), [17, 16, 5]);
  });

  it('gives the name its width first, at least 24', () => {
    assert.deepEqual(widthsOf([text(50), name(30), text(50)], 70), [18, 30, 18]);
    assert.deepEqual(widthsOf([id, text(50), name(30)], 80), [36, 16, 24]);
    assert.deepEqual(widthsOf([id, text(50), name(30)], 82), [36, 16, 26]);
    assert.deepEqual(widthsOf([id, text(50), name(30)], 75), [36, undefined, 30]);
  });

  it('hides from the end, but what still fits', () => {
    assert.deepEqual(widthsOf([id, name(24), text(30), column(5, { type: 'boolean' })], 71), [36, 24, undefined, 5]);
  });

  it('cuts neither keys nor dates, numbers, enumerations and booleans', () => {
    for (const type of ['guid', 'dateTime', 'boolean', 'decimal', 'int', 'short', 'long'] as const)
      assert.deepEqual(widthsOf([name(30), column(20, { type })], 45), [30, undefined]);
    assert.deepEqual(widthsOf([name(30), column(20, { role: 'key' })], 45), [30, undefined]);
    assert.deepEqual(widthsOf([name(30), column(20)], 45), [27, 16]);
  });

  it('keeps a list that must not be cut to its items where these do not fit a line', () => {
    const { column: one } = column(60, { role: 'key' });
    const numbers: Measured = { column: { ...one, type: list(scalar('string')) }, title: 7, cell: 60, part: 14 };
    assert.deepEqual(widthsOf([name(30), numbers], 91), [30, 14]);
    assert.deepEqual(widthsOf([name(30), numbers], 92), [30, 60]);
  });

  it('shows one column at least', () => assert.deepEqual(widthsOf([id], 20), [36]));

  it('is of use while name, key and sentences are there, and more than one column', () => {
    const isUseful = (all: readonly Measured[], width: number): boolean => planTable(all, width).isUseful;
    assert.deepEqual(
      [62, 61].map((width) => isUseful([id, name(24), text(9)], width)),
      [true, false],
    );
    assert.deepEqual(
      [46, 45].map((width) => isUseful([id, text(8)], width)),
      [true, false],
    );
    assert.equal(isUseful([id], 20), true);
    const words = column(300, { role: 'words' });
    assert.deepEqual(
      [54, 53].map((width) => isUseful([id, words, words], width)),
      [true, false],
    );
  });

  it('keeps to the width, never below a title, and uses the room that there is', () => {
    const any = fc
      .tuple(
        fc.integer({ min: 1, max: 90 }),
        fc.constantFrom<Role | undefined>(undefined, 'name', 'key', 'words'),
        fc.constantFrom<ScalarName>('string', 'guid', 'decimal', 'dateTime'),
        fc.integer({ min: 1, max: 30 }),
      )
      .map(([cell, role, type, title]) => column(cell, { type, title, ...(role === undefined ? {} : { role }) }));
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 8 }), fc.integer({ min: 40, max: 200 }), (all, width) => {
        const found = widthsOf(all, width);
        const shown = found.filter((each) => each !== undefined);
        const used = shown.reduce((sum, each) => sum + each, 2 * (shown.length - 1));
        assert.ok(used <= width || shown.length === 1, `${used} > ${width}`);
        found.forEach((each, index) => {
          const { title = 0, cell = 0 } = all[index] ?? {};
          if (each !== undefined) assert.ok(each >= title && each <= Math.max(title, cell));
        });
        const isCut = found.some((each, index) => each !== undefined && each < (all[index]?.cell ?? 0));
        if (isCut) assert.equal(used, width);
      }),
      { numRuns: 1000 },
    );
  });
});
