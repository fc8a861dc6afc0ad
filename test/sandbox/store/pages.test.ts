import assert from 'node:assert/strict';
import fc from 'fast-check';
import { join } from 'node:path';
import { openStore, type Store } from '../../../src/sandbox/store/open.js';
import { gapTable, gapTriggers, pageRows } from '../../../src/sandbox/store/pages.js';
import { temporaryFolder } from '../../support/sandbox/temporary.js';

const folder = temporaryFolder();

function withRows(count: number, name: string): Store {
  const store = openStore(join(folder.path, name));
  store.execute(
    `PRAGMA synchronous = OFF; CREATE TABLE "T" (seq INTEGER PRIMARY KEY, x TEXT) STRICT; ${gapTable} ${gapTriggers('T')}`,
  );
  store.write(() => {
    const insert = store.statement('INSERT INTO "T" (x) VALUES (?)');
    for (let at = 0; at < count; at += 1) insert.run(`row ${at}`);
  });
  return store;
}

const seqs = (store: Store, pageNumber: number, pageSize: number): readonly number[] =>
  pageRows(store, { table: 'T', columns: 'seq' }, { pageNumber, pageSize }).map(([seq]) => Number(seq));

describe('A page of a table', () => {
  after(() => folder.remove());

  it('holds the rows of its place, and none behind the last', () => {
    const store = withRows(10, 'place');
    assert.deepEqual(seqs(store, 1, 4), [1, 2, 3, 4]);
    assert.deepEqual(seqs(store, 3, 4), [9, 10]);
    assert.deepEqual(seqs(store, 4, 4), []);
    assert.deepEqual(seqs(store, 2_147_483_647, 2_147_483_647), []);
    store.close();
  });

  it('holds each row once whatever was deleted and added again', () => {
    const store = withRows(60, 'gaps');
    const change = fc.record({
      remove: fc.uniqueArray(fc.integer({ min: 1, max: 70 })),
      add: fc.integer({ min: 0, max: 5 }),
    });
    fc.assert(
      fc.property(change, fc.integer({ min: 1, max: 25 }), ({ remove, add }, size) => {
        store.write(() => {
          for (const seq of remove) store.statement('DELETE FROM "T" WHERE seq = ?').run(seq);
          for (let at = 0; at < add; at += 1) store.statement('INSERT INTO "T" (x) VALUES (?)').run('added');
        });
        const all = store
          .statement('SELECT seq FROM "T" ORDER BY seq')
          .all()
          .map(([seq]) => Number(seq));
        const paged: number[] = [];
        for (let page = 1; ; page += 1) {
          const rows = seqs(store, page, size);
          if (rows.length === 0) break;
          paged.push(...rows);
        }
        assert.deepEqual(paged, all);
      }),
      { numRuns: 40 },
    );
    store.close();
  });

  it('is found by key at any place, not by counting rows', () => {
    const store = withRows(1, 'plan');
    const plan = store.statement('EXPLAIN QUERY PLAN SELECT seq FROM "T" WHERE seq > ? ORDER BY seq LIMIT ?').all(1, 1);
    assert.match(String(plan[0]?.[3]), /USING INTEGER PRIMARY KEY \(rowid>\?\)/);
    store.close();
  });
});
