import assert from 'node:assert/strict';
import { copyValue } from '../../src/postgres/copy-text.js';

describe('A value in the text of COPY', () => {
  it('has no character that means something to COPY', () => {
    assert.equal(copyValue('a\tb\\c\nd\re', 'Name'), 'a\\tb\\\\c\\nd\\re');
    assert.deepEqual(
      [null, '', 'null', '\\N', 0, true].map((value) => copyValue(value, 'Name')),
      ['\\N', '', 'null', '\\\\N', '0', 'true'],
    );
  });

  it('is refused with NUL, by the name of its column', () => {
    assert.throws(() => copyValue('a\u0000b', 'Name'), { kind: 'local', message: /of Name holds the character NUL/ });
  });
});
