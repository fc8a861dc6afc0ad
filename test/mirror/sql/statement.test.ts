import assert from 'node:assert/strict';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { statementOf } from '../../../src/mirror/sql/statement.js';
import { parametersFor } from '../../../src/mirror/sql/messages.js';
import { argv } from '../../support/argv.js';

/** The message for a statement that is refused, and the word at its caret; undefined for one that is taken. */
function refusal(text: string): string | undefined {
  try {
    statementOf({ path: 'QUERY', text });
    return undefined;
  } catch (thrown) {
    assert.ok(thrown instanceof RelctlError && thrown.kind === 'usage');
    const [line = '', caret = ''] = thrown.excerpt ?? [];
    return `${thrown.message} >> ${line.slice(caret.indexOf('^')).split(' ')[0] ?? ''}`;
  }
}

const taken = [
  'SELECT 1',
  'select 1;',
  '  -- why\n/* how */ SELECT 1 ; ;',
  'VALUES (1), (2)',
  'WITH a AS (SELECT 1) SELECT * FROM a',
  'WITH RECURSIVE a(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM a) SELECT x FROM a LIMIT 3',
  "WITH a AS (SELECT 'DELETE') SELECT replace(x, 'a', 'b') FROM a",
  'EXPLAIN SELECT 1',
  'EXPLAIN QUERY PLAN WITH a AS (SELECT 1) SELECT * FROM a',
  'SELECT 9223372036854775807, -9223372036854775808, 1*-9223372036854775808, 00009223372036854775807, 12345678901234567890.0, 1e30',
  "SELECT '12345678901234567890' AS [12345678901234567890] -- 12345678901234567890",
  "SELECT ';' AS \"PRAGMA\", 'ATTACH' -- ; DROP TABLE x",
];

const refused: readonly (readonly [text: string, message: RegExp])[] = [
  ['', /there is no statement/],
  ['-- only a comment', /there is no statement/],
  [';', /begins with .* not ';'/],
  ['EXPLAIN', /there is no statement/],
  ['EXPLAIN QUERY PLAN', /there is no statement/],
  ['DELETE FROM relations', /is read-only.* not DELETE.*>> DELETE/],
  ['insert into relations values (1)', /not INSERT/],
  ['UPDATE relations SET Id = 1', /not UPDATE/],
  ['REPLACE INTO relations VALUES (1)', /not REPLACE/],
  ['DROP TABLE relations', /not DROP/],
  ['CREATE TABLE x (a)', /not CREATE/],
  ['ALTER TABLE relations RENAME TO x', /not ALTER/],
  ['PRAGMA query_only = OFF', /not PRAGMA/],
  ["ATTACH 'x.db' AS x", /not ATTACH/],
  ['DETACH x', /not DETACH/],
  ['VACUUM', /not VACUUM/],
  ["VACUUM INTO 'x.db'", /not VACUUM/],
  ['BEGIN', /not BEGIN/],
  ['COMMIT', /not COMMIT/],
  ['ANALYZE', /not ANALYZE/],
  ['REINDEX', /not REINDEX/],
  ['SAVEPOINT x', /not SAVEPOINT/],
  ['EXPLAIN DELETE FROM relations', /not DELETE.*>> DELETE/],
  ['EXPLAIN QUERY PLAN UPDATE relations SET Id = 1', /not UPDATE/],
  ['EXPLAIN EXPLAIN SELECT 1', /not 'EXPLAIN'/],
  ['/* x */ DELETE FROM relations', /not DELETE/],
  ['WITH a AS (SELECT 1) DELETE FROM relations', /after WITH, not DELETE.*>> DELETE/],
  ['WITH a AS (SELECT 1) DELETE FROM relations RETURNING *', /after WITH, not DELETE/],
  ['WITH a AS (SELECT 1), b AS (SELECT 2) INSERT INTO relations SELECT * FROM a', /after WITH, not INSERT/],
  ['WITH a AS (SELECT 1) UPDATE relations SET Id = 1', /after WITH, not UPDATE/],
  ['WITH a AS (SELECT 1) REPLACE INTO relations SELECT * FROM a', /after WITH, not REPLACE/],
  ['SELECT 1; SELECT 2', /a second one begins.*>> SELECT/],
  ['SELECT 1; -- x\n DROP TABLE relations', /a second one begins, at line 2, character 2 >> DROP/],
  ['SELECT 1;;/**/;VALUES (1)', /a second one begins/],
  ['SELECT ?', /parameters need a name here.*>> \?/],
  ['SELECT ?1', /parameters need a name here/],
  ['SELCT 1', /begins with SELECT, WITH, VALUES or EXPLAIN, not 'SELCT'/],
  ['"SELECT" 1', /not '"SELECT"'/],
  ["'SELECT' 1", /not ''SELECT''/],
  ['(SELECT 1)', /not '\('/],
  [
    'SELECT 9223372036854775808',
    /up to 9223372036854775807.*write it as a text, at character 8 >> 9223372036854775808/,
  ],
  ['SELECT 1 -12345678901234567890', /would round this one.*at character 11/],
  ['SELECT -9223372036854775809', /would round this one/],
  ['SELECT 5 - 9223372036854775808', /would round this one/],
  ['SELECT n -9223372036854775808 FROM t', /would round this one/],
  ['SELECT (1)-9223372036854775808', /would round this one/],
  ['SELECT - -9223372036854775808', /would round this one/],
  ['1', /not '1'/],
  [':a', /not ':a'/],
];

