import assert from 'node:assert/strict';
import fc from 'fast-check';
import { baseOf, RowBase } from '../../../src/formats/edits/base.js';
import type { CellKind, CellState } from '../../../src/formats/edits/cell-state.js';

const ids = ['00000000-0060-4000-8000-000000000001', '00000000-0060-4000-8000-00000000000A'] as const;
const [id, other] = ids;

const decimals = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 20 }))
  .map(([isNegative, units, scale]) => {
    const digits = units.toString().padStart(scale + 1, '0');
    const whole = digits.slice(0, digits.length - scale);
    return `${isNegative ? '-' : ''}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`;
  });

const textOfKind: Readonly<Record<CellKind, fc.Arbitrary<string>>> = {
  number: fc.oneof(decimals, fc.constantFrom('0', '-0.00', '0.10', '12.5', '12.50', '')),
  text: fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('00001', '1', '1.0', '=1+2', 'a\r\nb', ''),
  ),
  guid: fc.uuid(),
  boolean: fc.constantFrom('true', 'false'),
};

const kinds = Object.keys(textOfKind) as readonly CellKind[];

/** Two records with the same members. */
const records = fc
  .array(
    fc
      .constantFrom(...kinds)
      .chain((kind) =>
        fc.tuple(fc.constant(kind), textOfKind[kind], fc.oneof(textOfKind[kind], fc.constant(undefined))),
      ),
    { minLength: 1, maxLength: 12 },
  )
  .map((cells) =>
    cells.map(([kind, text, now], at) => ({ name: `member-${at}`, kind, text, now: now ?? text }) as const),
  );

const read = (text: string, ofId: string = id): RowBase => {
  const base = RowBase.read(text, ofId);
  assert.ok(base !== undefined, text);
  return base;
};

/** The value of a decimal as two whole numbers, by another way than the source goes. */
function valueOf(text: string): string {
  const [whole = '', fraction = ''] = text.replace(/^-/, '').split('.');
  const units = BigInt(whole + fraction.padEnd(40, '0'));
  return (text.startsWith('-') ? -units : units).toString();
}

/** Whether two texts say the same, by what is promised of each kind. */
function isSame(kind: CellKind, left: string, right: string): boolean {
  if (kind === 'text' || left === '' || right === '') {
    const lines = (text: string): string => text.split(/\r\n|\r|\n/).join('\n');
    return lines(left) === lines(right);
  }
  return kind === 'number' ? valueOf(left) === valueOf(right) : left.toLowerCase() === right.toLowerCase();
}

describe('The base of a row', () => {
  it('tells exactly the cells in which two records differ', () => {
    fc.assert(
      fc.property(records, (cells) => {
        const base = read(baseOf(id, cells));
        const edited = cells.filter(({ name, now }) => !base.isUntouched({ name, text: now, hasComma: false }));
        const moved = cells.filter(({ name, kind, now }) => !base.holds({ name, kind, text: now }));
        const wanted = cells.filter(({ kind, text, now }) => !isSame(kind, text, now));
        assert.deepEqual(edited, wanted);
        assert.deepEqual(moved, wanted);
      }),
      { numRuns: 500 },
    );
  });

  it('knows its columns in any order, and its record', () => {
    const cells: CellState[] = ['code', 'name'].map((name) => ({ name, kind: 'text', text: 'x' }));
    const base = read(baseOf(id, cells));
    assert.deepEqual([base.hasColumn('name'), base.hasColumn('code'), base.hasColumn('unit')], [true, true, false]);
    assert.ok(base.isOfRecord);
    assert.ok(read(baseOf(other, cells), other.toLowerCase()).isOfRecord);
    assert.ok(!read(baseOf(id, cells), other).isOfRecord);
  });

  it('does not take the value of one column for that of another, or of another record', () => {
    const base = read(baseOf(id, [{ name: 'code', kind: 'text', text: 'x' }]));
    assert.ok(!base.isUntouched({ name: 'name', text: 'x', hasComma: false }));
    const elsewhere = read(baseOf(other, [{ name: 'code', kind: 'text', text: 'x' }]));
    assert.ok(!elsewhere.isUntouched({ name: 'code', text: 'x', hasComma: false }));
  });

  it('takes a decimal comma for a point in a number, and not in a text', () => {
    const base = read(
      baseOf(id, [
        { name: 'price', kind: 'number', text: '12.50' },
        { name: 'name', kind: 'text', text: '12.5' },
      ]),
    );
    const isUntouched = (name: string, text: string, hasComma: boolean): boolean =>
      base.isUntouched({ name, text, hasComma });
    assert.deepEqual(
      [isUntouched('price', '12,5', true), isUntouched('price', '12,5', false), isUntouched('name', '12,5', true)],
      [true, false, false],
    );
  });

  it('is refused when a character of it was changed, added or lost', () => {
    const whole = baseOf(id, [{ name: 'name', kind: 'text', text: 'Lamp' }]);
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), fc.constantFrom('', 'a', 'B_', '='), (at, instead) => {
        const text = whole.slice(0, at) + instead + whole.slice(at + 1);
        assert.equal(RowBase.read(text, id) === undefined, text !== whole);
      }),
    );
  });

  it('is a text that no spreadsheet takes for something else', () => {
    assert.match(baseOf(id, []), /^b1-[\w-]+$/);
  });
});
