import assert from 'node:assert/strict';
import fc from 'fast-check';
import { baseOf, RowBase } from '../../../src/formats/edits/base.js';
import type { CellKind } from '../../../src/formats/edits/cell-state.js';

const id = '00000000-0060-4000-8000-000000000001';

/** What a cell is, that was exported as one text and comes back as another. */
function comesBack(before: string, now: string, kind: CellKind = 'text'): 'untouched' | 'damaged' | 'edited' {
  const base = RowBase.read(baseOf(id, [{ name: 'cell', kind, text: before }]), id);
  const cell = { name: 'cell', text: now, hasComma: false };
  if (base?.isUntouched(cell) === true) return 'untouched';
  return base?.isDamaged(cell) === true ? 'damaged' : 'edited';
}

describe('What spreadsheets leave of a cell', () => {
  // As LibreOffice and Excel write back what they took a text for.
  for (const [before, now] of [
    ['00001', '1'],
    ['left\tright', 'leftright'],
    ['a\tb\nc\t', 'ab\r\nc'],
    [`${'x'.repeat(2000)}\ty`, `${'x'.repeat(2000)}y`],
    ['12345678901234567890', '1.23456789012346E+019'],
    ['12345678901234567890', '12345678901234600000'],
    ['-0.00', '0'],
    ['+31612345678', '31612345678'],
    ['1E5', '100000'],
    ['1E5', '1.00E+05'],
    ['1.50', '1.5'],
    ['1,234', '1234'],
    ['50%', '50.00%'],
    ['true', 'TRUE'],
    ['true', 'WAHR'],
    ['10:30', '10:30:00 AM'],
    ['1/2', '01/02/26'],
    ['Jan 5', '01/05/26'],
    ['MAR1', '1-mrt'],
    ['2026-01-31', '31-1-2026'],
    ['1-2-2026', '2026-02-01'],
    ['$12.50', '12.5'],
    ['€12,50', '12.5'],
    ['-€ 12,50', '-12.5'],
    ['12,5 €', '12.5'],
    ['(12)', '-12'],
    ['12.50-', '-12.5'],
    ['.5', '0.5'],
    ['1 1/2', '1.5'],
    ['1 1/3', '1.33333333333333'],
    ['1 000', '1000'],
    ["1'000", '1000'],
    ['$1,234.50', '1234.5'],
    ['1.000,50', '1000.5'],
    ['1,234', '1.234'],
    ['€1.234', '1234'],
    ['€1,234', '1.234'],
    ['1e400', '1.79769313486232E+308'],
    ['1e-400', '0'],
    ['1:2:3', '01:02:03 AM'],
    ['0:0', '12:00:00 AM'],
    ['100:00', '100:00:00'],
    ['1:30.5', '01:30.50'],
    ['5,-', '-5'],
    ['CHF 5', '5'],
    ['CHF 5', 'CHF 5.00'],
    ['$12.5', '$ 12.50'],
    ['EUR 12', '€ 12,00'],
    ['€ -12,5', '-12,50 €'],
    ['($12.50)', '-$12.50'],
    ["12'345.60", '12345.6'],
    ['Monday, January 5, 2024', '01/05/2024'],
    ['lundi 5 janvier 2024', '01/05/2024'],
    ['3.4', '03. Apr'],
    ['1.2.', '02/01/2026'],
    ['2024-02-09T09:52', '2024-02-09T09:52:00'],
    ['2024-02-09T09:52:37.5', '2024-02-09T09:52:37.500'],
    ['2024-02-09T09:52:37.123456', '2024-02-09T09:52:37.123'],
    ['2024-02-09T09:52:37.9996', '2024-02-09T09:52:37.999'],
    ['2024-02-09T23:59:59.9999', '2024-02-10T00:00:00.000'],
    ['2024-12-31 23:59:59.9999', '2025-01-01 00:00:00.000'],
    ['9-2-2024 10:00', '02/09/2024 10:00:00'],
    ['2024-02-09 10:00 PM', '2024-02-09 22:00:00'],
    ['=1+2', '3'],
    ['-A1', '#NAME?'],
    ['€ 5', 'â‚¬ 5'],
    ['x😀y', 'xðŸ˜€y'],
  ] as const)
    it(`is told from an edit: ${before} as ${now}`, () => assert.equal(comesBack(before, now), 'damaged'));

  for (const [before, now] of [
    ['12345678901234567890.123456789', '12345678901234600000'],
    ['12345678901234567890.123456789', '1.23456789012346E+019'],
    ['1.000000000000001', '1'],
    ['0.99999999999999999', '1.00'],
    ['1.234', '1234'],
  ] as const)
    it(`is told from an edit of a decimal: ${before} as ${now}`, () =>
      assert.equal(comesBack(before, now, 'number'), 'damaged'));

  for (const [before, now, kind] of [
    ['00001', '2', 'text'],
    ['00001', '00002', 'text'],
    ['Lamp', 'Lamp 2', 'text'],
    ['1/2', '1/3', 'text'],
    ['', '1', 'text'],
    ['=1+2', '=1+3', 'text'],
    ['- Lamp', 'Lamp', 'text'],
    ['Gebräu', 'Gebraeu', 'text'],
    ['1234', '1.234', 'text'],
    ['$12.50', '12.51', 'text'],
    ['12 EUR', '12 USD', 'text'],
    ['ABC100', 'ABD100', 'text'],
    ['100ABC', '100ABD', 'text'],
    ['ART 1', 'DEL 1', 'text'],
    ['12', '12 EUR', 'text'],
    ['12', '€ 12', 'text'],
    ['2024-02-09T09:52:37', '2024-02-09T09:52:38', 'text'],
    ['2024-02-09T09:52:37', '2024-02-10T09:52:37', 'text'],
    ['2024-02-09T09:52:37Z', '2024-02-09T09:52:37', 'text'],
    ['12.50', '12.51', 'number'],
    ['12.345', '12.35', 'number'],
    ['1234567890.12', '1234567890', 'number'],
    ['12345678901234567890.123456789', '12345678901234567890.123', 'number'],
  ] as const)
    it(`is no more than an edit: ${before} to ${now}`, () => assert.equal(comesBack(before, now, kind), 'edited'));

  it('is found in every number that was rounded to 15 digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 15n, max: 10n ** 40n }), fc.integer({ min: 0, max: 15 }), (units, scale) => {
        const digits = units.toString();
        const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
        // Rounded by whole numbers, whatever a floating point would do at a tie.
        const lost = 10n ** BigInt(digits.length - 15);
        const rounded = (((units + lost / 2n) / lost) * lost).toString();
        const now = scale === 0 ? rounded : `${rounded.slice(0, -scale)}.${rounded.slice(-scale)}`;
        assert.equal(comesBack(text, now, 'number'), BigInt(rounded) === units ? 'untouched' : 'damaged');
      }),
    );
  });

  it('takes its time from no text', () => {
    for (const piece of ['1', '0', '1.', '1/', 'jan ', '+', '=', 'â', ':', '1:1 ', ' 000', '$', '-'])
      for (const length of [900, 100_000]) {
        const text = piece.repeat(length);
        const beganMs = performance.now();
        comesBack(text, `${text}1`);
        assert.ok(performance.now() - beganMs < 1000, piece);
      }
  });
});
