import type { Operation } from '../../../contract/build.js';
import { operations } from '../../../contract/service.js';
import { type RecordValue, defined } from '../../../core/values/value.js';
import type { Source } from '../../../mirror/sources.js';
import { tableNamed } from '../../../mirror/tables.js';
import type { CallTable } from '../../../mirror/of-call/table.js';
import { relationId } from '../../../lists/phone-book.js';
import type { ListPlan, ListFlags } from '../../../lists/plan.js';
import type { Session } from '../../../kit/session/session.js';
import type { Context } from '../../../kit/host/context.js';

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

/** The list of an operation that fills a table of its own, as the mirror keeps it. */
const planOfOwn = ({ operation, call, shows }: CallTable, input: RecordValue): ListPlan => ({
  operation,
  input,
  shows,
  holders: call.list.slice(0, -1),
  table: [],
});

/** The list that fills a source; of an operation that the mirror alone knows, it can be printed, and not be read. */
export function planOf({ table, input, own }: Pick<Source, 'table' | 'input' | 'own'>): ListPlan {
  if (own !== undefined) return planOfOwn(own, input);
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

/** Flags of a sync. */
type SyncFlags = ListFlags & { readonly 'max-shrink'?: number | undefined };

/** A sync of one source. */
export interface SyncRun {
  readonly context: Context;
  readonly session: Session;
  readonly flags: SyncFlags;
  /** The command line that this is, without --max-shrink, for an error. */
  readonly command: string;
}
