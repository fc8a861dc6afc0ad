import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refersToMirrored, openNameColumns, tablesOfMember } from '../../src/mirror/names.js';
import { openDatabase, type Database } from '../../src/state/sqlite/open.js';

const veen = '00000000-0000-4000-8000-00000000000a';

describe('The name of a record that is referred to', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-names-'));
  let database: Database;

  before(() => {
    database = openDatabase({ file: join(folder, 'mirror.db'), what: 'The mirror' });
    database.execute(`
      CREATE TABLE all_relations (_seq INTEGER PRIMARY KEY, "Id" TEXT, "DisplayName" TEXT, _gone_at TEXT);
      INSERT INTO all_relations VALUES (1, '${veen}', 'Veen as it was', '2026-01-01T00:00:00Z'), (2, '${veen}', 'Veen', NULL);
      INSERT INTO all_relations VALUES (3, '00000000-0000-4000-8000-00000000000B', 'Gone', '2026-01-01T00:00:00Z');
      INSERT INTO all_relations VALUES (4, '00000000-0000-4000-8000-00000000000c', '', NULL);
      CREATE TABLE all_relation_activities (_seq INTEGER PRIMARY KEY, "Id" TEXT, "Number" TEXT, "Info" TEXT, _gone_at TEXT);
      INSERT INTO all_relation_activities VALUES (1, 'a', '0042', '', NULL), (2, 'b', '0043', 'Call back', NULL);
    `);
  });
  after(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  it('is that of the record that is there, else of the one that is gone', () => {
    const names = openNameColumns(database);
    assert.equal(names(veen, 'ParentRelationId'), 'Veen');
    assert.equal(names(veen.toUpperCase(), '_relationId'), 'Veen');
    assert.equal(names('00000000-0000-4000-8000-00000000000b', 'relationId'), 'Gone');
    assert.equal(names('00000000-0000-4000-8000-00000000000c', 'relationId'), undefined);
    assert.equal(names('00000000-0000-4000-8000-00000000000d', 'relationId'), undefined);
  });

  it('is looked for among the records that the member refers to', () => {
    const names = openNameColumns(database);
    assert.equal(names(veen, 'ActivityId'), undefined);
    assert.equal(names('a', 'ActivityId'), '0042');
    assert.equal(names('b', 'ActivityId'), 'Call back');
    assert.equal(names(veen, 'EntityTypeId'), undefined);
    assert.deepEqual(['ActivityId', 'RelationshipId', 'WorkflowId'].map(refersToMirrored), [true, true, false]);
    assert.deepEqual(tablesOfMember('Settings.ChildRelationshipId'), ['relationships']);
  });
});
