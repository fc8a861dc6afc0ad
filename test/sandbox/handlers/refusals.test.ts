import assert from 'node:assert/strict';
import { fieldId, known, knownId } from '../../../src/sandbox/dataset/known.js';
import { activityHandlers } from '../../../src/sandbox/handlers/activity.js';
import { productHandlers } from '../../../src/sandbox/handlers/product.js';
import { type Call, Refused } from '../../../src/sandbox/handlers/handler.js';
import { relationHandlers } from '../../../src/sandbox/handlers/relation.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { temporarySandbox } from '../../support/sandbox/temporary.js';

const { ActivityAddAttachment, ActivitySearchByField, ActivityUpdate } = activityHandlers;
const {
  DatastoreCreateItem_V3,
  ActivityAddProductLine,
  ProductGetAll_V2,
  ProductUpdate_V2,
  SubscriptionAddProductLine,
} = productHandlers;

const { RelationshipAddLine } = relationHandlers;

const nobody = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
const { activityId, subscriptionId, productId, vatId } = known;
const field = (name: string): string => fieldId(11, name);
const values = (
  ...given: readonly (readonly [name: string, value: string])[]
): readonly { Id: string; Value: string }[] => given.map(([name, Value]) => ({ Id: field(name), Value }));

type Refusing = readonly [title: string, work: (call: Call) => unknown, code: string, words: string];

const update =
  (...given: readonly (readonly [name: string, value: string])[]) =>
  (call: Call): unknown =>
    ActivityUpdate(call, { activityId, fieldValues: values(...given) });

const attach =
  (fileName: string, base64EncodedFile: string) =>
  (call: Call): unknown =>
    ActivityAddAttachment(call, { activityId, fileName, base64EncodedFile });

const line = { activityId, quantity: '1', productId, vatId, amount: '1', purchaseAmount: '1' };

const product =
  (change: Readonly<Record<string, string | number>>) =>
  (call: Call): unknown => {
    const productData = ProductGetAll_V2(call, {}).Products?.find((each) => each?.Id === productId);
    assert.ok(productData);
    return ProductUpdate_V2(call, { productData: { ...productData, ...change } });
  };

