import assert from 'node:assert/strict';
import fc from 'fast-check';
import { byteMasks } from '../../../src/sandbox/recordings/byte-mask.js';

describe('The mask of bytes', () => {
  const masked = (
    secrets: readonly string[],
    bytes: Buffer,
    cut: (at: number) => number,
  ): { text: string; replaced: number } => {
    const mask = byteMasks(secrets)();
    const out: Buffer[] = [];
    for (let at = 0; at < bytes.length;) {
      const length = Math.max(1, cut(at));
      out.push(mask.take(bytes.subarray(at, at + length)));
      at += length;
    }
    out.push(mask.end());
    return { text: Buffer.concat(out).toString('latin1'), replaced: mask.replaced };
  };

  it('finds a secret wherever the bytes are cut, and leaves all else to the byte', () => {
    const piece = fc.oneof(fc.constant('Geheim&1'), fc.constant('Geheim&amp;1'), fc.stringMatching(/^[a-f ]{0,6}$/));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 9 }), (pieces, size) => {
        const expected = pieces.map((text) => (text.startsWith('Geheim') ? '********' : text)).join('');
        const { text, replaced } = masked(['Geheim&1'], Buffer.from(pieces.join('')), () => size);
        assert.deepEqual([text, replaced], [expected, pieces.filter((each) => each.startsWith('Geheim')).length]);
      }),
    );
  });

  it('replaces overlapping places as one, and secrets in UTF-16', () => {
    assert.deepEqual(
      masked(['abcdx', 'dxyzw'], Buffer.from('1abcdxyzw2'), () => 1),
      { text: '1********2', replaced: 1 },
    );
    assert.equal(
      masked(['Geheim1'], Buffer.from('<Geheim1>', 'utf16le'), () => 3).text,
      '<\0*\0*\0*\0*\0*\0*\0*\0*\0>\0',
    );
    assert.equal(
      masked(['Geheim1'], Buffer.from('<Geheim1>', 'utf16le').swap16(), () => 64).text,
      '\0<\0*\0*\0*\0*\0*\0*\0*\0*\0>',
    );
  });

  it('changes nothing without secrets', () => {
    assert.deepEqual(
      masked([], Buffer.from('abc'), () => 1),
      { text: 'abc', replaced: 0 },
    );
  });
});
