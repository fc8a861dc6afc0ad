import assert from 'node:assert/strict';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { SystemDatastoreType } from '../../../src/contract/enumerations.js';
import type { Operation } from '../../../src/contract/build.js';
import { findOperation } from '../../../src/contract/service.js';
import type { RecordValue } from '../../../src/core/values/value.js';
import { fillStore } from '../../../src/sandbox/dataset/fill.js';
import { fieldId, known } from '../../../src/sandbox/dataset/known.js';
import { createEndpoint, type Sandbox } from '../../../src/sandbox/sandbox.js';
import type { Call } from '../../../src/sandbox/handlers/handler.js';
import { handlerOf } from '../../../src/sandbox/invoke.js';
import { countGroups } from '../../../src/sandbox/pages/front.js';
import { openOrCreate } from '../../../src/sandbox/store/create.js';
import type { Store } from '../../../src/sandbox/store/open.js';
import { read } from './form-in.js';
import { temporaryFolder, temporarySandbox } from '../../support/sandbox/temporary.js';
import { commands } from '../../support/manifest.js';

interface Line {
  readonly name: string;
  readonly count: number | null;
  readonly operation: string | null;
  readonly command: string | null;
}

const all = { pageNumber: 1, pageSize: 1000, includeFields: true, includeCounters: true };
const period = { from: '0001-01-01T00:00:00', to: '2100-01-01T00:00:00' };

