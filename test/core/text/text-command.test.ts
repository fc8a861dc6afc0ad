import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { seenCommand, shellWord } from '../../../src/core/text/text.js';
import { needs } from '../../support/skip.js';

describe('seenCommand', () => {
  for (const [word, written] of [
    ['plain-1.csv', 'plain-1.csv'],
    ['two words', "'two words'"],
    ["it's", String.raw`'it'\''s'`],
    ['a\nb', String.raw`$'a\nb'`],
    ["it's\ta\\b", String.raw`'it'\'$'s\ta\\b'`],
    ['\u0007', String.raw`$'\007'`],
    ['a\u202eb', String.raw`$'a\342\200\256b'`],
    ['Zoë 𝄞', "'Zoë 𝄞'"],
  ] as const)
    it(`writes ${JSON.stringify(word)} as ${written}`, () => assert.equal(seenCommand(shellWord(word)), written));

  const special = ['\n', '\t', '\r', '\\', "'", '"', '$', '`', '!', ' ', '\u001b', '\u0085', '\u200b', '7', 'a'];
  const text = fc
    .array(fc.oneof(fc.constantFrom(...special), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })))
    .map((parts) => parts.join(''))
    .filter((each) => !each.includes('\0') && !/\p{Cs}/u.test(each));

  for (const shell of ['bash', 'zsh'] as const)
    it(`is read by ${shell} as what it was, and has nothing that a terminal does not show`, function () {
      needs(this, shell);
      const words = fc.sample(text, { numRuns: 2000, seed: 7 });
      const line = seenCommand(words.map(shellWord).join(' '));
      assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      const quiet = shell === 'bash' ? ['--norc', '--noprofile'] : ['-f'];
      const { stdout, stderr } = spawnSync(shell, [...quiet, '-c', `printf '%s\\0' ${line}`], {
        encoding: 'utf8',
        env: { LC_ALL: 'C.UTF-8', HOME: '/nonexistent' },
      });
      assert.equal(stderr, '');
      assert.deepEqual(stdout.split('\0').slice(0, -1), words);
    });
});
