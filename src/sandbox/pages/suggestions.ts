import type { Operation } from '../../contract/build.js';
import { PvProductData_V2 } from '../../contract/records/product.js';
import { fieldEntries } from '../../contract/walk.js';
import type { RecordValue, Value } from '../../soap/values/values.js';
import type { SandboxContext } from '../context.js';
import { fieldId } from '../dataset/fields.js';
import { known, knownCredentials } from '../dataset/known.js';
import { findById } from '../store/records.js';

/** Values that every data set has something under, by the name of the parameter. */
const usual: Readonly<Record<string, Value>> = {
  ...known,
  dateFieldId: fieldId(11, 'Deadline'),
  datastoreId: known.datastoreEntityTypeId,
  entityTypeId: known.datastoreEntityTypeId,
  fieldId: fieldId(11, 'Tags'),
  from: '2000-01-01T00:00:00',
  to: '2100-01-01T00:00:00',
  pageNumber: 1,
  pageSize: 25,
  period: 1,
  amount: '1.00',
  purchaseAmount: '0.50',
  quantity: '1',
  relationId: known.personId,
  RelationshipId: known.relationshipId,
};

/** Where an operation means something else by a name, or needs something more. */
const special: Readonly<Record<string, RecordValue>> = {
  RelationshipAddLine: {
    entityTypeId: known.lineEntityTypeId,
    fieldValues: [{ Id: fieldId(4, 'Course'), Value: 'Typen' }],
  },
  RelationshipFieldGetLabels: { fieldId: fieldId(3, 'Interests') },
  DatastoreCreateItem_V3: { fieldValues: [{ Id: fieldId(21, 'Description'), Value: 'Nieuw' }] },
  SubscriptionAddProductLine: { activityId: known.subscriptionId },
  ActivityAddAttachment: { fileName: 'hello.txt', base64EncodedFile: 'aGVsbG8=' },
};

/** Records that are written whole begin as they are. */
function current({ store }: SandboxContext, operation: Operation): RecordValue {
  if (!Object.hasOwn(operation.parameters, 'productData')) return {};
  const found = findById(store, PvProductData_V2, known.productId);
  return found === undefined ? {} : { productData: found.record };
}

/** What stands in the form of an operation at first: the sandbox's own user, and values that find something. */
export function suggestions(context: SandboxContext, operation: Operation): RecordValue {
  const named = fieldEntries(operation.parameters).flatMap(([name]) => {
    const value = Object.hasOwn(usual, name) ? usual[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    credentials: { ...knownCredentials },
    ...Object.fromEntries(named),
    ...special[operation.name],
    ...current(context, operation),
  };
}
