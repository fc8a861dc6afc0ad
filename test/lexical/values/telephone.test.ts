import assert from 'node:assert/strict';
import { getCountries } from 'libphonenumber-js';
import { countryCodes } from '../../../src/lexical/values/country.js';
import { normaliseNumber } from '../../../src/lexical/values/telephone.js';

describe('telephone numbers', () => {
  const dutch = { number: '+31612345678' };

  for (const text of [
    '06-12345678',
    '06 12 34 56 78',
    ' (06) 1234.5678 ',
    '0031612345678',
    '00 31 6 12345678',
    '+31 6 12345678',
    '+31 (0)6 12345678',
    '٠٦١٢٣٤٥٦٧٨',
  ])
    it(`reads ${text}`, () => assert.deepEqual(normaliseNumber(text, 'NL'), dutch));

  it('reads the numbers of other countries', () => {
    assert.deepEqual(normaliseNumber('0049 30 123456', 'NL'), { number: '+4930123456' });
    assert.deepEqual(normaliseNumber('+39 06 12345678', 'NL'), { number: '+390612345678' });
    assert.deepEqual(normaliseNumber('06.12.34.56.78', 'FR'), { number: '+33612345678' });
  });

  it('keeps an extension beside the number', () =>
    assert.deepEqual(normaliseNumber('010-1234567 x12', 'NL'), { number: '+31101234567', extension: '12' }));

  it('reads only what begins with a plus sign where no country is known', () => {
    assert.deepEqual(normaliseNumber('+31 6 12345678'), dutch);
    assert.equal(normaliseNumber('06-12345678'), undefined);
    assert.equal(normaliseNumber('0031612345678'), undefined);
  });

  for (const text of [
    '',
    'geen',
    '112',
    '06 12-34',
    '02 123 45 67',
    'na vijven 06-12345678',
    '06-12345678 (thuis)',
    '06-12345678 / 010-1234567',
    '+31612345678abc',
    '0'.repeat(100_000),
  ])
    it(`does not guess what ${text.slice(0, 30)} is`, () => assert.equal(normaliseNumber(text, 'NL'), undefined));

  it('looks at no text that is too long for a number, whatever is in it', () => {
    const began = performance.now();
    assert.equal(normaliseNumber(`06${' '.repeat(200_000)}x`, 'NL'), undefined);
    assert.ok(performance.now() - began < 1000);
  });

  it('knows the countries that the package knows', () =>
    assert.deepEqual([...countryCodes].sort(), [...getCountries()].sort()));

  it('takes no country for one that does not exist', () =>
    assert.equal(normaliseNumber('06-12345678', 'XX'), undefined));
});
