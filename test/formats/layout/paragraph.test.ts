import assert from 'node:assert/strict';
import { wrapWords } from '../../../src/formats/layout/width.js';

describe('wrapWords', () => {
  it('breaks between words, and indents all lines but the first', () => {
    assert.deepEqual(wrapWords('one two three four', 9, '  '), ['one two', '  three', '  four']);
  });

  it('fills a line to its last column', () => {
    assert.deepEqual(wrapWords('one two three', 7, ''), ['one two', 'three']);
  });

  it('keeps what stands in backticks whole, however long, with what touches it', () => {
    assert.deepEqual(wrapWords('Choose with `relctl profile use`, then go on', 20, '  '), [
      'Choose with',
      '  `relctl profile use`,',
      '  then go on',
    ]);
  });

  it('keeps a backtick without its fellow, and loses no word', () => {
    assert.deepEqual(wrapWords('a ` b', 3, '').join(' ').replaceAll(' ', ''), 'a`b');
  });
});
