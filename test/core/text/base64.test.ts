import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Base64Check, isBase64 } from '../../../src/core/text/base64.js';

describe('base64', () => {
  it('is the alphabet with its padding, and nothing else', () => {
    for (const text of ['', 'AA==', 'AAA=', 'AAAA', '+/+/', 'AAAAAA==']) assert.ok(isBase64(text), text);
    const wrong = [
      'A',
      'AA',
      'AAA',
      'A===',
      '====',
      'AA=A',
      'AA==AAAA',
      'AAA=AAA=',
      'AA-_',
      'AAA\n',
      ' AAA',
      'AAAé',
      '=AAA',
    ];
    for (const text of wrong) assert.ok(!isBase64(text), text);
  });

  it('is what bytes become, and not with a line break in it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), (bytes, place) => {
        const text = Buffer.from(bytes).toString('base64');
        assert.ok(isBase64(text));
        const at = place % text.length;
        assert.ok(!isBase64(`${text.slice(0, at)}\n${text.slice(at)}`));
      }),
    );
  });

  it('is looked through to its end, however long it is', () => {
    const bytes = Buffer.alloc(7 * 1024 * 1024 + 1, 'abcdefg');
    const text = bytes.toString('base64');
    assert.ok(isBase64(text));
    const chunk = 4 * 1024 * 1024;
    assert.ok(!isBase64(`${text.slice(0, chunk - 2)}==${text.slice(chunk)}`));
    assert.ok(!isBase64(`${text.slice(0, -5)}!${text.slice(-4)}`));
  });

  const whole = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
  const checked = (pieces: readonly string[]): boolean => {
    const check = new Base64Check();
    for (const piece of pieces) check.write(piece);
    return check.isWhole();
  };

  it('is the same however its text is cut', () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom('A', '+', '=', '==', 'AAAA', ' ', 'é'), maxLength: 5 }));
    fc.assert(
      fc.property(pieces, (cut) => assert.equal(checked(cut), whole.test(cut.join('')), cut.join('|'))),
      {
        numRuns: 2000,
      },
    );
    assert.ok(checked(['A', 'A', '=', '', '=']));
    assert.ok(!checked(['AA=', 'A']));
    assert.ok(!checked(['AA==', 'AAAA']));
  });
});
