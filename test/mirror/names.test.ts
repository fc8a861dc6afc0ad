import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNamed, nameIndexes, namesStartingWith } from '../../src/mirror/names.js';
import { openDatabase, type Database } from '../../src/state/sqlite/open.js';

/** A relation of the tests: its Id is its place. */
interface Row {
  readonly DisplayName: string | null;
  readonly ImportKey?: string | null;
  readonly isGone?: boolean;
}

const idOf = (place: number): string => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;

describe('A record that a name means', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-names-'));
  let database: Database;

  before(() => {
    database = openDatabase({ file: join(folder, 'mirror.db'), what: 'The mirror' });
    database.execute(
      'CREATE TABLE all_relations (_seq INTEGER PRIMARY KEY, "Id" TEXT, "DisplayName" TEXT, "ImportKey" TEXT, "SortingName" TEXT, _gone_at TEXT)',
    );
    for (const sql of nameIndexes('relations')) database.execute(sql);
  });
  after(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  function fill(rows: readonly Row[]): void {
    database.execute('DELETE FROM all_relations');
    const insert = database.statement('INSERT INTO all_relations VALUES (?, ?, ?, ?, NULL, ?)');
    database.write(() => {
      for (const [place, { DisplayName, ImportKey = null, isGone = false }] of rows.entries())
        insert.run(place, idOf(place), DisplayName, ImportKey, isGone ? '2026-01-01T00:00:00Z' : null);
    });
  }
  const placesOf = (text: string, isExact: boolean): readonly number[] => {
    const found = findNamed(database, 'relation', text);
    return found.isExact === isExact ? found.hits.map(({ id }) => Number(id.slice(-12))).sort((a, b) => a - b) : [];
  };

  it('is found by its name and its import key, once, unless it is gone', () => {
    fill([
      { DisplayName: 'Veen', ImportKey: 'Veen' },
      { DisplayName: 'Smit', ImportKey: 'Veen' },
      { DisplayName: 'Veen', isGone: true },
      { DisplayName: 'Veen BV' },
      { DisplayName: null },
    ]);
    assert.deepEqual(placesOf('Veen', true), [0, 1]);
    assert.deepEqual(placesOf('veen', true), []);
    assert.deepEqual(placesOf('veen', false), [0, 1]);
    assert.deepEqual(placesOf('', false), []);
  });

  it('is the one to the letter before those in another case', () => {
    fill([{ DisplayName: 'veen' }, { DisplayName: 'Veen' }, { DisplayName: 'VEEN' }]);
    assert.deepEqual(placesOf('Veen', true), [1]);
    assert.deepEqual(placesOf('vEEN', false), [0, 1, 2]);
  });

  it('is found in composed and in decomposed characters', () => {
    fill([{ DisplayName: 'Jo\u00eblle' }, { DisplayName: 'Joe\u0308lle' }, { DisplayName: 'Joelle' }]);
    for (const text of ['Jo\u00eblle', 'Joe\u0308lle']) assert.deepEqual(placesOf(text, true), [0, 1]);
    for (const text of ['JO\u00ebLLE', 'JOe\u0308lle']) assert.deepEqual(placesOf(text, false), [0, 1]);
    assert.deepEqual(placesOf('Joelle', true), [2]);
  });

  it('is what the text says, whatever is special elsewhere', () => {
    const names = ['%', '_', '\\', "'", '"', '*', '[a]', '?1'];
    fill(names.map((DisplayName) => ({ DisplayName })));
    for (const [place, name] of names.entries()) assert.deepEqual(placesOf(name, true), [place]);
  });

  it('is none where its Id is not a GUID, which would stand in lines that are pasted', () => {
    fill([{ DisplayName: 'Veen' }, { DisplayName: 'Veen' }, { DisplayName: 'Smit' }]);
    database.execute(`UPDATE all_relations SET "Id" = '--insecure' WHERE _seq = 1`);
    assert.deepEqual(placesOf('Veen', true), [0]);
  });

  it('is looked for by an index', () => {
    const column = '"DisplayName" COLLATE NOCASE';
    for (const where of [
      `${column} IN (?1, ?2, ?3)`,
      `${column} IN (?1, ?2, ?3) AND "DisplayName" IN (?1, ?2, ?3)`,
      `${column} >= ?1 AND ${column} < ?2 AND ?3 = ?3`,
    ]) {
      const plan = database
        .statement(
          `EXPLAIN QUERY PLAN SELECT "Id" FROM all_relations WHERE ${where} AND _gone_at IS NULL ORDER BY ${column} LIMIT 500`,
        )
        .all('x', 'y', 'z');
      assert.match(plan.flat().join(' '), /USING INDEX names_relations_DisplayName/, where);
    }
  });

  describe('whose beginning is typed', () => {
    const begun = (text: string, most = 50): readonly string[] =>
      namesStartingWith(database, 'relation', { text, most }).map(({ name }) => name);
    before(() =>
      fill([
        { DisplayName: 'Veen', ImportKey: 'v-7' },
        { DisplayName: 'veenstra' },
        { DisplayName: 'Veen', ImportKey: 'v-8' },
        { DisplayName: 'Veengone', isGone: true },
        { DisplayName: 'Smit', ImportKey: 'VEEN-1' },
        { DisplayName: '100%' },
        ...Array.from({ length: 600 }, () => ({ DisplayName: '' })),
      ]),
    );

    it('is offered by its names and keys, each once, in any case', () => {
      assert.deepEqual(begun('VEE'), ['Veen', 'veenstra', 'VEEN-1']);
      assert.deepEqual(begun('100%'), ['100%']);
      assert.deepEqual(begun('%'), []);
      assert.deepEqual(begun('', 2), ['100%', 'Smit']);
    });

    it('is offered with what tells it from others', () => {
      const [hit] = namesStartingWith(database, 'relation', { text: 'v-8', most: 5 });
      assert.deepEqual([hit?.name, hit?.about], ['v-8', 'Veen, v-8']);
    });

    it('is none of a kind without tables', () => {
      assert.deepEqual(namesStartingWith(database, 'relationship', { text: '', most: 5 }), []);
    });
  });
});
