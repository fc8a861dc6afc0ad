import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownRows } from '../../src/mirror/known-rows.js';
import { openMirror } from '../../src/mirror/mirror.js';
import { tableNamed } from '../../src/mirror/tables.js';
import type { Cell } from '../../src/contract/columns.js';
import { Database, openDatabase, type Row, type Statement } from '../../src/state/sqlite/open.js';

describe('The rows that a mirror knows of the records of a page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-known-'));
  const file = join(folder, 'mirror.db');
  const table = tableNamed('relations');
  const opened: Database[] = [];

  before(async () => {
    const service = { url: 'http://127.0.0.1:1/', namespace: 'urn:test', database: '' };
    await openMirror({ file, service, forget: '' }).close();
    const database = openDatabase({ file, what: 'The mirror' });
    opened.push(database);
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) ';
    database.execute(
      'INSERT INTO "all_relations" ("_seq", "_source", "Id", "_record", "_hash", "_first_seen", "_changed_at") ' +
        `${numbers} SELECT i, 1, CASE WHEN i % 3 = 0 THEN 'id' || i END, '', 'hash' || (i % 1500), '', '' FROM n`,
    );
  });
  after(() => {
    for (const each of opened) each.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The database, with the rows that each statement gave and the statements. */
  function counting(): { readonly given: Row[]; readonly asked: string[]; readonly database: Database } {
    const given: Row[] = [];
    const asked: string[] = [];
    class Counted extends Database {
      override statement(sql: string): Statement {
        const own = super.statement(sql);
        asked.push(sql);
        const all = (...values: readonly Cell[]): readonly Row[] => {
          const rows = own.all(...values);
          given.push(...rows);
          return rows;
        };
        return { ...own, all };
      }
    }
    const counted = new Counted({ file, what: 'The mirror' });
    opened.push(counted);
    return { given, asked, database: counted };
  }

  it('are those with their Ids, and without an Id those with their content: no others are read', () => {
    const { given, asked, database: counted } = counting();
    const records = [
      { id: 'ID3', hash: 'other' },
      { id: 'id4', hash: 'hash4' },
      { id: undefined, hash: 'hash7' },
      { id: undefined, hash: 'hash3' },
    ];
    const known = knownRows(counted, { table, source: 1, records }, { inStaged: false, inWhole: true });
    const seqs = (key: string): readonly number[] => (known.get(key) ?? []).map(({ seq }) => seq);
    assert.deepEqual([seqs('id3'), seqs(''), known.size], [[3], [7, 1507], 2]);
    assert.equal(given.length, 3);
    for (const sql of asked) {
      const plan = (opened[0]?.statement(`EXPLAIN QUERY PLAN ${sql}`).all('[]', 1) ?? []).map((row) => String(row[3]));
      assert.ok(
        plan.some((line) => /SEARCH t USING INDEX \S+_(?:by_id|without_id) \("?(?:Id|_hash)/.test(line)),
        plan.join(),
      );
    }
  });

  it('need no index and no look at rows without an Id where every record has one', () => {
    const { asked, database: counted } = counting();
    knownRows(counted, { table, source: 1, records: [{ id: 'id6', hash: '' }] }, { inStaged: false, inWhole: true });
    assert.equal(asked.length, 1);
  });

  it('of another source are not theirs', () => {
    const { database: counted } = counting();
    const records = [
      { id: 'id6', hash: 'hash6' },
      { id: undefined, hash: 'hash7' },
    ];
    assert.equal(knownRows(counted, { table, source: 2, records }, { inStaged: false, inWhole: true }).size, 0);
  });
});
