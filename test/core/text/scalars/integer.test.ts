import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isInteger, type IntegerName } from '../../../../src/core/text/scalars.js';

const bits: Readonly<Record<IntegerName, bigint>> = { short: 16n, int: 32n, long: 64n };

describe('isInteger', () => {
  for (const name of ['short', 'int', 'long'] as const) {
    const least = -(2n ** (bits[name] - 1n));
    const most = -least - 1n;

    it(`takes the bounds of ${name}, and nothing beyond them`, () => {
      assert.ok(isInteger(String(least), name));
      assert.ok(isInteger(String(most), name));
      assert.equal(isInteger(String(least - 1n), name), false);
      assert.equal(isInteger(String(most + 1n), name), false);
    });

    it(`takes exactly the integers within the bounds of ${name}`, () => {
      fc.assert(
        fc.property(fc.bigInt({ min: least * 4n, max: most * 4n }), (value) => {
          assert.equal(isInteger(String(value), name), value >= least && value <= most);
        }),
      );
    });
  }

  it('takes a sign and leading zeros', () => {
    for (const text of ['+1', '-0', '007', '+0000000000000000000000000000000032767'])
      assert.ok(isInteger(text, 'short'), text);
  });

  for (const text of ['', '+', '-', '1.0', '1e3', '1_000', '1,000', ' 1', '1\n', '0x10', '--1', '١', 'NaN', 'Infinity'])
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(isInteger(text, 'long'), false));

  it('does not work long on a long row of digits', () => {
    assert.equal(isInteger('0'.repeat(10_000_000), 'long'), false);
  });
});
