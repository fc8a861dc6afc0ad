import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { operations, records } from '../../../src/contract/service.js';
import { PvActivityData } from '../../../src/contract/records/activity.js';
import { PvRelationshipData, PvRelationData } from '../../../src/contract/records/relation.js';
import { known } from '../../../src/sandbox/dataset/known.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { findById } from '../../../src/sandbox/store/records.js';
import type { Store } from '../../../src/sandbox/store/open.js';
import { rowReader } from '../../../src/sandbox/store/rows.js';
import { storage, tableFor } from '../../../src/sandbox/store/schema.js';
import { encodeFields } from '../../../src/soap/codec/encode.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

/** Every row of every table, as one digest. */
function dump(store: Store): string {
  const hash = createHash('sha256');
  const tables = store.statement("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  for (const [name] of tables)
    hash.update(JSON.stringify([name, store.statement(`SELECT * FROM "${String(name)}"`).all()]));
  return hash.digest('hex');
}

async function dumpOf(relations: number, seed: number): Promise<string> {
  const sandbox = await temporarySandbox(relations, seed);
  const digest = dump(sandbox.store);
  sandbox.close();
  return digest;
}

/** Columns that hold an Id, and the table where it must be found. */
const references: readonly (readonly [table: string, column: string, target: string])[] = [
  ['PvRelationData', 'EntityTypeId', 'EntityType'],
  ['PvRelationData_FieldValues_Items', 'Id', 'PvFieldData'],
  ['PvTelephoneNumberData', 'RelationId', 'PvRelationData'],
  ['PvRelationshipData', 'EntityTypeId', 'EntityType'],
  ['PvRelationshipData', 'ParentRelationId', 'PvRelationData'],
  ['PvRelationshipData', 'ChildRelationId', 'PvRelationData'],
  ['PvRelationshipData', 'TittleId', 'Title'],
  ['PvRelationshipData', 'AccountManagerId', 'User'],
  ['PvRelationshipData', 'AuditData_CreatedByUser', 'User'],
  ['PvRelationshipData_FieldValues_Items', 'Id', 'PvFieldData'],
  ['PvLineData', 'RelationshipId', 'PvRelationshipData'],
  ['PvLineData_FieldValues_Items', 'Id', 'PvFieldData'],
  ['PvActivityData', 'EntityTypeId', 'EntityType'],
  ['PvActivityData', 'Settings_WorkflowId', 'Workflow'],
  ['PvActivityData', 'Settings_WorkflowStepId', 'PvWorkflowStepData'],
  ['PvActivityData', 'Settings_ParentRelationshipId', 'PvRelationshipData'],
  ['PvActivityData', 'Settings_ChildRelationshipId', 'PvRelationshipData'],
  ['PvActivityData', 'FollowUp_OwnerUserId', 'User'],
  ['PvActivityData', 'FollowUp_PlacedInQueueId', 'Queue'],
  ['PvActivityData_FieldValues_Items', 'Id', 'PvFieldData'],
  ['ActivityConnection', 'ConnectedId', 'PvActivityData'],
  ['PvInvolvedData', 'ActivityId', 'PvActivityData'],
  ['PvInvolvedData', 'RelationshipId', 'PvRelationshipData'],
  ['ProductLineData', 'ActivityId', 'PvActivityData'],
  ['ProductLineData', 'ProductId', 'PvProductData_V2'],
  ['ProductLineData', 'VatId', 'Vat'],
  ['Attachment', 'ActivityId', 'PvActivityData'],
  ['PvNotificationData', 'ActivityId', 'PvActivityData'],
  ['PvNotificationData', 'UserId', 'User'],
  ['PvRelationshipMarkData', 'RelationshipId', 'PvRelationshipData'],
  ['PvRelationshipMarkData', 'MarkId', 'PvMarkData'],
  ['PvLabelItemData', 'FieldId', 'PvFieldData'],
  ['PvProductData_V2', 'ProductGroupId', 'ProductGroup'],
  ['PvProductData_V2', 'SalesVatId', 'Vat'],
  ['PvDatastoreItemDataWithParent_V2', 'EntityTypeId', 'EntityType'],
  ['PvDatastoreItemDataWithParent_V2', 'ParentId', 'PvDatastoreItemDataWithParent_V2'],
  ['PvFieldData', 'EntityTypeId', 'EntityType'],
  ['PvWorkflowStepData', 'WorkflowId', 'Workflow'],
];

describe('The data set', () => {
  let sandbox: Sandbox;
  let store: Store;
  before(async () => {
    sandbox = await temporarySandbox();
    store = sandbox.store;
  });
  after(() => sandbox.close());
  const number = (sql: string): number => Number(store.statement(sql).first()?.[0]);
  const texts = (sql: string): readonly string[] =>
    store
      .statement(sql)
      .all()
      .map(([text]) => String(text));

  it('is the same to the byte for the same parameters, and another for others', async () => {
    const [one, again, otherSeed, otherSize] = [
      await dumpOf(40, 7),
      await dumpOf(40, 7),
      await dumpOf(40, 8),
      await dumpOf(41, 7),
    ];
    assert.equal(one, again);
    assert.equal(new Set([one, otherSeed, otherSize]).size, 3);
  });

  it('has rows in every table of records, so that every operation has something to give', () => {
    for (const [name, kept] of Object.entries(storage)) {
      if (kept.as === 'table') assert.ok(number(`SELECT count(*) FROM "${name}"`) > 0, name);
    }
    assert.equal(Object.keys(operations).length, 33);
    assert.ok(Object.keys(records).length > 30);
  });

  it('has as many relations as asked for', () => assert.equal(number('SELECT count(*) FROM "PvRelationData"'), 250));

  for (const [table, column, target] of references) {
    it(`points with ${table}.${column} at a row of ${target}`, () => {
      const lost = store
        .statement(
          `SELECT count(*) FROM "${table}" WHERE "${column}" IS NOT NULL
           AND "${column}" <> '00000000-0000-0000-0000-000000000000' AND "${column}" NOT IN (SELECT "Id" FROM "${target}")`,
        )
        .first();
      assert.deepEqual(lost, [0]);
      assert.ok(number(`SELECT count(*) FROM "${table}" WHERE "${column}" IS NOT NULL`) > 0);
    });
  }

  it('has the odd values that real data has', () => {
    const names = texts('SELECT "DisplayName" FROM "PvRelationData"').join('\n');
    const infos = texts('SELECT "Info" FROM "PvRelationData" WHERE "Info" IS NOT NULL');
    for (const odd of ['=1+1', '& <Zonen> "', "'Leeuw'", 'مريم', '\u{1F35E}', '日本', 'Ğ', '  Ruimte', 'Zoe\u0308']) {
      assert.ok(names.includes(odd), odd);
    }
    assert.ok(infos.some((text) => text.includes('\u001f')));
    assert.ok(infos.some((text) => /\r\n.*\n.*\t.*\r$/s.test(text)));
    assert.ok(infos.some((text) => text.length > 30_000));
    assert.ok(infos.includes(''));
    assert.ok(number('SELECT count(*) FROM "PvRelationData" WHERE "Info" IS NULL') > 0);
    assert.ok(number(`SELECT count(*) FROM "PvRelationData" WHERE "ImportKey" = '007'`) > 0);
    assert.ok(number(`SELECT count(*) FROM "PvProductData_V2" WHERE "SalesPrice" = '12.50'`) > 0);
    assert.ok(number(`SELECT count(*) FROM "PvProductData_V2" WHERE "PurchasePrice" = '1234567.891234'`) > 0);
  });

  it('can be said on the wire, every record of it', () => {
    for (const [name, record] of Object.entries(records)) {
      if (storage[name]?.as !== 'table') continue;
      const reader = rowReader(tableFor(name));
      for (const row of store.statement(`SELECT ${reader.columns} FROM "${name}"`).all()) {
        assert.match(
          encodeFields(record.fields, reader.read(row, store).record, { direction: 'response', of: name }),
          /^<Id>/,
        );
      }
    }
  });

  it('has every form of dateTime', () => {
    const moments = texts('SELECT "AuditData_ModifiedAt" FROM "PvActivityData"');
    const all = [...moments, ...texts('SELECT "FollowUp_End" FROM "PvActivityData" WHERE "FollowUp_End" IS NOT NULL')];
    for (const form of [/T[\d:]{8}$/, /Z$/, /\+0[12]:00$/, /\.\d{7}$/, /^0001-01-01T00:00:00$/, /^9999-12-31/]) {
      assert.ok(
        all.some((text) => form.test(text)),
        String(form),
      );
    }
  });

  it('totals every product line exactly', () => {
    const lines = store.statement('SELECT "Quantity", "Amount", "TotalAmount" FROM "ProductLineData"').all();
    for (const [quantity, amount, total] of lines) {
      const cents = (text: unknown): bigint => BigInt(String(text).replace('.', ''));
      assert.equal((cents(quantity) / 1000n) * cents(amount), cents(total));
    }
  });
});

describe('The known ids', () => {
  for (const [relations, seed] of [
    [3, 1],
    [250, 1],
    [1000, 42],
  ] as const) {
    it(`keep their promises with ${relations} relations and seed ${seed}`, async () => {
      const sandbox = await temporarySandbox(relations, seed);
      const { store } = sandbox;
      const count = (table: string, column: string, value: string): number =>
        Number(store.statement(`SELECT count(*) FROM "${table}" WHERE "${column}" = ?`).first(value)?.[0]);
      const first = findById(store, PvRelationData, known.firstRelationId);
      assert.deepEqual([first?.seq, first?.record.IsRoot], [1, true]);
      assert.equal(findById(store, PvRelationData, known.personId)?.record.EntityTypeId, known.personEntityTypeId);
      assert.equal(
        findById(store, PvRelationData, known.organisationId)?.record.EntityTypeId,
        known.organisationEntityTypeId,
      );
      const bond = findById(store, PvRelationshipData, known.relationshipId)?.record;
      assert.deepEqual([bond?.ParentRelationId, bond?.ChildRelationId], [known.organisationId, known.personId]);
      const settings = findById(store, PvActivityData, known.activityId)?.record.Settings;
      assert.deepEqual(
        [settings?.WorkflowId, settings?.ParentRelationshipId],
        [known.workflowId, known.relationshipId],
      );
      for (const table of ['PvInvolvedData', 'ProductLineData', 'Attachment', 'ActivityConnection']) {
        assert.ok(count(table, 'ActivityId', known.activityId) > 0, table);
      }
      assert.ok(count('PvLabelItemData', 'RecordId', known.activityId) > 0);
      assert.ok(count('PvLabelItemData', 'RecordId', known.relationshipId) > 0);
      assert.ok(count('PvRelationshipMarkData', 'RelationshipId', known.relationshipId) > 0);
      assert.ok(count('PvTelephoneNumberData', 'RelationId', known.personId) > 0);
      assert.equal(count('Attachment', 'Id', known.attachmentId), 1);
      assert.ok(count('PvActivityData', 'EntityTypeId', known.activityEntityTypeId) > 0);
      assert.ok(count('PvFieldData', 'EntityTypeId', known.activityEntityTypeId) > 0);
      assert.ok(count('PvWorkflowStepData', 'WorkflowId', known.workflowId) > 0);
      assert.ok(count('PvDatastoreItemDataWithParent_V2', 'EntityTypeId', known.childDatastoreEntityTypeId) > 0);
      assert.equal(count('PvProductData_V2', 'Id', known.productId), 1);
      const places = store
        .statement('SELECT DISTINCT "ActivityLocation" FROM "PvNotificationData" WHERE "UserId" = ? ORDER BY 1')
        .all(known.userId);
      assert.deepEqual(places.flat(), ['Closed', 'Queue', 'Todo']);
      assert.equal(count('PvNotificationData', 'UserId', known.quietUserId), 0);
      sandbox.close();
    });
  }
});
