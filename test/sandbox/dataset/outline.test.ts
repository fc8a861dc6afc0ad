import { activityHandlers } from '../../../src/sandbox/handlers/activity.js';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { PvActivityData } from '../../../src/contract/records/activity.js';
import { PvRelationshipData, PvRelationData } from '../../../src/contract/records/relation.js';
import { fillStore } from '../../../src/sandbox/dataset/fill.js';
import { fieldId, known } from '../../../src/sandbox/dataset/known.js';
import type { Call } from '../../../src/sandbox/handlers/handler.js';
import { productHandlers } from '../../../src/sandbox/handlers/product.js';
import { relationHandlers } from '../../../src/sandbox/handlers/relation.js';
import { openSandbox, type Sandbox } from '../../../src/sandbox/sandbox.js';
import { openOrCreate } from '../../../src/sandbox/store/create.js';
import { fieldValuesOf, findById, readWhere } from '../../../src/sandbox/store/records.js';
import { temporaryFolder } from '../../support/sandbox/temporary.js';

const { NotificationsGet } = activityHandlers;
const { SubscriptionAddProductLine } = productHandlers;
const { RelationshipAddLine, RelationshipGetAll } = relationHandlers;

const parameters = { relations: 120, seed: 6 };
const include = { includeFields: true, includeCounters: true };
const months = { from: '2025-01-01T00:00:00', to: '2025-09-01T00:00:00' };
const types = ['11', '12', '13', '14'].map((number) => `00000000-0040-4000-8000-0000000000${number}`);

describe('A data set in outline', () => {
  const folder = temporaryFolder();
  let whole: Sandbox | undefined;
  let outline: Sandbox | undefined;
  const open = async (name: string, inOutline: boolean): Promise<Sandbox> => {
    const file = join(folder.path, name);
    openOrCreate({ file, fill: (store) => fillStore(store, parameters, { inOutline }) }).close();
    let made = 0;
    const newId = (): string => `aaaaaaaa-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`;
    return openSandbox({ file, newId, now: () => new Date('2026-05-04T03:02:01.5Z') });
  };
  before(async () => {
    whole = await open('whole.db', false);
    outline = await open('outline.db', true);
  });
  after(() => {
    whole?.close();
    outline?.close();
    folder.remove();
  });

  const both = (work: (call: Call) => unknown): void => {
    const [expected, found] = [whole, outline].map((sandbox) => {
      assert.ok(sandbox);
      return sandbox.store.write(() => work({ ...sandbox, userId: known.userId, place: () => undefined }));
    });
    assert.deepEqual(found, expected);
  };
  const all = ({ store }: Call): unknown =>
    [PvRelationData, PvRelationshipData, PvActivityData].map((record) => {
      const rows = readWhere<typeof record>(store, record, {});
      return rows.map((row) => [row.seq, row.record, fieldValuesOf(store, record, row)]);
    });
  const searches = (call: Call): unknown =>
    types.flatMap((activityEntityTypeId, at) =>
      ['Evaluatiegesprek', '', undefined].flatMap((Value) => {
        const Id = fieldId(at + 11, Value === '' ? 'Deadline' : 'Subject');
        const fieldValues = Value === undefined ? [] : [{ Id, Value }];
        const dateFieldId = fieldId(at + 11, 'Deadline');
        const asked = { activityEntityTypeId, fieldValues, pageNumber: 2, pageSize: 3, includeFields: true };
        return [
          activityHandlers.ActivitySearchByField(call, asked),
          activityHandlers.ActivitySearchByField(call, { ...asked, pageNumber: 1, pageSize: 1000 }),
          activityHandlers.ActivitySearchByFieldInPeriodExact(call, {
            ...asked,
            ...months,
            dateFieldId,
            pageNumber: 1,
          }),
        ];
      }),
    );

  it('has the same records as one that is stored whole', () => both(all));

  it('has the same pages, with fields and counters, and the same records by id', () =>
    both((call) => [
      [include, { includeFields: true }, {}].map((asked) =>
        [1, 2, 3, 4].map((pageNumber) => relationHandlers.RelationGetAll(call, { ...asked, pageNumber, pageSize: 40 })),
      ),
      [1, 2, 3, 4].map((pageNumber) => RelationshipGetAll(call, { includeFields: true, pageNumber, pageSize: 50 })),
      relationHandlers.RelationGet(call, { ...include, relationId: known.personId }),
      relationHandlers.RelationGetTelephoneBook(call, { pageNumber: 1, pageSize: 1000 }),
      relationHandlers.RelationGetActivities(call, { relationId: known.firstRelationId, ...include }),
      activityHandlers.ActivityGetConnectedActivities(call, { activityId: known.activityId, ...include }),
      NotificationsGet(call, { userId: known.userId }),
    ]));

  it('finds the same by field values and periods', () => both(searches));

  it('cuts what it finds into pages', () =>
    both((call) => {
      const asked = { activityEntityTypeId: types[0] ?? '', fieldValues: [{ Id: fieldId(11, 'Deadline'), Value: '' }] };
      const [all, second] = [[1, 1000] as const, [2, 3] as const].map(([pageNumber, pageSize]) =>
        activityHandlers.ActivitySearchByField(call, { ...asked, pageNumber, pageSize }),
      );
      assert.equal(second?.Activities?.length, 3);
      assert.deepEqual(second.Activities, all?.Activities?.slice(3, 6));
    }));

  it('takes writes, and has the same records after them', () => {
    both((call) => [
      activityHandlers.ActivityUpdate(call, {
        activityId: known.activityId,
        fieldValues: [{ Id: fieldId(11, 'Subject'), Value: 'Evaluatiegesprek' }],
      }),
      activityHandlers.ActivityAddAttachment(call, {
        activityId: known.subscriptionId,
        fileName: 'a.txt',
        base64EncodedFile: 'YQ==',
      }),
      SubscriptionAddProductLine(call, {
        activityId: known.subscriptionId,
        productId: known.productId,
        vatId: known.vatId,
        quantity: '1',
        amount: '2',
      }),
      RelationshipAddLine(call, {
        RelationshipId: known.relationshipId,
        entityTypeId: known.lineEntityTypeId,
        datastoreId: known.datastoreEntityTypeId,
        fieldValues: [{ Id: fieldId(4, 'Course'), Value: 'Lassen' }],
      }),
    ]);
    both(all);
    both(searches);
    both((call) => {
      const page = RelationshipGetAll(call, { includeFields: true, pageNumber: 1, pageSize: 50 });
      assert.equal(page.Relationships?.[1]?.AuditData?.ModifiedAt, '2026-05-04T03:02:01.5Z');
      return page;
    });
    both(({ store }) => findById(store, PvActivityData, known.activityId)?.record);
  });

  it('does not find a whole row by an Id that it no longer has', () => {
    assert.ok(whole);
    const { store } = whole;
    const rename = (from: string, to: string): void =>
      store.execute(`UPDATE "PvRelationData" SET "Id" = '${to}' WHERE "Id" = '${from}'`);
    const other = 'ffffffff-0000-4000-8000-000000000001';
    rename(known.personId, other);
    assert.equal(findById(store, PvRelationData, known.personId), undefined);
    assert.equal(findById(store, PvRelationData, other)?.record.Id, other);
    rename(other, known.personId);
  });
});
