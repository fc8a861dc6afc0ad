import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../src/state/sqlite/open.js';

describe('A database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-database-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('calls nothing for a view or a trigger in its file but what computes', () => {
    const file = join(folder, 'foreign.db');
    const setsUp = "sqlite3mc_config('default:cipher', 'rc4')";
    const made = openDatabase({ file, what: 'The test' });
    made.execute(
      `CREATE TABLE t (a); CREATE VIEW v AS SELECT ${setsUp} AS a; CREATE VIEW plain AS SELECT upper('a') AS a; ` +
        `CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT ${setsUp}; END`,
    );
    made.close();
    const database = openDatabase({ file, what: 'The test' });
    try {
      assert.deepEqual(database.statement('SELECT a FROM plain').all(), [['A']]);
      for (const sql of ['SELECT a FROM v', 'INSERT INTO t VALUES (1)'])
        assert.throws(() => database.execute(sql), /unsafe use of sqlite3mc_config/, sql);
    } finally {
      database.close();
    }
  });

  it('that is closed within a transaction keeps no other one waiting', () => {
    const file = join(folder, 'read.db');
    const writes = openDatabase({ file, what: 'The test' });
    writes.execute('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 0; CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    const reads = openDatabase({ file, what: 'The test' });
    reads.execute('BEGIN');
    const all = reads.statement('SELECT a FROM t');
    assert.deepEqual(all.all(), [[1]]);
    writes.execute('INSERT INTO t VALUES (2)');
    const isBusy = (): unknown => writes.statement('PRAGMA wal_checkpoint(TRUNCATE)').first()?.[0];
    assert.equal(isBusy(), 1);
    reads.close();
    reads.close();
    assert.equal(isBusy(), 0);
    writes.close();
  });
});
