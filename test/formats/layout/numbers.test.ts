import assert from 'node:assert/strict';
import fc from 'fast-check';
import { atPoint, pointWidths } from '../../../src/formats/writers/table.js';

describe('Numbers of a column', () => {
  it('have their decimal points below each other', () => {
    const shown = (texts: readonly string[]): readonly string[] =>
      texts.map((text) => atPoint(text, pointWidths(texts)));
    assert.deepEqual(shown(['12.50', '1000', '-0.333333', '.5', '']), [
      '  12.50    ',
      '1000       ',
      '  -0.333333',
      '    .5     ',
      '           ',
    ]);
    assert.deepEqual(shown(['x.y', '1.2.3', '7', '日']), ['  x.y', '1.2.3', '    7', '   日']);
  });

  it('keep every digit, also those of a number that is wider than the ones before', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), fc.string(), (texts, late) => {
        for (const text of [...texts, late]) assert.ok(atPoint(text, pointWidths(texts)).includes(text));
      }),
    );
  });
});
