import assert from 'node:assert/strict';
import { nameIndexes } from '../../../src/mirror/names/indexes.js';
import { namesBegun } from '../../../src/mirror/names/begin.js';
import { openDatabase } from '../../../src/sqlite/open.js';

describe('Names that begin with a text', () => {
  const database = openDatabase({ file: '', what: 'The mirror' });
  after(() => database.close());

  before(() => {
    database.execute(`CREATE TABLE all_relations (_seq INTEGER PRIMARY KEY, "Id" TEXT, "DisplayName" TEXT, "ImportKey" TEXT,
      "SortingName" TEXT, _gone_at TEXT);
      INSERT INTO all_relations ("Id", "DisplayName", "ImportKey", "_gone_at") VALUES
      ('1', 'Veen', 'v-7', NULL), ('2', 'veenstra', NULL, NULL), ('3', 'Veen', 'v-8', NULL), ('4', 'Veengone', NULL, 'then'),
      ('5', 'Smit', 'VEEN-1', NULL), (NULL, 'Veenless', NULL, NULL), ('6', '100%', NULL, NULL)`);
    for (const sql of nameIndexes('relations')) database.execute(sql);
  });
  const names = (text: string, most = 50): readonly string[] =>
    namesBegun(database, 'relation', { text, most }).map(({ name }) => name);

  it('are names and keys of what is there, each once, in any case', () => {
    assert.deepEqual(names('VEE'), ['Veen', 'veenstra', 'VEEN-1']);
    assert.deepEqual(names('100%'), ['100%']);
    assert.deepEqual(names('%'), []);
    assert.equal(names('', 3).length, 3);
  });

  it('are found behind any number of empty ones', () => {
    database.execute(`WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 600)
      INSERT INTO all_relations ("Id", "DisplayName") SELECT 'empty-' || n, '' FROM many`);
    assert.deepEqual(names('', 2), ['100%', 'Smit']);
  });

  it('say what tells the record apart', () => {
    const found = namesBegun(database, 'relation', { text: 'v-8', most: 5 });
    assert.deepEqual(found, [{ name: 'v-8', about: 'Veen' }]);
  });

  it('are found by the index', () => {
    const plan = database
      .statement(
        `EXPLAIN QUERY PLAN SELECT * FROM all_relations WHERE "DisplayName" COLLATE NOCASE >= 'a' AND "DisplayName" COLLATE NOCASE < 'b' ORDER BY "DisplayName" COLLATE NOCASE LIMIT 5`,
      )
      .all();
    assert.match(JSON.stringify(plan), /names_relations_DisplayName/);
  });

  it('are none of a kind without tables', () => {
    assert.deepEqual(namesBegun(database, 'activity', { text: '', most: 5 }), []);
  });
});
