import assert from 'node:assert/strict';
import fc from 'fast-check';
import { XmlDecoder } from '../../src/xml/decoder.js';
import { sayable } from '../support/xml/documents.js';
import { bytesOf, chunksOf } from '../support/xml/recorder.js';

function decoded(chunks: readonly Uint8Array[], charset?: string): string {
  const decoder = new XmlDecoder(charset);
  const checked = (text: string): string => {
    if (decoder.failure !== undefined) throw decoder.failure;
    return text;
  };
  return chunks.map((chunk) => checked(decoder.decode(chunk))).join('') + checked(decoder.end());
}

const lineEnds = (text: string): string => text.replace(/\r\n?/g, '\n');
const cuts = fc.array(fc.nat(), { maxLength: 8 });
const texts = fc
  .array(fc.oneof(sayable, fc.constantFrom('\r', '\n', '\r\n', '😀')))
  .map((parts) => `<${parts.join('')}`);

describe('the decoder', () => {
  it('gives UTF-8 as text with LF for every line end, however it is cut', () => {
    fc.assert(
      fc.property(texts, cuts, (text, places) => {
        assert.equal(decoded(chunksOf(bytesOf(text), places)), lineEnds(text));
      }),
    );
  });

  it('gives UTF-16 as text, however it is cut', () => {
    fc.assert(
      fc.property(texts, cuts, fc.boolean(), (text, places, isBig) => {
        const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
        assert.equal(decoded(chunksOf(isBig ? bytes.swap16() : bytes, places)), lineEnds(text));
      }),
    );
  });

  it('takes a mark off the beginning only, however it is cut', () => {
    const text = '\ufeff<a>\ufeff\ufeffé😀\ufeff</a>';
    const double = `\ufeff${text}`;
    const wide = Buffer.from(double, 'utf16le');
    for (const [bytes, left] of [
      [bytesOf(text), text.slice(1)],
      [bytesOf(double), text],
      [wide, text],
      [Buffer.from(wide).swap16(), text],
    ] as const)
      for (let size = 1; size <= bytes.length; size += 1) {
        const places = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
        const chunks = places.map((from) => bytes.slice(from, from + size));
        assert.equal(decoded(chunks), left, String(size));
      }
  });

  it('tells the offset of the first half of a character in UTF-16, however it is cut', () => {
    const half = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
    const units = fc.array(fc.constantFrom('x', 'é', '\ud95f', '\ud8cb', '\udc00', '\udfff', '😀'), { maxLength: 12 });
    const offsetIn = (chunks: readonly Uint8Array[]): number | undefined => {
      try {
        decoded(chunks);
        return undefined;
      } catch (thrown) {
        return Number(/offset (\d+) is not utf-16[lb]e/.exec(String(thrown))?.[1]);
      }
    };
    fc.assert(
      fc.property(units, cuts, fc.boolean(), (parts, places, isBig) => {
        const text = `\ufeff<a>${parts.join('')}`;
        const bytes = Buffer.from(text, 'utf16le');
        const at = half.exec(text)?.index;
        assert.equal(offsetIn(chunksOf(isBig ? bytes.swap16() : bytes, places)), at === undefined ? at : at * 2);
        // A byte that is left over is a mistake behind all of them.
        const odd = Buffer.concat([bytes, Buffer.of(0xde)]);
        assert.equal(offsetIn(chunksOf(odd, places)), (at ?? text.length) * 2);
      }),
    );
  });

  it('says which encoding it found', () => {
    const encodingOf = (bytes: Uint8Array, charset?: string): string => {
      const decoder = new XmlDecoder(charset);
      decoder.decode(bytes);
      return decoder.encoding;
    };
    assert.equal(encodingOf(bytesOf('<a/>')), 'utf-8');
    assert.equal(encodingOf(bytesOf('<a/>'), 'iso-8859-1'), 'iso-8859-1');
    assert.equal(encodingOf(Buffer.from('\ufeff<a/>', 'utf16le'), 'utf-8'), 'utf-16le');
  });

  it('takes documents of no, one and two bytes', () => {
    assert.equal(decoded([]), '');
    assert.equal(decoded([bytesOf('x')]), 'x');
    assert.equal(decoded([bytesOf('x'), bytesOf('\r')]), 'x\n');
  });

  it('refuses control characters and what is no text', () => {
    assert.throws(() => decoded([bytesOf('<a>\u0000')]), { kind: 'bad-answer', facts: { code: 'xml-malformed' } });
    assert.throws(() => decoded([Uint8Array.of(0x3c, 0x61, 0x3e, 0xff)]), { facts: { code: 'xml-encoding' } });
    assert.throws(() => decoded([Uint8Array.of(0x3c, 0x61, 0x3e), Uint8Array.of(0xf0, 0x9f), bytesOf('</a>')]), {
      facts: { code: 'xml-encoding' },
    });
    for (const byte of [0x80, 0xbf, 0xc0, 0xf8, 0xff]) {
      const wrong = [bytesOf('<a>'), Uint8Array.of(byte), bytesOf('x</a>')];
      assert.throws(() => decoded(wrong), { facts: { code: 'xml-encoding' } });
    }
    assert.throws(() => decoded([Uint8Array.of(0x3c, 0x61, 0x3e, 0xc3)]), { facts: { code: 'xml-encoding' } });
  });
});
