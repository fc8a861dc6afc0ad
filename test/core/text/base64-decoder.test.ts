import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { isBase64, Base64Decoder } from '../../../src/core/text/base64.js';

/** The bytes of a text that comes in these pieces. */
function decoded(pieces: readonly string[]): Buffer {
  const decoder = new Base64Decoder('Attachment.Content');
  const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(decoder.write(piece))));
  decoder.end();
  return bytes;
}

function complaint(pieces: readonly string[]): string {
  try {
    decoded(pieces);
  } catch (thrown) {
    assert.ok(thrown instanceof RelctlError);
    assert.equal(thrown.kind, 'bad-answer');
    assert.deepEqual(thrown.facts, { code: 'base64', path: 'Attachment.Content' });
    return thrown.message;
  }
  return 'taken';
}

/** A text cut at these places, in any order and number. */
function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((to, index) => text.slice(places[index], to));
}

const cuts = fc.array(fc.nat(), { maxLength: 12 });

describe('Base64Decoder', () => {
  it('gives the same bytes however the text is cut, and whatever white space stands in it', () => {
    const spaces = fc.array(fc.tuple(fc.nat(), fc.constantFrom(' ', '\n', '\r\n', '\t ')), { maxLength: 8 });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), spaces, cuts, (bytes, gaps, places) => {
        let text = Buffer.from(bytes).toString('base64');
        for (const [at, gap] of gaps) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + gap + text.slice(place);
        }
        assert.deepEqual(decoded(cutAt(text, places)), Buffer.from(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it('takes exactly the texts that the check of a whole text takes', () => {
    const nearly = fc.string({
      unit: fc.constantFrom('A', 'b', '+', '/', '=', '=', ' ', '\n', '-', '_', 'Ł', '!'),
      maxLength: 14,
    });
    fc.assert(
      fc.property(nearly, cuts, (text, places) => {
        assert.equal(
          complaint(cutAt(text, places)) === 'taken',
          isBase64(text.replace(/[ \t\r\n]/g, '')),
          JSON.stringify(text),
        );
        assert.equal(complaint(cutAt(text, places)), complaint([text]));
      }),
      { numRuns: 3000 },
    );
  });

  it('says where the first wrong character stands, however long the text before it', () => {
    const long = 'QUJD'.repeat(50_000);
    const wrong: Readonly<Record<string, string>> = {
      'QUJD!UJD': 'the character U+0021 cannot stand at position 4',
      'QU-D': 'the character U+002D cannot stand at position 2',
      QUJ_: 'the character U+005F cannot stand at position 3',
      'QU\u0141D': 'the character U+0141 cannot stand at position 2',
      'Q===': 'the character U+003D cannot stand at position 1',
      'QQ==QUJD': 'the character U+0051 cannot stand at position 4',
      'QQ=Q': 'the character U+0051 cannot stand at position 3',
      'QQ== =': 'the character U+003D cannot stand at position 5',
      'QUJD\nQU\n\u00a0JD': 'the character U+00A0 cannot stand at position 8',
      QUJDQ: 'it ends within a group of four characters, at position 5',
      'QQ=': 'it ends within a group of four characters, at position 3',
      [`${long}\u0000`]: 'the character U+0000 cannot stand at position 200000',
      [`${long}A`]: 'it ends within a group of four characters, at position 200001',
    };
    for (const [text, why] of Object.entries(wrong)) {
      assert.equal(complaint([text]), `the content is not base64: ${why}`);
      assert.equal(complaint(cutAt(text, [1, 2, 3, 4, 5, 6, 7, 8])), `the content is not base64: ${why}`);
    }
  });

  it('reads nothing as nothing', () => {
    assert.deepEqual(decoded([]), Buffer.alloc(0));
    assert.deepEqual(decoded(['', ' \r\n', '']), Buffer.alloc(0));
  });

  it('reads large pieces with and without line breaks', () => {
    const bytes = Buffer.from(Array.from({ length: 300_001 }, (_, index) => (index * 31) % 251));
    const text = bytes.toString('base64');
    assert.ok(decoded([text.slice(0, 131_071), text.slice(131_071)]).equals(bytes));
    assert.ok(decoded([text.replace(/.{76}/g, '$&\r\n')]).equals(bytes));
  });
});
