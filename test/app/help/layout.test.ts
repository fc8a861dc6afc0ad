import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commandLine, hanging, inLines, twoColumns } from '../../../src/app/help/layout.js';

const word = fc.string({ unit: fc.constantFrom('a', 'b', '-', 'é'), minLength: 1, maxLength: 12 });
const page = { width: 40, hasColor: false };

describe('Words in lines', () => {
  it('are all there, in their order, in lines that fit unless they hold one word', () => {
    const blank = fc.constantFrom(' ', '  ', '\n', '\t');
    fc.assert(
      fc.property(fc.array(word), blank, fc.integer({ min: 1, max: 30 }), (words, between, width) => {
        const lines = inLines(words.join(between), width);
        assert.deepEqual(
          lines.flatMap((line) => line.split(' ')).filter((each) => each !== ''),
          words,
        );
        for (const line of lines) assert.ok(line.length <= width || !line.includes(' '), line);
      }),
    );
  });

  it('fill a line before they begin the next', () => {
    assert.deepEqual(inLines('one two three', 7), ['one two', 'three']);
    assert.deepEqual(inLines('one two three', 6), ['one', 'two', 'three']);
    assert.deepEqual(inLines('漢字 漢字', 8), ['漢字', '漢字']);
    assert.deepEqual(inLines('', 6), ['']);
  });
});

describe('A command line', () => {
  it('is what a shell joins to the same, in lines that fit, with a flag and its value on one', () => {
    const flag = fc.tuple(fc.stringMatching(/^[a-b]{0,9}$/), word).map(([name, value]) => `--x${name} v${value}`);
    const quoted = word.map((text) => `'${text} ${text}'`);
    fc.assert(
      fc.property(fc.array(fc.oneof(flag, quoted)), (words) => {
        const line = ['relctl', ...words].join(' ');
        const lines = commandLine(page, line);
        assert.equal(lines.map((each) => each.replace(/^ +/, '').replace(/\\$/, '')).join(''), `$ ${line}`);
        for (const each of lines) assert.ok(each.length <= 40, each);
        for (const each of words)
          assert.ok(
            lines.some((some) => some.includes(each)),
            each,
          );
      }),
    );
  });

  it('with a comment, or with blanks that count, stays as it is', () => {
    for (const line of [`relctl list ${'--x y '.repeat(9)} # what's this`, `relctl  list  ${'--x y '.repeat(9)}`])
      assert.deepEqual(commandLine(page, line), [`  $ ${line}`.trimEnd()]);
  });
});

describe('Names and meanings', () => {
  it('stand in two columns, and a long name above its meaning', () => {
    assert.deepEqual(
      twoColumns(page, [
        ['--a', 'one two'],
        [`--${'b'.repeat(30)}`, 'three'],
        ['--cc', ''],
      ]),
      ['  --a   one two', `  --${'b'.repeat(30)}`, '        three', '  --cc'],
    );
  });

  it('a title stands before its text, or above a word that would not fit beside it', () => {
    assert.deepEqual(
      hanging(page, 'Usage: ', 'relctl one two three four five six seven'),
      ['Usage: relctl one two three four five six', '       seven'].map((line, at) =>
        at === 0 ? line.slice(0, -4) : '       six seven',
      ),
    );
    assert.deepEqual(hanging(page, 'Operations: ', 'a'.repeat(35)), ['Operations:', `    ${'a'.repeat(35)}`]);
  });
});
