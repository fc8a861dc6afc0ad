import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { findNamed, mostHits, patternOf } from '../../../src/mirror/names/find.js';
import { nameIndexes } from '../../../src/mirror/names/indexes.js';
import { openDatabase, type Database } from '../../../src/sqlite/open.js';

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
  const placesOf = (text: string, isCaseless: boolean): readonly number[] =>
    findNamed(database, 'relation', { text, isCaseless })
      .map(({ id }) => Number(id.slice(-12)))
      .sort((a, b) => a - b);

  it('is found by its name and its import key, once, unless it is gone', () => {
    fill([
      { DisplayName: 'Veen', ImportKey: 'Veen' },
      { DisplayName: 'Smit', ImportKey: 'Veen' },
      { DisplayName: 'Veen', isGone: true },
      { DisplayName: 'Veen BV' },
      { DisplayName: null },
    ]);
    assert.deepEqual(placesOf('Veen', false), [0, 1]);
    assert.deepEqual(placesOf('veen', false), []);
    assert.deepEqual(placesOf('veen', true), [0, 1]);
    assert.deepEqual(placesOf('', true), []);
  });

  it('is the one to the letter before those in another case', () => {
    fill([{ DisplayName: 'veen' }, { DisplayName: 'Veen' }, { DisplayName: 'VEEN' }]);
    assert.deepEqual(placesOf('Veen', true), [1]);
    assert.deepEqual(placesOf('vEEN', true), [0, 1, 2]);
  });

  it('is found in any form of its characters', () => {
    fill([{ DisplayName: 'Jo\u00eblle' }, { DisplayName: 'Joe\u0308lle' }, { DisplayName: 'Joelle' }]);
    for (const text of ['Jo\u00eblle', 'Joe\u0308lle']) assert.deepEqual(placesOf(text, false), [0, 1]);
    for (const text of ['JO\u00cbLLE', 'joE\u0308lle']) assert.deepEqual(placesOf(text, true), [0, 1]);
    assert.deepEqual(placesOf('Joelle', false), [2]);
    // The sign of Kelvin is a K by Unicode.
    fill([{ DisplayName: 'Ba\u212aer' }, { DisplayName: 'BaKer' }]);
    assert.deepEqual(placesOf('BaKer', false), [0, 1]);
    assert.deepEqual(placesOf('Ba\u212aer', false), [0, 1]);
    assert.deepEqual(placesOf('baker', true), [0, 1]);
  });

  it('is what a look at each row finds, whatever the texts', () => {
    const letter = fc.constantFrom(
      ...['a', 'A', 'e', 'E', 'k', 'K', '%', '_', '\\', ';', '*', '[', ']', '?'],
      'e\u0301',
      '\u00c9',
      '\u00e9',
      '\u0301',
      '\u212a',
      '\u0130',
      'i',
      '\u0307',
      '\u01c6',
      '\u{1f600}',
      '\u03a3',
      '\u03c2',
    );
    const text = fc.array(letter, { maxLength: 4 }).map((letters) => letters.join(''));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), text, (names, wanted) => {
        fill(names.map((DisplayName) => ({ DisplayName })));
        const nfc = (each: string): string => each.normalize('NFC');
        const places = (isSame: (name: string) => boolean): readonly number[] =>
          names.flatMap((name, place) => (isSame(name) ? [place] : []));
        const exact = places((name) => nfc(name) === nfc(wanted));
        assert.deepEqual(placesOf(wanted, false), exact);
        const anyCase = places((name) => nfc(name).toLowerCase() === nfc(wanted).toLowerCase());
        assert.deepEqual(placesOf(wanted, true), exact.length > 0 ? exact : anyCase);
      }),
      { numRuns: 300 },
    );
  });

  it('is one of many at most', () => {
    fill(Array.from({ length: 300 }, () => ({ DisplayName: '\u00c9\u00e9n' })));
    assert.equal(placesOf('\u00c9\u00e9n', false).length, mostHits + 1);
    fill(Array.from({ length: 300 }, () => ({ DisplayName: 'Een' })));
    assert.equal(placesOf('Een', false).length, mostHits + 1);
  });

  it('is none where its Id is no GUID, which is an error', () => {
    fill([{ DisplayName: 'Veen' }, { DisplayName: 'Veen' }, { DisplayName: 'Smit' }]);
    database.execute(`UPDATE all_relations SET "Id" = '--set', 'insecureTls=yes' WHERE _seq = 1`);
    assert.throws(() => placesOf('Veen', false), {
      kind: 'local',
      message: /Id in relations that is no GUID, '--set', 'insecureTls=yes'/,
    });
    assert.deepEqual(placesOf('Smit', false), [2]);
  });

  it('is looked for by an index', () => {
    for (const where of [
      '"DisplayName" = ?1 COLLATE NOCASE',
      '"DisplayName" = ?1 AND "DisplayName" = ?1 COLLATE NOCASE',
      `"DisplayName" GLOB '*[^ -~]*' AND "DisplayName" LIKE ?1 ESCAPE '\\'`,
    ]) {
      const plan = database
        .statement(`EXPLAIN QUERY PLAN SELECT "Id" FROM all_relations WHERE _gone_at IS NULL AND ${where}`)
        .all('x');
      assert.match(plan.flat().join(' '), /USING INDEX names_relations_DisplayName/, where);
    }
  });

  it('is filtered by a pattern that keeps what can be written in one way', () => {
    assert.equal(patternOf('Jo\u00eblle 5%'), 'J%lle 5\\%');
    assert.equal(patternOf('Bakker'), 'Ba%er');
  });
});
