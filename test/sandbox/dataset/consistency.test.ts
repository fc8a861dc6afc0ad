import assert from 'node:assert/strict';
import { PvFieldData } from '../../../src/contract/records/shared.js';
import { known } from '../../../src/sandbox/dataset/known.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { readWhere } from '../../../src/sandbox/store/records.js';
import { instantKey } from '../../../src/core/text/time/datetime.js';
import type { Row } from '../../../src/state/sqlite/open.js';
import { typeComplaint, type FieldDescription } from '../../../src/soap/codec/field-rules.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

const empty = '00000000-0000-0000-0000-000000000000';
const step = `(SELECT s."Type" FROM "PvWorkflowStepData" s WHERE s."Id" = a."Settings_WorkflowStepId")`;
const place =
  `CASE WHEN a."ActivityAuditData_ClosedAt" IS NOT NULL THEN 'Closed' ` +
  `WHEN a."FollowUp_PlacedInQueueId" IS NOT NULL THEN 'Queue' ELSE 'Todo' END`;

/** What must never be found in the data set: rows that contradict each other, or themselves. */
const contradictions: Readonly<Record<string, string>> = {
  'an activity in its end step that was not closed, or the other way round': `SELECT a."Id" FROM "PvActivityData" a
    WHERE (${step} = 'EndStep') <> (a."ActivityAuditData_ClosedAt" IS NOT NULL)
    OR (a."ActivityAuditData_ClosedAt" IS NULL) <> (a."ActivityAuditData_ClosedByUser" IS NULL)`,
  'an activity in a queue step that is in no queue, or the other way round': `SELECT a."Id" FROM "PvActivityData" a
    WHERE (${step} = 'QueueStep') <> (a."FollowUp_PlacedInQueueId" IS NOT NULL)`,
  'an activity with neither owner nor queue': `SELECT a."Id" FROM "PvActivityData" a
    WHERE a."FollowUp_PlacedInQueueId" IS NULL AND a."FollowUp_OwnerUserId" IS NULL`,
  'a step, a queue or an entity type of another workflow': `SELECT a."Id" FROM "PvActivityData" a
    JOIN "Workflow" w ON w.Id = a."Settings_WorkflowId" WHERE w.EntityTypeId <> a."EntityTypeId"
    OR w.Id <> (SELECT s."WorkflowId" FROM "PvWorkflowStepData" s WHERE s."Id" = a."Settings_WorkflowStepId")
    OR w.Id <> coalesce((SELECT q.WorkflowId FROM "Queue" q WHERE q.Id = a."FollowUp_PlacedInQueueId"), w.Id)`,
  'an activity whose two relationships are one': `SELECT "Id" FROM "PvActivityData"
    WHERE "Settings_ParentRelationshipId" = "Settings_ChildRelationshipId"`,
  'a notification that stands elsewhere than its activity': `SELECT n."Id" FROM "PvNotificationData" n
    JOIN "PvActivityData" a ON a."Id" = n."ActivityId" WHERE n."ActivityLocation" <> ${place}`,
  'a notification of somebody else than the owner': `SELECT n."Id" FROM "PvNotificationData" n
    JOIN "PvActivityData" a ON a."Id" = n."ActivityId" WHERE n."UserId" <> coalesce(a."FollowUp_OwnerUserId", n."UserId")`,
  'two notifications of one activity': `SELECT "ActivityId" FROM "PvNotificationData" GROUP BY 1 HAVING count(*) > 1`,
  'a connection that goes one way, or to itself': `SELECT c.ActivityId FROM "ActivityConnection" c
    WHERE c.ActivityId = c.ConnectedId OR NOT EXISTS
    (SELECT 1 FROM "ActivityConnection" b WHERE b.ActivityId = c.ConnectedId AND b.ConnectedId = c.ActivityId)`,
  'an involved of another entity type than its relationship': `SELECT i."Id" FROM "PvInvolvedData" i
    JOIN "PvRelationshipData" r ON r."Id" = i."RelationshipId" WHERE r."EntityTypeId" <> i."EntityTypeId"`,
  'a period on a line of something else than a subscription': `SELECT l."Id" FROM "ProductLineData" l
    JOIN "PvActivityData" a ON a."Id" = l."ActivityId"
    WHERE l."Period" <> 0 AND a."Settings_WorkflowId" <> '${known.subscriptionWorkflowId}'`,
  'a label whose type is not that of its record': `SELECT l."Id" FROM "PvLabelItemData" l WHERE l."RecordId" NOT IN (
    SELECT "Id" FROM "PvActivityData" WHERE l."Type" IN ('Activity', 'ActivityField') UNION ALL
    SELECT "Id" FROM "Attachment" WHERE l."Type" = 'Attachment' UNION ALL
    SELECT "Id" FROM "PvRelationData" WHERE l."Type" IN ('Relation', 'RelationField') UNION ALL
    SELECT "Id" FROM "PvRelationshipData" WHERE l."Type" IN ('Relationship', 'RelationshipField'))`,
  'a label of a field that holds no labels, or that its record does not have': `SELECT l."Id" FROM "PvLabelItemData" l
    JOIN "PvFieldData" f ON f."Id" = l."FieldId" WHERE f."Type" <> 'Label' OR f."EntityTypeId" NOT IN (
    SELECT "EntityTypeId" FROM "PvActivityData" WHERE "Id" = l."RecordId" UNION ALL
    SELECT a."EntityTypeId" FROM "Attachment" t JOIN "PvActivityData" a ON a."Id" = t."ActivityId" WHERE t."Id" = l."RecordId" UNION ALL
    SELECT "EntityTypeId" FROM "PvRelationshipData" WHERE l."RecordId" IN ("Id", "ChildRelationId"))`,
  'a relationship with other flags than its relation has': `SELECT s."Id" FROM "PvRelationshipData" s
    JOIN "PvRelationData" r ON r."Id" = s."ChildRelationId"
    WHERE s."IsOrganisation" <> (r."EntityTypeId" = '${known.organisationEntityTypeId}')
    OR s."IsEmployee" + s."IsContact" + s."IsOrganisation" <> 1 OR s."DisplayName" <> r."DisplayName"
    OR (s."IsEmployee" = 1) <> (s."EntityTypeId" <> '${known.relationshipEntityTypeId}')`,
  'a relationship of a relation with itself, but for the root': `SELECT s."Id" FROM "PvRelationshipData" s
    WHERE s."ChildRelationId" = s."ParentRelationId" AND s."ChildRelationId" <> '${known.firstRelationId}'`,
  'a mark that describes another relationship': `SELECT m."Id" FROM "PvRelationshipMarkData" m
    JOIN "PvRelationshipData" s ON s."Id" = m."RelationshipId" WHERE s."Description" <> m."RelationshipDescription"`,
  'another root than the first relation': `SELECT "Id" FROM "PvRelationData" WHERE "IsRoot" <> ("Id" = '${known.firstRelationId}')`,
  'a line whose datastore is none': `SELECT l."Id" FROM "PvLineData" l WHERE l."DatastoreId" NOT IN
    (SELECT Id FROM "EntityType" WHERE Kind = 'Datastore')`,
  'two defaults of one datastore': `SELECT "EntityTypeId" FROM "PvDatastoreItemDataWithParent_V2"
    WHERE "IsDefault" = 1 GROUP BY 1 HAVING count(*) > 1`,
  'a default that is inactive': `SELECT "Id" FROM "PvDatastoreItemDataWithParent_V2" WHERE "IsDefault" = 1 AND "IsInactive" = 1`,
};

