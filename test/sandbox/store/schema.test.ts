import assert from 'node:assert/strict';
import type { RecordType } from '../../../src/contract/build.js';
import { records } from '../../../src/contract/service.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { createTables, storage, tableFor } from '../../../src/sandbox/store/schema.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

/** Places of all scalars of a record that are kept in its own row, as `Settings_WorkflowId`. */
function scalarPlaces(record: RecordType, path: readonly string[] = []): readonly string[] {
  return Object.entries(record.fields).flatMap(([name, { type }]) => {
    if (type.kind === 'list') return [];
    if (type.kind !== 'record') return [[...path, name].join('_')];
    return storage[type.name]?.as === 'part' ? scalarPlaces(type, [...path, name]) : [];
  });
}

describe('The schema of the sandbox', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await temporarySandbox(3);
  });
  after(() => sandbox.close());
  const columns = (table: string): readonly string[] =>
    sandbox.store
      .statement(`SELECT name FROM pragma_table_info('${table}') ORDER BY cid`)
      .all()
      .map(([name]) => String(name));

  it('says how every record of the contract is kept, and of no other', () => {
    assert.deepEqual(Object.keys(storage).sort(), Object.keys(records).sort());
  });

  for (const record of Object.values(records)) {
    const kept = storage[record.name];
    if (kept?.as === 'table') {
      it(`has a column for each scalar of ${record.name}, in the order of the contract`, () => {
        const places = scalarPlaces(record);
        assert.deepEqual(columns(record.name).slice(0, places.length + 1), ['seq', ...places]);
      });
    }
    if (kept?.as === 'view') {
      it(`keeps each member of ${record.name} in ${kept.of}`, () => {
        const there = new Set(columns(kept.of));
        const missing = scalarPlaces(record).filter((place) => !there.has(place));
        assert.deepEqual(missing, kept.differs ?? []);
      });
    }
  }

  it('requires what the contract requires, and takes no value outside an enumeration', () => {
    const { store } = sandbox;
    const sql = 'UPDATE "PvRelationshipData" SET';
    assert.throws(() => store.execute('UPDATE "PvMarkData" SET "Id" = NULL'), {
      facts: { path: sandbox.file, foreignCode: 'SQLITE_CONSTRAINT_NOTNULL' },
    });
    // Rows in outline lack it, whole ones may not.
    assert.throws(() => store.execute(`${sql} "ParentRelationId" = NULL`), {
      facts: { path: sandbox.file, foreignCode: 'SQLITE_CONSTRAINT_CHECK' },
    });
    assert.throws(() => store.execute(`${sql} "AddresStyle" = 'Chummy'`), {
      facts: { path: sandbox.file, foreignCode: 'SQLITE_CONSTRAINT_CHECK' },
    });
  });

  it('has no table for what is worked out', () => {
    assert.throws(() => tableFor('PvCounterData'), { kind: 'bug', message: 'The record PvCounterData has no table.' });
    assert.doesNotMatch(createTables(), /CREATE TABLE "PvCounterData/);
  });
});
