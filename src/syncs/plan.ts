import type { Operation } from '../contract/build.js';
import { operations } from '../contract/service.js';
import type { RecordValue } from '../plain/value.js';
import type { Source } from '../mirror/store.js';
import { tableNamed } from '../mirror/tables.js';
import { relationId } from '../lists/phone-book.js';
import { defined } from '../plain/defined.js';
import type { ListPlan } from '../lists/plan.js';

/** What is asked for beside the records, unless the source says otherwise. */
const usual: RecordValue = { includeFields: false, includeCounters: false, includeTranslations: true };

/** The parameters that an operation has of those. */
const usualInput = ({ parameters }: Operation): RecordValue =>
  Object.fromEntries(Object.entries(usual).filter(([name]) => Object.hasOwn(parameters, name)));

/** The operation that a request is for: a search for activities may be limited to a period of one field. */
const operationFor = (operation: Operation, input: RecordValue): Operation =>
  operation === operations.ActivitySearchByField && Object.hasOwn(input, 'dateFieldId')
    ? operations.ActivitySearchByFieldInPeriodExact
    : operation;

/** The list that fills a source. */
export function planOf({ table, input }: Pick<Source, 'table' | 'input'>): ListPlan {
  const { shows, identity, ...kept } = tableNamed(table);
  const operation = operationFor(kept.operation, input);
  return {
    operation,
    input: { ...usualInput(operation), ...input },
    shows,
    table: [],
    ...defined({ idOf: identity === 'content' ? relationId : undefined }),
  };
}
