import assert from 'node:assert/strict';
import { parametersFor } from '../../../src/mirror/sql/messages.js';
import { statementOf } from '../../../src/mirror/sql/statement.js';

const given = (names: readonly string[], ...texts: readonly string[]): ReturnType<typeof parametersFor> =>
  parametersFor(statementOf({ path: 'QUERY', text: `SELECT ${names.map((name) => `:${name}`).join(', ')}` }), texts);

describe('Parameters of a statement', () => {
  it('are text to the letter, unless a type is said', () => {
    assert.deepEqual(
      given(
        ['a', 'b', 'c', 'd', 'e', 'f'],
        'a= 007 =',
        'b:int=-9223372036854775808',
        'c:real=1.5e3',
        'd:bool=true',
        'e:null=',
        'f=',
      ),
      {
        a: ' 007 =',
        b: -9223372036854775808n,
        c: 1500,
        d: true,
        e: null,
        f: '',
      },
    );
  });

  it('may be named with the sign that they have in the statement', () => {
    assert.deepEqual(given(['a'], ':a=1'), { a: '1' });
  });

  const wrong: readonly (readonly [texts: readonly string[], message: RegExp])[] = [
    [[], /has the parameter :a, and no --param/],
    [['a'], /takes NAME=VALUE or NAME:TYPE=VALUE/],
    [['=1'], /takes NAME=VALUE/],
    [['a b=1'], /takes NAME=VALUE/],
    [['a=1', 'a=2'], /is given twice/],
    [['a=1', 'b=2'], /has no parameter :b; it has only :a/],
    [['a:int=1.5'], /takes a whole number of 64 bits, not '1.5'/],
    [['a:int=9223372036854775808'], /whole number of 64 bits/],
    [['a:int='], /whole number of 64 bits/],
    [['a:int=0x10'], /whole number of 64 bits/],
    [['a:real=1,5'], /takes a number such as 12.5/],
    [['a:real=1e999'], /takes a number/],
    [['a:bool=yes'], /takes true or false/],
    [['a:null=x'], /nothing behind the =/],
    [['a:integer=1'], /no type 'integer'; the types are text, int, real, bool, null/],
    [['a:constructor=1'], /no type 'constructor'/],
  ];
  for (const [texts, message] of wrong) {
    it(`are refused: ${texts.join(' ') || 'none'}`, () => assert.throws(() => given(['a'], ...texts), message));
  }
});