/** Columns with the place of another record, beside those with its Id: table, place, Id, table of the other. */
const places: readonly (readonly [string, string, string, string])[] = [
  ['PvRelationshipData', 'ParentSeq', 'ParentRelationId', 'PvRelationData'],
  ['PvRelationshipData', 'ChildSeq', 'ChildRelationId', 'PvRelationData'],
  ['PvTelephoneNumberData', 'RelationSeq', 'RelationId', 'PvRelationData'],
  ['PvActivityData', 'ParentSeq', 'Settings_ParentRelationshipId', 'PvRelationshipData'],
  ['PvActivityData', 'ChildSeq', 'Settings_ChildRelationshipId', 'PvRelationshipData'],
  ['PvActivityData', 'EntityTypeSeq', 'EntityTypeId', 'EntityType'],
  ['PvActivityData', 'WorkflowSeq', 'Settings_WorkflowId', 'Workflow'],
  ['PvLineData', 'RelationshipSeq', 'RelationshipId', 'PvRelationshipData'],
  ['PvRelationshipMarkData', 'RelationshipSeq', 'RelationshipId', 'PvRelationshipData'],
  ['PvInvolvedData', 'ActivitySeq', 'ActivityId', 'PvActivityData'],
  ['ProductLineData', 'ActivitySeq', 'ActivityId', 'PvActivityData'],
  ['Attachment', 'ActivitySeq', 'ActivityId', 'PvActivityData'],
  ['PvNotificationData', 'ActivitySeq', 'ActivityId', 'PvActivityData'],
  ['ActivityConnection', 'ActivitySeq', 'ActivityId', 'PvActivityData'],
  ['ActivityConnection', 'ConnectedSeq', 'ConnectedId', 'PvActivityData'],
];

