import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failureOf, openDatabase, openReadOnly } from '../../../src/state/sqlite/open.js';
import { valuesOf } from '../../support/thrown.js';

describe('A database that is opened to be asked', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-question-'));
  // Letters that mean something in the address of a file.
  const file = join(folder, 'a%20b#c?mode=rwc.db');
  after(() => rmSync(folder, { recursive: true, force: true }));

  before(() => {
    const database = openDatabase({ file, what: 'The test' });
    database.execute('PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (9007199254740993)');
    database.close();
  });

  const digest = (): string => createHash('sha256').update(readFileSync(file)).digest('hex');

  it('gives whole numbers exactly, with the columns that they come from', () => {
    const question = openReadOnly(file).question('SELECT a AS b FROM t');
    assert.deepEqual([...question.rows({})], [[9007199254740993n]]);
    assert.deepEqual(valuesOf(question.columns, 'name', 'table', 'column'), [['b', 't', 'a']]);
  });

  for (const sql of [
    'DELETE FROM t RETURNING a',
    'WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x RETURNING a',
    'UPDATE t SET a = 1 RETURNING a',
  ]) {
    it(`takes no write, whatever was looked at before: ${sql}`, () => {
      const before = digest();
      assert.throws(
        () => [...openReadOnly(file).question(sql).rows({})],
        (thrown) => failureOf(thrown)?.code === 'SQLITE_READONLY',
      );
      assert.equal(digest(), before);
    });
  }

  it('is not made where there is none', () => {
    assert.throws(
      () => openReadOnly(join(folder, 'none.db')),
      (thrown) => failureOf(thrown)?.code === 'SQLITE_CANTOPEN',
    );
  });

  for (const [sql, what, name] of [
    ['SELECT 1 FROM none', 'table', 'none'],
    ['SELECT t.b FROM t', 'column', 't.b'],
    ['SELECT f(1)', 'function', 'f'],
    ['SELECT a FROM t, t AS u', 'ambiguous', 'a'],
    ['SELECT * FORM t', 'syntax', 'FORM'],
    ['SELECT (1', 'end', ''],
    ["SELECT 1 LIMIT 'x'", 'type', ''],
    ["SELECT json('{')", undefined, ''],
  ] as const) {
    it(`says why SQLite does not answer ${sql}`, () => {
      assert.throws(
        () => [...openReadOnly(file).question(sql).rows({})],
        (thrown) => {
          const failure = failureOf(thrown);
          assert.deepEqual([failure?.what, failure?.name], [what, name]);
          return true;
        },
      );
    });
  }
});