const refusals: readonly Refusing[] = [
  ['a file that is not base64', attach('a.txt', 'a-b_'), 'InvalidFile', 'The content of the file is not base64.'],
  ['a file whose base64 is cut short', attach('a.txt', 'YWJ'), 'InvalidFile', 'The content of the file is not base64.'],
  ['a file without a name', attach('', 'YWJj'), 'InvalidFile', 'A file needs a name.'],
  [
    'a line at a VAT rate that is not there',
    (call) => ActivityAddProductLine(call, { ...line, vatId: nobody }),
    'NotFound',
    `There is no VAT rate ${nobody}.`,
  ],
  [
    'a line of a subscription at a VAT rate that is not there',
    (call) => SubscriptionAddProductLine(call, { ...line, activityId: subscriptionId, vatId: nobody, period: 1 }),
    'NotFound',
    `There is no VAT rate ${nobody}.`,
  ],
  [
    'a line of a product that is not there',
    (call) => ActivityAddProductLine(call, { ...line, productId: nobody }),
    'NotFound',
    `There is no product ${nobody}.`,
  ],
  [
    'a line for a period on what is not a subscription',
    (call) => SubscriptionAddProductLine(call, { ...line, period: 1 }),
    'NotASubscription',
    `The activity ${activityId} is not a subscription.`,
  ],
  [
    'a product at a VAT rate that is not there',
    product({ SalesVatId: nobody }),
    'NotFound',
    `There is no VAT rate ${nobody}.`,
  ],
  [
    'a product of a group that is not there',
    product({ ProductGroupId: nobody }),
    'NotFound',
    `There is no product group ${nobody}.`,
  ],
  ['a product in a unit that is not there', product({ Unit: 4711 }), 'InvalidProduct', 'There is no unit 4711.'],
  ['a field that is read-only', update(['Reference', 'x']), 'InvalidField', 'The field Reference cannot be written.'],
  [
    'a field that is read-only, to be emptied',
    update(['Reference', '']),
    'InvalidField',
    'The field Reference cannot be written.',
  ],
  ['labels', update(['Tags', 'x']), 'InvalidField', 'The field Tags holds labels, which are not written as a value.'],
  [
    'a field given twice',
    update(['Subject', 'a'], ['Subject', 'a']),
    'InvalidField',
    'The field Subject is set twice.',
  ],
  ['a required field without a value', update(['Subject', '']), 'InvalidField', 'The field Subject is required.'],
  [
    'a text that is too long',
    update(['Subject', 'x'.repeat(201)]),
    'InvalidField',
    'The field Subject takes at most 200 characters.',
  ],
  [
    'a value of another type',
    update(['Deadline', 'soon']),
    'InvalidField',
    "The field Deadline takes a Datetime2, not 'soon'.",
  ],
  [
    'a user that is not there',
    update(['Handler', nobody]),
    'InvalidField',
    `The field Handler has no choice ${nobody}.`,
  ],
  [
    'a field of another entity type',
    (call) => ActivityUpdate(call, { activityId, fieldValues: [{ Id: fieldId(1, 'City'), Value: 'x' }] }),
    'InvalidField',
    `There is no field ${fieldId(1, 'City')} here.`,
  ],
  [
    'a good field beside a bad one',
    update(['Subject', 'good'], ['Reference', 'x']),
    'InvalidField',
    'The field Reference cannot be written.',
  ],
  [
    'a field given twice in a line',
    (call) => {
      const course = { Id: fieldId(4, 'Course'), Value: 'x' };
      const {
        relationshipId: RelationshipId,
        lineEntityTypeId: entityTypeId,
        datastoreEntityTypeId: datastoreId,
      } = known;
      return RelationshipAddLine(call, { RelationshipId, entityTypeId, datastoreId, fieldValues: [course, course] });
    },
    'InvalidField',
    'The field Course is set twice.',
  ],
  [
    'an entry without its description',
    (call) => DatastoreCreateItem_V3(call, { entityTypeId: known.datastoreEntityTypeId, fieldValues: [] }),
    'InvalidField',
    'The field Description is required.',
  ],
  [
    'a search by a field given twice',
    (call) => {
      const fieldValues = values(['Subject', 'a'], ['Subject', 'b']);
      const page = { pageNumber: 1, pageSize: 5, includeFields: false, includeCounters: false };
      return ActivitySearchByField(call, { activityEntityTypeId: known.activityEntityTypeId, fieldValues, ...page });
    },
    'InvalidField',
    'The field Subject is set twice.',
  ],
];

describe('The sandbox refuses, and writes nothing:', () => {
  let sandbox: Sandbox;
  let call: Call;
  before(async () => {
    sandbox = await temporarySandbox(40);
    call = { ...sandbox, userId: knownId('user', 1), place: () => undefined };
  });
  after(() => sandbox.close());

  for (const [title, work, code, description] of refusals) {
    it(title, () => {
      const changes = (): unknown => sandbox.store.statement('SELECT total_changes()').first();
      const before = changes();
      assert.throws(
        () => work(call),
        (thrown) => {
          assert.ok(thrown instanceof Refused, String(thrown));
          assert.deepEqual([thrown.kind, thrown.refusal.code, thrown.message], ['refused', code, description]);
          return true;
        },
      );
      assert.deepEqual(changes(), before);
    });
  }

  it('but not what is right', () => {
    assert.doesNotThrow(() => update(['Subject', 'x'.repeat(200)], ['Handler', known.userId])(call));
    assert.doesNotThrow(() => attach('a.txt', 'YWJj')(call));
    assert.doesNotThrow(() => ActivityAddProductLine(call, line));
    assert.doesNotThrow(() => product({ Unit: 1 })(call));
  });
});
