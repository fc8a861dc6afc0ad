import assert from 'node:assert/strict';
import type { EnumerationType, Type } from '../../../src/contract/build.js';
import { ComboboxValues, FieldControl, FieldType, TabPageType, UnitType } from '../../../src/contract/enumerations.js';
import { records } from '../../../src/contract/service.js';
import { known, knownId } from '../../../src/sandbox/dataset/known.js';
import { workflows } from '../../../src/sandbox/dataset/catalogue.js';
import { activityHandlers } from '../../../src/sandbox/handlers/activity.js';
import { productHandlers } from '../../../src/sandbox/handlers/product.js';
import { relationHandlers } from '../../../src/sandbox/handlers/relation.js';
import type { Call } from '../../../src/sandbox/handlers/handler.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { storage } from '../../../src/sandbox/store/schema.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

const { RelationGet, RelationshipFieldGetLabels } = relationHandlers;

const { ProductGetAllByGroup } = productHandlers;

const { ActivityGetFields, ActivityGetLabels, NotificationsGet } = activityHandlers;

/** Every enumeration of a record that has a table of its own: the table, the member, the enumeration. */
const kept: readonly (readonly [table: string, member: string, type: EnumerationType])[] = Object.entries(
  records,
).flatMap(([name, record]) =>
  storage[name]?.as === 'table'
    ? Object.entries(record.fields).flatMap(([member, { type }]: readonly [string, { readonly type: Type }]) =>
        type.kind === 'enumeration' ? [[name, member, type] as const] : [],
      )
    : [],
);

describe('The usual data set has', () => {
  let sandbox: Sandbox;
  let call: Call;
  before(async () => {
    sandbox = await temporarySandbox();
    call = { ...sandbox, userId: known.userId, place: () => undefined };
  });
  after(() => sandbox.close());
  const found = (sql: string): readonly unknown[] => sandbox.store.statement(sql).all().flat();
  const missing = (type: EnumerationType, there: readonly unknown[]): readonly string[] =>
    type.values.filter((value) => !there.includes(value));

  for (const [table, member, type] of kept) {
    it(`every value of ${type.name} in ${table}.${member}`, () => {
      assert.deepEqual(missing(type, found(`SELECT DISTINCT "${member}" FROM "${table}"`)), []);
    });
  }

  it('all enumerations of the contract among those that are looked at here', () => {
    const all = new Set<string>();
    const collect = (type: Type): void => {
      if (type.kind === 'enumeration') all.add(type.name);
      if (type.kind === 'list') collect(type.item);
      if (type.kind === 'record') for (const [, field] of Object.entries(type.fields)) collect(field.type);
    };
    for (const record of Object.values(records)) collect(record);
    const own = new Set([...kept.map(([, , { name }]) => name), UnitType.name, TabPageType.name]);
    assert.deepEqual(
      [...all].filter((name) => !own.has(name)),
      [],
    );
  });

  it('every unit by name in the older products', () => {
    const groups = found('SELECT Id FROM "ProductGroup"').map(String);
    const units = groups.flatMap((productGroupId) =>
      (ProductGetAllByGroup(call, { productGroupId }).Products ?? []).map((product) => product?.UnitType),
    );
    assert.deepEqual(missing(UnitType, units), []);
  });

  it('every tab page among the counters of a relation', () => {
    const input = { relationId: known.personId, includeCounters: true };
    const pages = (RelationGet(call, input).Counters ?? []).map((counter) => counter?.TabPageType);
    assert.deepEqual(pages, TabPageType.values);
  });

  it('every field type, control and source among the fields of activities', () => {
    const fields = workflows.flatMap(
      ({ number }) => ActivityGetFields(call, { workflowId: knownId('workflow', number) }).Fields ?? [],
    );
    assert.deepEqual(
      missing(
        FieldType,
        fields.map((field) => field?.Type),
      ),
      [],
    );
    assert.deepEqual(
      missing(
        ComboboxValues,
        fields.map((field) => field?.ComboboxValues),
      ),
      [],
    );
    assert.deepEqual(
      missing(
        FieldControl,
        fields.map((field) => field?.Control),
      ),
      [],
    );
  });

  it('a value of every field of an order', () => {
    const sql = `SELECT f."Name" FROM "PvFieldData" f WHERE f."Type" <> 'Label' AND f."EntityTypeId" = '${knownId('entityType', 14)}'
      AND f."Id" NOT IN (SELECT "Id" FROM "PvActivityData_FieldValues_Items")`;
    assert.deepEqual(found(sql), []);
  });

  it('every label type where an operation gives it', () => {
    const labels = sandbox.store.statement('SELECT "RecordId", "FieldId" FROM "PvLabelItemData"').all();
    const types = new Set<unknown>();
    for (const [record, field] of labels) {
      const [activityId, relationshipId, fieldId] = [String(record), String(record), String(field)];
      const ofActivity = ActivityGetLabels.bind(undefined, call, { activityId, fieldId });
      const ofRelationship = RelationshipFieldGetLabels.bind(undefined, call, { relationshipId, fieldId });
      const isActivity = found(`SELECT 1 FROM "PvActivityData" WHERE "Id" = '${activityId}'`).length === 1;
      const isRelationship = found(`SELECT 1 FROM "PvRelationshipData" WHERE "Id" = '${relationshipId}'`).length === 1;
      if (isActivity) for (const label of ofActivity().Labels ?? []) types.add(label?.Type);
      if (isRelationship) for (const label of ofRelationship().Labels ?? []) types.add(label?.Type);
    }
    assert.equal(types.size, 7);
  });

  it('every location among the notifications of the first user', () => {
    const all = NotificationsGet(call, { userId: known.userId }).Notifications ?? [];
    assert.deepEqual([...new Set(all.map((each) => each?.ActivityLocation))].sort(), ['Closed', 'Queue', 'Todo']);
  });
});
