import assert from 'node:assert/strict';
import fc from 'fast-check';
import { base64Bytes, holdsBase64, isBase64 } from '../../src/lexical/base64.js';

const bytesOf = (text: string): Buffer => Buffer.concat([...base64Bytes(text)]);

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

  it('may be broken into lines where services break it', () => {
    assert.ok(holdsBase64('AA\r\nA=\n'));
    assert.ok(holdsBase64(' \t\n'));
    assert.ok(!holdsBase64('AA\u00a0A='));
    assert.ok(!isBase64('AAAA\n'));
    assert.deepEqual(bytesOf(' R G\r\n V 6\t'), Buffer.from('Dez'));
  });

  it('gives back the bytes that went in, also with line breaks', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 80 }), (bytes, width) => {
        const text = Buffer.from(bytes).toString('base64');
        assert.ok(isBase64(text));
        assert.deepEqual(bytesOf(text), Buffer.from(bytes));
        const broken = text.replace(new RegExp(`.{${width + 1}}`, 'g'), '$&\r\n');
        assert.ok(holdsBase64(broken));
        assert.deepEqual(bytesOf(broken), Buffer.from(bytes));
      }),
    );
  });

  it('is read in pieces of a few megabytes, and looked through to its end', () => {
    const bytes = Buffer.alloc(7 * 1024 * 1024 + 1, 'abcdefg');
    const text = bytes.toString('base64');
    assert.ok(isBase64(text));
    assert.equal([...base64Bytes(text)].length, 3);
    assert.deepEqual(bytesOf(text), bytes);
    const chunk = 4 * 1024 * 1024;
    assert.ok(!isBase64(`${text.slice(0, chunk - 2)}==${text.slice(chunk)}`));
    assert.ok(!isBase64(`${text.slice(0, -5)}!${text.slice(-4)}`));
  });
});