describe('A statement', () => {
  for (const text of taken) {
    it(`is taken: ${text.replaceAll('\n', ' ')}`, () => assert.equal(refusal(text), undefined));
  }

  for (const [text, message] of refused) {
    it(`is refused: ${text.replaceAll('\n', ' ')}`, () => assert.match(refusal(text) ?? 'taken', message));
  }

  it('has its parameters once each, in their order', () => {
    const { parameters } = statementOf({ path: 'QUERY', text: "SELECT :b, @a, $c, :b, ':d' -- :e" });
    assert.deepEqual(parameters, ['b', 'a', 'c']);
  });

  it('writes a number that SQLite would round as a text', () => {
    const given = { path: 'QUERY', text: 'SELECT 12345678901234567890 + 1' };
    assert.throws(
      () => statementOf(given),
      (thrown: RelctlError) => thrown.correction?.meant === "SELECT '12345678901234567890' + 1",
    );
    assert.throws(
      () => statementOf({ ...given, text: 'SELECT 12_345678901234567890, 1' }),
      (thrown: RelctlError) => thrown.correction?.meant === "SELECT '12345678901234567890', 1",
    );
  });

  it('corrects its first word', () => {
    assert.throws(
      () => statementOf({ path: 'QUERY', text: 'SELCT 1' }),
      (thrown: RelctlError) => thrown.correction?.meant === 'SELECT 1',
    );
  });
});

const given = (names: readonly string[], ...texts: readonly string[]): ReturnType<typeof parametersFor> =>
  parametersFor(statementOf({ path: 'QUERY', text: `SELECT ${names.map((name) => `:${name}`).join(', ')}` }), texts);

describe('Parameters of a statement', () => {
  it('are text to the letter, unless a type is said', () => {
    assert.deepEqual(
      given(
        ['a', 'b', 'c', 'd', 'e', 'f'],
        ...argv`"a= 007 =" b:int=-9223372036854775808 c:real=1.5e3 d:bool=true e:null= f=`,
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
    [['a=1', 'a=2'], /is set twice/],
    [['a=1', 'b=2'], /has no parameter :b; it has only :a/],
    [['a:int=1.5'], /takes a whole number of 64 bits, not '1.5'/],
    [['a:int=9223372036854775808'], /whole number of 64 bits/],
    [['a:int='], /whole number of 64 bits/],
    [['a:int=0x10'], /whole number of 64 bits/],
    [['a:real=1,5'], /takes a number such as 12.5/],
    [['a:real=1e999'], /takes a number/],
    [['a:bool=yes'], /takes true or false/],
    [['a:null=x'], /an empty value/],
    [['a:integer=1'], /no type 'integer'; the types are text, int, real, bool, null/],
    [['a:constructor=1'], /no type 'constructor'/],
  ];
  for (const [texts, message] of wrong) {
    it(`are refused: ${texts.join(' ') || 'none'}`, () => assert.throws(() => given(['a'], ...texts), message));
  }
});
