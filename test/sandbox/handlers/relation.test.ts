import assert from 'node:assert/strict';
import type { OutputFields } from '../../../src/contract/infer.js';
import type { operations } from '../../../src/contract/service.js';
import { known, fieldId } from '../../../src/sandbox/dataset/known.js';
import type { Call } from '../../../src/sandbox/handlers/handler.js';
import { relationHandlers } from '../../../src/sandbox/handlers/relation.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

const { RelationGet, RelationGetAll } = relationHandlers;

const by = (sandbox: Sandbox): Call => ({ ...sandbox, userId: known.userId, place: () => undefined });

type Asked = OutputFields<(typeof operations)['RelationGetAll']['parameters']>;

describe('RelationGet of the sandbox', () => {
  for (const [relations, what] of [
    [250, 'stored'],
    [10_001, 'in outline'],
  ] as const) {
    it(`gives a relation that is ${what} as the list does, whatever is asked for`, async () => {
      const sandbox = await temporarySandbox(relations);
      for (const asked of [0, 1, 2, 3].map((bits) => ({
        includeFields: (bits & 1) === 1,
        includeCounters: (bits & 2) === 2,
      }))) {
        const rows = RelationGetAll(by(sandbox), { pageNumber: 1, pageSize: 40, ...asked }).Relations ?? [];
        assert.equal(rows.length, 40);
        for (const row of rows) {
          const { Relation } = RelationGet(by(sandbox), { relationId: row?.Id ?? '', ...asked });
          assert.deepEqual(Relation, row);
        }
      }
      sandbox.close();
    });
  }
});

