import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isXmlSpace, withoutEnd, withoutEnds, withoutLastZeros } from '../../../src/core/text/text.js';

const mixed = fc
  .array(fc.constantFrom(' ', '\t', '\n', '\r', '\u00a0', 'a', '0', '\u{1f600}'))
  .map((all) => all.join(''));

describe('What stands at the ends of a text', () => {
  it('goes, as an expression would take it away, and nothing within', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        assert.equal(withoutEnds(text, isXmlSpace), text.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, ''));
        assert.equal(withoutEnd(text, isXmlSpace), text.replace(/[ \t\n\r]+$/, ''));
        assert.equal(withoutLastZeros(text), text.replace(/0+$/, ''));
      }),
    );
  });

  it('goes from a text with a million of it in its middle, which an expression would look at for minutes', () => {
    const middle = ' '.repeat(1_000_000);
    assert.equal(withoutEnds(` a${middle}b `, isXmlSpace), `a${middle}b`);
    assert.equal(withoutLastZeros(`1${'0'.repeat(1_000_000)}10`), `1${'0'.repeat(1_000_000)}1`);
  });
});
