import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareDecimals, isDecimal, multiplyDecimals } from '../../../../src/core/text/scalars.js';

interface Sample {
  readonly text: string;
  readonly digits: bigint;
  readonly scale: number;
}

/** A decimal with what it stands for: digits / 10^scale. */
const sample: fc.Arbitrary<Sample> = fc
  .record({
    digits: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
    scale: fc.nat(12),
    plus: fc.boolean(),
    zeros: fc.nat(3),
  })
  .map(({ digits, scale, plus, zeros }) => {
    const size = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
    const whole = '0'.repeat(zeros) + size.slice(0, size.length - scale);
    const sign = digits < 0n ? '-' : plus ? '+' : '';
    return { text: `${sign}${whole}${scale === 0 ? '' : `.${size.slice(-scale)}`}`, digits, scale };
  });

const scaled = (of: Sample, scale: number): bigint => of.digits * 10n ** BigInt(scale - of.scale);

/** Digits of a result at a scale; also says that the result has that scale. */
function digitsAt(text: string, scale: number): bigint {
  assert.ok(isDecimal(text), text);
  assert.equal((text.split('.')[1] ?? '').length, scale, text);
  return BigInt(text.replace('.', ''));
}

describe('isDecimal', () => {
  for (const text of ['0', '12.50', '-0.01', '+1', '.5', '-.5', '5.', '007', '99999999999999999999999999999.99'])
    it(`takes ${text}`, () => assert.ok(isDecimal(text)));

  for (const text of ['', '.', '+', '-.', '1e5', '1,5', '1.2.3', ' 1', '1\n', 'NaN', 'INF', '0x1', '--1', '1-'])
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(isDecimal(text), false));
});

describe('multiplyDecimals', () => {
  it('multiplies exactly; the scales add up', () => {
    fc.assert(
      fc.property(sample, sample, (left, right) => {
        const product = digitsAt(multiplyDecimals(left.text, right.text), left.scale + right.scale);
        assert.equal(product, left.digits * right.digits);
      }),
    );
  });

  it('keeps the scale of small and negative products', () => {
    assert.equal(multiplyDecimals('0.1', '-0.1'), '-0.01');
    assert.equal(multiplyDecimals('3', '12.50'), '37.50');
    assert.equal(multiplyDecimals('0', '12.50'), '0.00');
  });
});

describe('compareDecimals', () => {
  it('orders by value', () => {
    fc.assert(
      fc.property(sample, sample, (left, right) => {
        const scale = Math.max(left.scale, right.scale);
        const difference = scaled(left, scale) - scaled(right, scale);
        assert.equal(Math.sign(compareDecimals(left.text, right.text)), difference < 0n ? -1 : difference > 0n ? 1 : 0);
      }),
    );
  });

  it('finds equal what differs only in how it is written', () => {
    for (const text of ['1.0', '1.00', '+1', '01', '1.']) assert.equal(compareDecimals(text, '1'), 0, text);
    assert.equal(compareDecimals('-0', '0.00'), 0);
    assert.equal(Math.sign(compareDecimals('-2', '1')), -1);
  });
});