/** Tables by name that have records; the others belong to them, or say how the database was made. */
const tablesOf = (store: Store): readonly string[] =>
  store
    .statement(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
    .all()
    .map(([name]) => String(name))
    .filter((name) => !/_(?:Items|Translations)$|^(?:Content|ContentPiece|Gap|Parameter)$/.test(name));

const countedBy = (store: Store, sql: string): number => Number(store.statement(sql).first()?.[0]);

const idIn = ({ Id }: RecordValue): string => Id as string;

describe('The front page of the sandbox', () => {
  let place: Sandbox;
  let call: Call;
  beforeEach(async () => {
    place = await temporarySandbox(60);
    call = { ...place, userId: known.userId, place: () => undefined };
  });
  afterEach(() => place.close());

  const get = async (url: string, method: 'GET' | 'POST' = 'GET') => {
    const request = { method, url, headers: { host: '127.0.0.1:8050' }, body: new Uint8Array() };
    const answer = await createEndpoint(place)(request);
    return { ...answer, text: await textOf(answer.body) };
  };
  const counts = async (): Promise<readonly Line[]> =>
    (JSON.parse((await get('/counts')).text) as { readonly counts: readonly Line[] }).counts;
  const counted = async (name: string): Promise<number | null | undefined> =>
    (await counts()).find((line) => line.name === name)?.count;
  const operation = (name: string): Operation => {
    const found = findOperation(name);
    assert.ok(found, name);
    return found;
  };
  const execute = (name: string, input: RecordValue): RecordValue =>
    handlerOf(operation(name))?.(call, input) as RecordValue;
  /** The records in the only list of an answer. */
  const list = (name: string, input: RecordValue = all): readonly RecordValue[] =>
    Object.values(execute(name, input)).find((value) => Array.isArray(value)) as readonly RecordValue[];
  const relationIds = (): readonly string[] => list('RelationGetAll').map(idIn);
  const activityIds = (): readonly string[] => {
    const found = relationIds().flatMap((relationId) =>
      list('RelationGetActivitiesModified_V2', { ...all, ...period, relationId }),
    );
    return [...new Set(found.map(idIn))];
  };
  /** How many records an operation lists in all, asked for each of many ids. */
  const listedFor = (ids: readonly string[], name: string, parameter: string): number =>
    ids.reduce((sum, id) => sum + list(name, { ...all, ...period, [parameter]: id }).length, 0);
  const idsOf = (table: string, where = 'TRUE'): readonly string[] =>
    place.store
      .statement(`SELECT Id FROM "${table}" WHERE ${where}`)
      .all()
      .map(([id]) => String(id));
  const counter = (type: string, counters: unknown): number =>
    (counters as readonly { TabPageType: string; Value: number }[]).find((each) => each.TabPageType === type)?.Value ??
    0;
  /** A counter of the activities, by relation; an activity of two relations is met twice, and counted once. */
  const countersOfActivities = (type: string): number => {
    const byId = new Map<string, number>();
    for (const relationId of relationIds()) {
      for (const found of list('RelationGetActivitiesModified_V2', { ...all, ...period, relationId }))
        byId.set(idIn(found), counter(type, found['CounterValues']));
    }
    return [...byId.values()].reduce((sum, value) => sum + value, 0);
  };

  describe('counts what the operations list:', () => {
    const listed: Readonly<Record<string, () => number>> = {
      relations: () => list('RelationGetAll').length,
      relationships: () => list('RelationshipGetAll').length,
      'telephone numbers': () =>
        list('RelationGetTelephoneBook_V2').reduce(
          (sum, { TelephoneNumbers }) => sum + (TelephoneNumbers as readonly unknown[]).length,
          0,
        ),
      'marks on relationships': () => listedFor(relationIds(), 'RelationGetMarksModified', 'relationId'),
      activities: () => activityIds().length,
      'involved parties': () => listedFor(activityIds(), 'ActivityGetInvolveds', 'activityId'),
      'connected activities': () => listedFor(activityIds(), 'ActivityGetConnectedActivities', 'activityId'),
      'product lines': () => countersOfActivities('Lines'),
      attachments: () => countersOfActivities('Attachments'),
      notifications: () => listedFor(idsOf('User'), 'NotificationsGet', 'userId'),
      products: () => list('ProductGetAll_V2').length,
      marks: () => list('MarkGetAll').length,
      'marks of campaigns': () => list('CampaignMarkGetAll').length,
      'items of datastores': () =>
        listedFor(idsOf('EntityType', `Kind = 'Datastore'`), 'DatastoreGetWithParentItems_V2', 'entityTypeId'),
      'system datastores': () => SystemDatastoreType.values.length,
      'items of system datastores': () =>
        listedFor(SystemDatastoreType.values, 'SystemDatastoreGetItems', 'systemDatastoreType'),
      'SBI codes': () => list('DatastoreGetSbiCodes').length,
      'steps of workflows': () => listedFor(idsOf('Workflow'), 'WorkflowStepGetAll', 'workflowId'),
    };
    for (const [name, count] of Object.entries(listed)) {
      it(name, async () => {
        const found = count();
        assert.ok(found > 0);
        assert.equal(await counted(name), found);
      });
    }
  });

  /** Table by table, whatever holds the count of it: none is forgotten, in the large data sets too. */
  const assertEveryTable = (store: Store, inOutline: boolean): void => {
    const shown = countGroups(store).flatMap(({ lines }) => lines);
    const left = shown.map(({ count }) => count);
    for (const table of tablesOf(store)) {
      const at = left.indexOf(countedBy(store, `SELECT count(*) FROM "${table}"`));
      assert.notEqual(at, -1, `${table} is not counted right: ${JSON.stringify(shown)}`);
      left.splice(at, 1);
    }
    // Datastores, system datastores, campaign marks and field values are no tables of their own.
    assert.equal(left.length, 4);
    assert.equal(shown.find(({ name }) => name === 'field values')?.count === undefined, inOutline);
  };

  it('counts each table, of data sets that are stored whole', () => assertEveryTable(place.store, false));

  it('counts each table of large data sets, but for the field values, which are made when read', () => {
    const folder = temporaryFolder();
    const store = openOrCreate({
      file: join(folder.path, 'outline.db'),
      fill: (empty) => fillStore(empty, { relations: 400, seed: 3 }, { inOutline: true }),
    });
    assertEveryTable(store, true);
    store.close();
    folder.remove();
  });

  const line = {
    productId: known.productId,
    quantity: '1',
    vatId: known.vatId,
    amount: '1.00',
    purchaseAmount: '0.50',
    period: 1,
  };
  const writes: readonly (readonly [counted: string, operation: string, input: RecordValue])[] = [
    [
      'items of datastores',
      'DatastoreCreateItem_V3',
      {
        entityTypeId: known.datastoreEntityTypeId,
        fieldValues: [{ Id: fieldId(21, 'Description'), Value: 'Nieuw' }],
      },
    ],
    ['product lines', 'ActivityAddProductLine', { ...line, activityId: known.activityId }],
    ['product lines', 'SubscriptionAddProductLine', { ...line, activityId: known.subscriptionId }],
    [
      'lines of relationships',
      'RelationshipAddLine',
      {
        RelationshipId: known.relationshipId,
        entityTypeId: known.lineEntityTypeId,
        datastoreId: known.datastoreEntityTypeId,
        fieldValues: [{ Id: fieldId(4, 'Course'), Value: 'Typen' }],
      },
    ],
  ];
  for (const [name, write, input] of writes) {
    it(`counts one more of ${name} after ${write}`, async () => {
      const before = await counted(name);
      execute(write, input);
      assert.equal(await counted(name), Number(before) + 1);
    });
  }

  it('names a command that calls the operation, and links to its page', async () => {
    const { text, headers } = await get('/');
    assert.match(headers['content-type'] ?? '', /^text\/html/);
    const lines = await counts();
    assert.ok(lines.filter((each) => each.operation !== null).length > 15);
    for (const each of lines) {
      assert.equal(each.operation === null, each.command === null, each.name);
      if (each.operation === null || each.command === null) continue;
      const id = each.command.split(' ').slice(1, 3).join(':');
      assert.ok(commands[id]?.operations?.includes(each.operation), each.command);
      assert.ok(text.includes(`<a href="/V1/service.asmx?op=${each.operation}">${each.operation}</a>`), each.name);
      assert.ok(read(text).includes(each.command));
      assert.equal((await get(`/V1/service.asmx?op=${each.operation}`)).status, 200);
    }
  });

  it('shows each count by its name, as the JSON has them', async () => {
    const { text } = await get('/');
    const shown = [...text.matchAll(/<th scope="row">([^<]*)<\/th>\s*<td class="number">([\d,]+)<\/td>/g)];
    assert.deepEqual(
      shown.map(([, name, count]) => [name, Number(count?.replaceAll(',', ''))]),
      (await counts()).map(({ name, count }) => [name, count]),
    );
  });

  it('loads nothing, runs nothing, and answers GET alone', async () => {
    const { text, headers } = await get('/');
    assert.match(headers['content-security-policy'] ?? '', /default-src 'none'/);
    assert.doesNotMatch(text, /<script|<img|<link|\son\w+=|javascript:|https?:/i);
    for (const path of ['/', '/counts']) assert.equal((await get(path, 'POST')).status, 404);
  });
});
