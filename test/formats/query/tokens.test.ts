import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tokensOf } from '../../../src/formats/query/tokens.js';
import { valuesOf, thrownBy } from '../../support/thrown.js';

const read = (text: string): readonly (readonly [string, string])[] =>
  tokensOf({ path: 'QUERY', text }).map(({ kind, name }) => [kind, name]);

/** What is said of a text that is refused, with the line of its caret. */
function refusal(text: string): readonly [message: string, place: number] {
  const { message, excerpt } = thrownBy(() => tokensOf({ path: 'QUERY', text }), 'usage');
  return [message, excerpt?.[1]?.indexOf('^') ?? -1];
}

describe('The tokens of SQL', () => {
  it('are words, names, texts, numbers, parameters and signs', () => {
    assert.deepEqual(
      read(`SELECT "a b", [c d], \`e\`, 'it''s', x'00ff', 12.5e-3, 0x1F, :p, @q, $r, ?1 FROM "say ""x"""`),
      [
        ['word', 'SELECT'],
        ['quoted', 'a b'],
        ['sign', ','],
        ['quoted', 'c d'],
        ['sign', ','],
        ['quoted', 'e'],
        ['sign', ','],
        ['text', "it's"],
        ['sign', ','],
        ['text', '00ff'],
        ['sign', ','],
        ['number', '12.5e-3'],
        ['sign', ','],
        ['number', '0x1F'],
        ['sign', ','],
        ['parameter', 'p'],
        ['sign', ','],
        ['parameter', 'q'],
        ['sign', ','],
        ['parameter', 'r'],
        ['sign', ','],
        ['parameter', '1'],
        ['word', 'FROM'],
        ['quoted', 'say "x"'],
      ],
    );
  });

  it('leave comments out, which hide nothing and end where they end', () => {
    assert.deepEqual(read('a -- ; \'b\n c /* ; " -- */ d /**/ e -- f'), [
      ['word', 'a'],
      ['word', 'c'],
      ['word', 'd'],
      ['word', 'e'],
    ]);
    assert.deepEqual(read("'-- no comment' '/* none */'"), [
      ['text', '-- no comment'],
      ['text', '/* none */'],
    ]);
  });

  it('know words of other scripts', () => {
    assert.deepEqual(read('Größe + naïve'), [
      ['word', 'Größe'],
      ['sign', '+'],
      ['word', 'naïve'],
    ]);
  });

  const wrong: readonly (readonly [text: string, message: RegExp, place: number])[] = [
    ["SELECT 'a", /a text begins here and has no end, at character 8/, 7],
    ['SELECT "a', /a name begins here and has no end/, 7],
    ['SELECT [a', /a name begins here/, 7],
    ['SELECT `a', /a name begins here/, 7],
    ['SELECT 1 /* a', /a comment begins here/, 9],
    ['SELECT\u00a01', /SQL has no character U\+00A0, at character 7/, 6],
    ['SELECT ‘a’', /‘ is not a quote in SQL/, 7],
    ['SELECT “a”', /“ is not a quote in SQL/, 7],
    ['SELECT 1\0', /SQL has no character U\+0000/, 8],
    ['SELECT #', /SQL has no '#'/, 7],
    ['SELECT \u202e1', /SQL has no character U\+202E/, 7],
    ['SELECT \u001b[31m', /SQL has no character U\+001B/, 7],
    ['SELECT {a}', /SQL has no '\{'/, 7],
  ];
  for (const [text, message, place] of wrong) {
    it(`are not found in ${JSON.stringify(text)}, with the place`, () => {
      const [said, at] = refusal(text);
      assert.match(said, message);
      assert.equal(at, place);
    });
  }

  it('are at places by line and character', () => {
    assert.match(refusal("SELECT 1,\n  '")[0], /at line 2, character 3$/);
    assert.equal(refusal("SELECT 1,\n  '")[1], 2);
  });

  it('are bounded', () => {
    assert.match(refusal(`SELECT ${'a'.repeat(1024 * 1024)}`)[0], /1 MiB at most/);
    assert.match(refusal('a '.repeat(100_001))[0], /100000 words at most/);
  });

  it('with what is between them are the whole text', () => {
    const part = fc.constantFrom(
      "'a''b'",
      '"c"',
      ' ',
      '\n',
      '-- d\n',
      '/* e */',
      'select',
      '12',
      '.5',
      ':f',
      '(',
      '->>',
      '||',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        // Side by side some are others: two texts are one with a quote in it.
        const text = parts.join(' ');
        const tokens = tokensOf({ path: 'QUERY', text });
        let rest = text;
        for (const token of tokens.toReversed()) {
          assert.equal(text.slice(token.at, token.end), token.text);
          rest = rest.slice(0, token.at) + rest.slice(token.end);
        }
        assert.equal(rest.replace(/-- d\n|\/\* e \*\//g, '').trim(), '');
        const expected = parts.filter((each) => !/^(?:\s|-- |\/\*)/.test(each));
        assert.deepEqual(valuesOf(tokens, 'text'), expected);
      }),
    );
  });
});