describe('RelationGetAll of the sandbox', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await temporarySandbox();
  });
  after(() => sandbox.close());
  const page = (asked: Asked): NonNullable<ReturnType<typeof relations>> => relations(asked);
  const relations = (asked: Asked) => RelationGetAll(by(sandbox), asked).Relations ?? [];

  for (const pageSize of [1, 7, 100, 1000]) {
    it(`gives every relation exactly once in pages of ${pageSize}`, () => {
      const ids: (string | null | undefined)[] = [];
      for (let pageNumber = 1; ; pageNumber += 1) {
        const rows = page({ pageNumber, pageSize });
        if (rows.length === 0) break;
        assert.ok(rows.length <= pageSize);
        ids.push(...rows.map((row) => row?.Id));
      }
      const all = sandbox.store.statement('SELECT "Id" FROM "PvRelationData" ORDER BY seq').all().flat();
      assert.equal(ids.length, 250);
      assert.deepEqual(ids, all);
    });
  }

  it('leaves field values and counters nil when they are not asked for', () => {
    const [first] = page({ pageNumber: 1, pageSize: 1 });
    assert.deepEqual(first, {
      Id: known.firstRelationId,
      EntityTypeId: known.organisationEntityTypeId,
      SortingName: 'SANDBOX & ZONEN B.V.',
      DisplayName: 'Sandbox & Zonen B.V.',
      IsRoot: true,
      IsDummy: false,
      ...(first?.ImportKey === undefined ? {} : { ImportKey: '100000' }),
      ...(first?.Info === undefined ? {} : { Info: first.Info }),
      IsInactive: first?.IsInactive,
      FieldValues: null,
      CounterValues: null,
    });
  });

  it('brings the field values of each relation to that relation', () => {
    for (const row of page({ pageNumber: 1, pageSize: 250, includeFields: true })) {
      const items = row?.FieldValues?.Items ?? [];
      const name = items.find((item) => item?.Id === fieldId(2, 'Name'));
      if (name !== undefined) assert.equal(name?.Value, row?.DisplayName);
      const single = RelationGet(by(sandbox), { relationId: row?.Id ?? '', includeFields: true }).Relation;
      assert.deepEqual(single?.FieldValues, row?.FieldValues);
    }
  });

  it('has an empty list of field values for a relation without any', () => {
    const empty = page({ pageNumber: 1, pageSize: 250, includeFields: true }).filter(
      (row) => row?.FieldValues?.Items?.length === 0,
    );
    assert.equal(empty.length, 1);
  });

  it('counts an activity once, also when both its relationships are of the relation', () => {
    const { store } = sandbox;
    const rows = (sql: string) => store.statement(sql).all();
    store.execute('BEGIN');
    try {
      // Of the relation with the most of them, every other activity gets both.
      const [[relation] = []] = rows(
        'SELECT "ChildSeq" FROM "PvRelationshipData" GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1',
      );
      const own = rows(`SELECT seq FROM "PvRelationshipData" WHERE "ChildSeq" = ${String(relation)}`).flat();
      assert.ok(own.length > 1);
      store.execute(
        `UPDATE "PvActivityData" SET "ParentSeq" = ${String(own[0])}, "ChildSeq" = ${String(own[1])} WHERE seq % 2 = 0`,
      );
      store.execute('UPDATE "PvActivityData" SET "ChildSeq" = "ParentSeq" WHERE seq % 5 = 0');
      const relationOf = new Map(
        rows('SELECT seq, "ChildSeq" FROM "PvRelationshipData"').map(([seq, of]) => [seq, of]),
      );
      const activities = rows('SELECT seq, "ParentSeq", "ChildSeq" FROM "PvActivityData"');
      const counts = rows('SELECT seq FROM "PvRelationData" ORDER BY seq').map(
        ([seq]) => activities.filter(([, ...ends]) => ends.some((end) => relationOf.get(end) === seq)).length,
      );
      assert.ok(Math.max(...counts) >= activities.length / 2);
      const found = page({ pageNumber: 1, pageSize: 1000, includeCounters: true }).map(
        (row) => row?.CounterValues?.find((counter) => counter?.TabPageType === 'Activities')?.Value,
      );
      assert.deepEqual(found, counts);
    } finally {
      store.execute('ROLLBACK');
    }
  });

  it('counts what there is', () => {
    const rows = page({ pageNumber: 1, pageSize: 250, includeCounters: true });
    const sum = (type: string): number =>
      rows
        .flatMap((row) => row?.CounterValues ?? [])
        .reduce((all, one) => all + (one?.TabPageType === type ? (one.Value ?? 0) : 0), 0);
    const count = (table: string): number =>
      Number(sandbox.store.statement(`SELECT count(*) FROM "${table}"`).first()?.[0]);
    assert.equal(sum('Relationship'), count('PvRelationshipData'));
    assert.equal(sum('Contacts'), count('PvRelationshipData'));
    assert.equal(sum('Marks'), count('PvRelationshipMarkData'));
    assert.ok(sum('Activities') >= count('PvActivityData'));
  });
});

describe('RelationGet of the sandbox', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await temporarySandbox();
  });
  after(() => sandbox.close());

  it('finds a relation by its Id in any case of letters', () => {
    const { Relation } = RelationGet(by(sandbox), { relationId: known.personId.toUpperCase() });
    assert.equal(Relation?.Id, known.personId);
  });

  it('gives the counters beside the relation and in it', () => {
    const { Relation, Counters } = RelationGet(by(sandbox), { relationId: known.personId, includeCounters: true });
    const within = Relation?.CounterValues ?? [];
    assert.deepEqual(
      within.map((counter) => counter?.TabPageType),
      ['Relationship', 'Contacts', 'Activities', 'Marks', 'Lines'],
    );
    assert.ok(within.every((counter) => counter?.TabPageType === 'Contacts' || (counter?.Value ?? 0) > 0));
    for (const counter of Counters ?? []) {
      const own = within.find((each) => each?.TabPageType === counter?.TabPageType);
      assert.deepEqual(counter, own ?? { TabPageType: counter?.TabPageType, Value: 0 });
    }
  });

  for (const relationId of ['ffffffff-ffff-4fff-8fff-ffffffffffff', 'not a guid', '', null]) {
    it(`gives nil for the Id ${relationId === '' ? '(empty)' : String(relationId)}`, () => {
      assert.deepEqual(RelationGet(by(sandbox), { relationId }), { Relation: null, Counters: null });
    });
  }
});
