import assert from 'node:assert/strict';
import { decimalOf } from '../../../src/sandbox/asmx/scalars.js';

describe('A decimal as .NET keeps it', () => {
  const taken: readonly (readonly [text: string, kept: string, why: string])[] = [
    ['12.50', '12.50', 'its scale stays'],
    ['+012.50', '12.50', 'a plus and leading zeros go'],
    ['-0.00', '0.00', 'nothing has no sign'],
    ['.5', '0.5', 'a zero stands before the point'],
    ['5.', '5', 'a point at the end goes'],
    ['79228162514264337593543950335', '79228162514264337593543950335', 'the largest there is'],
    ['-79228162514264337593543950335', '-79228162514264337593543950335', 'the smallest there is'],
    ['1.00000000000000000000000000001', '1.0000000000000000000000000000', 'at most 28 digits behind the point'],
    ['0.00000000000000000000000000005', '0.0000000000000000000000000000', 'from the middle down to an even digit'],
    ['0.00000000000000000000000000015', '0.0000000000000000000000000002', 'from the middle up to an even digit'],
    ['0.000000000000000000000000000050001', '0.0000000000000000000000000001', 'from above the middle up'],
    ['0.00000000000000000000000000014', '0.0000000000000000000000000001', 'from below the middle down'],
    ['7922816251426433759354395033.46', '7922816251426433759354395033.5', 'as many digits as fit 96 bits'],
    ['79228162514264337593543950335.4', '79228162514264337593543950335', 'a fraction that does not fit goes'],
  ];
  for (const [text, kept, why] of taken) {
    it(`${text}: ${why}`, () => assert.deepEqual(decimalOf(text), { value: kept }));
  }
  for (const text of ['', '.', '+', '1e2', '1,5', '1 000', '0x1', '1.2.3', 'NaN', '--1']) {
    it(`is not '${text}'`, () =>
      assert.deepEqual(decimalOf(text), { complaint: 'Input string was not in a correct format.' }));
  }
  for (const text of ['79228162514264337593543950336', '79228162514264337593543950335.5', '1'.repeat(2000)]) {
    it(`has no room for ${text.length} digits from ${text.slice(0, 30)}`, () =>
      assert.deepEqual(decimalOf(text), { complaint: 'Value was either too large or too small for a Decimal.' }));
  }
});
