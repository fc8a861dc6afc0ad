import assert from 'node:assert/strict';
import { sizeWords } from '../../../src/writes/attachments/source.js';

describe('A size in words', () => {
  const words: readonly (readonly [number, string])[] = [
    [0, '0 bytes'],
    [1, '1 byte'],
    [1023, '1023 bytes'],
    [1024, '1.0 kB'],
    [1_048_530, '1.0 MB'],
    [1_048_576, '1.0 MB'],
    [13_002_342, '12.4 MB'],
    [5 * 2 ** 30, '5.0 GB'],
    [3000 * 2 ** 40, '3000.0 TB'],
  ];
  for (const [bytes, text] of words)
    it(`is ${text} for ${bytes}`, () => {
      assert.equal(sizeWords(bytes), text);
    });
});