/** Pairs of moments that follow each other: the earlier, the later. */
const orders: Readonly<Record<string, string>> = {
  'a change of an activity': `SELECT "AuditData_CreatedAt", "AuditData_ModifiedAt" FROM "PvActivityData"`,
  'a change of a relationship': `SELECT "AuditData_CreatedAt", "AuditData_ModifiedAt" FROM "PvRelationshipData"`,
  'the closing of an activity': `SELECT "AuditData_CreatedAt", "ActivityAuditData_ClosedAt" FROM "PvActivityData"`,
  'the change that closed it': `SELECT "ActivityAuditData_ClosedAt", "AuditData_ModifiedAt" FROM "PvActivityData"`,
  'the end of a follow-up': `SELECT "FollowUp_Start", "FollowUp_End" FROM "PvActivityData"`,
  'a change of a file': `SELECT "CreationDate", "ModificationDate" FROM "Attachment"`,
  'a file of an activity': `SELECT a."AuditData_CreatedAt", t."CreationDate" FROM "Attachment" t
    JOIN "PvActivityData" a ON a."Id" = t."ActivityId"`,
  'the change of an activity by a file': `SELECT t."ModificationDate", a."AuditData_ModifiedAt" FROM "Attachment" t
    JOIN "PvActivityData" a ON a."Id" = t."ActivityId" WHERE t."ModificationDate" <> a."AuditData_CreatedAt"`,
  'a mark': `SELECT s."AuditData_CreatedAt", m."Date" FROM "PvRelationshipMarkData" m
    JOIN "PvRelationshipData" s ON s."Id" = m."RelationshipId"`,
};

const unset = '0001-01-01T00:00:00';

const isBackwards = ([earlier, later]: Row): boolean => {
  if (earlier === null || later === null || later === unset) return false;
  return (instantKey(String(earlier)) ?? '') > (instantKey(String(later)) ?? '');
};

describe('The data set as a whole', () => {
  for (const [relations, seed] of [
    [250, 1],
    [3, 1],
    [77, 9],
  ] as const) {
    describe(`of ${relations} relations by seed ${seed}`, () => {
      let sandbox: Sandbox;
      before(async () => {
        sandbox = await temporarySandbox(relations, seed);
      });
      after(() => sandbox.close());

      for (const [what, sql] of Object.entries(contradictions)) {
        it(`has never ${what}`, () => assert.deepEqual(sandbox.store.statement(sql).all().slice(0, 3), []));
      }

      for (const [what, sql] of Object.entries(orders)) {
        it(`has ${what} behind what it follows`, () => {
          assert.deepEqual(sandbox.store.statement(sql).all().filter(isBackwards).slice(0, 3), []);
        });
      }

      for (const [table, place, id, other] of places) {
        it(`has the place of what ${id} of ${table} names`, () => {
          const sql = `SELECT c."${id}" FROM "${table}" c LEFT JOIN "${other}" o ON o.Id = c."${id}" WHERE c."${place}" IS NOT o.seq`;
          assert.deepEqual(sandbox.store.statement(sql).all(), []);
        });
      }

      it('says that somebody changed what was changed, and nobody what was not', () => {
        for (const table of ['PvActivityData', 'PvRelationshipData']) {
          const sql = `SELECT "Id" FROM "${table}" WHERE "AuditData_ModifiedAt" = ? AND "AuditData_ModifiedByUser" <> ?`;
          assert.deepEqual(sandbox.store.statement(sql).all(unset, empty), []);
        }
      });

      it('has field values that their own descriptions allow, of fields that their records have', () => {
        const fields = new Map<string, FieldDescription>(
          readWhere(sandbox.store, PvFieldData, { where: 'TRUE' }).map(({ record }) => [String(record.Id), record]),
        );
        for (const table of ['PvRelationData', 'PvRelationshipData', 'PvActivityData', 'PvLineData']) {
          const sql = `SELECT v."Id", v."Value", f."EntityTypeId" = o."EntityTypeId" FROM "${table}_FieldValues_Items" v
            JOIN "${table}" o ON o.seq = v.owner JOIN "PvFieldData" f ON f."Id" = v."Id"`;
          for (const [id, value, isOwn] of sandbox.store.statement(sql).all()) {
            const field = fields.get(String(id)) ?? {};
            assert.equal(isOwn, 1, String(id));
            assert.equal(typeComplaint(field, String(value)), undefined, `${String(field.Name)}: ${String(value)}`);
            assert.notEqual(field.Type, 'Label');
            assert.ok(field.IsRequired !== true || value !== '' || field.Name === 'Name' || field.Name === 'LastName');
          }
        }
      });
    });
  }
});
