import type { Operation } from '../../../contract/build.js';
import { operations } from '../../../contract/service.js';
import type { RecordValue } from '../../../core/values/value.js';
import type { Source } from '../../../mirror/sources.js';
import { tableNamed } from '../../../mirror/tables.js';
import { type CallTable, callTable, differencesOf, isTooWide, type CalledList } from '../../../mirror/of-call/table.js';
import { relationId, type ListPlan, type ListFlags } from '../../../lists/plan.js';
import type { Session } from '../../../kit/session/session.js';
import type { Context } from '../../../kit/host/context.js';
import { knownOperations, readingImport } from '../../../kit/operations/described.js';
import { RelctlError } from '../../../core/errors/relctl-error.js';
import { shellCommand } from '../../../core/text/text.js';
import { operationList, type OperationList, refuseWrite } from '../../../lists/of-operation/list.js';
import { pathText } from '../../../lists/of-operation/parameters.js';
import { storedLine } from '../../../mirror/of-call/stored.js';
import type { Mirror } from '../../../mirror/mirror.js';

const usual: RecordValue = { includeFields: false, includeCounters: false, includeTranslations: true };

const usualInput = ({ parameters }: Operation): RecordValue =>
  Object.fromEntries(Object.entries(usual).filter(([name]) => Object.hasOwn(parameters, name)));

const operationFor = (operation: Operation, input: RecordValue): Operation =>
  operation === operations.ActivitySearchByField && Object.hasOwn(input, 'dateFieldId')
    ? operations.ActivitySearchByFieldInPeriodExact
    : operation;

const planOfOwn = ({ operation, call, shows }: CallTable, input: RecordValue): ListPlan => ({
  operation,
  input,
  shows,
  answer: { holders: call.list.slice(0, -1) },
  table: [],
});

/** The list that fills a source; of an operation that the mirror alone knows, it can be printed, and not be read. */
export function planOf({ table, input, own }: Pick<Source, 'table' | 'input' | 'own'>): ListPlan {
  if (own !== undefined) return planOfOwn(own, input);
  const { shows, identity, ...rest } = tableNamed(table);
  const operation = operationFor(rest.operation, input);
  return {
    operation,
    input: { ...usualInput(operation), ...input },
    shows,
    table: [],
    answer: { idOf: identity === 'content' ? relationId : undefined },
  };
}

type SyncFlags = ListFlags & { readonly 'max-shrink'?: number | undefined };

/** A sync of one source. */
export interface SyncRun {
  readonly context: Context;
  readonly session: Session;
  readonly flags: SyncFlags;
  /** The command line that this is, without --max-shrink, for an error. */
  readonly command: string;
}

/** Code of the failures of a source whose operation is not the one any more that was added. */
export const changedOperation = 'changed-operation';

const refused = (source: Source, what: string): RelctlError =>
  new RelctlError('profile', `${source.name} cannot be read with its parameters: ${what}`, {
    facts: { code: changedOperation },
    advice:
      `The table ${source.table} does not change. To read the list in its new form, remove the source, which deletes its rows, ` +
      'and add it again.',
    hint: shellCommand(['mirror', 'remove', source.name]),
  });

const mostListed = 5;

/** Throws `profile` where the columns of a table are not those that it would have now. */
export function refuseChanged(source: Source & { readonly own: CallTable }, now: CallTable): void {
  const differences = differencesOf(source.own, now);
  if (differences.length === 0) return;
  const more = differences.length > mostListed ? `, and ${differences.length - mostListed} more` : '';
  throw refused(source, `in its records ${differences.slice(0, mostListed).join(', ')}${more}`);
}

const calledList = (operation: Operation, call: CalledList): OperationList =>
  operationList(operation, {
    list: pathText(call.list),
    key: pathText(call.key),
    pageParam: call.pageParam,
    sizeParam: call.sizeParam,
  });

function operationOf({ context, flags }: SyncRun, source: Source, { operation: name, isRead }: CalledList): Operation {
  const { find, isOfOther } = knownOperations(context, flags.profile);
  const match = find(name);
  if (match === undefined && isOfOther) throw refused(source, 'the imported operations are of another service');
  if (match === undefined) throw refused(source, `the profile no longer has the operation ${name}`);
  return match.source === 'imported' && isRead === true ? { ...match, access: 'read' } : match;
}

/** What `make` gives; its mistakes are those of the operation, not of the command line. */
function asAdded<T>(source: Source, make: () => T): T {
  try {
    return make();
  } catch (thrown) {
    const { kind, message } = RelctlError.from(thrown);
    if (kind !== 'usage') throw thrown;
    throw refused(source, message);
  }
}

function planOfCall(run: SyncRun, mirror: Mirror, source: Source & { readonly own: CallTable }): ListPlan {
  const { own, input } = source;
  const operation = operationOf(run, source, own.call);
  const list = asAdded(source, () => {
    refuseWrite(operation, () => readingImport(run.context, run.flags.profile, operation.name));
    return calledList(operation, own.call);
  });
  if (isTooWide(list.record)) throw refused(source, 'its records have too many members now');
  const now = callTable(own.name, own.call, list.record);
  refuseChanged(source, now);
  // What else changed, such as a text about a member, is shown from now on.
  if (storedLine(now)[1] !== storedLine(own)[1]) mirror.replace({ ...source, own: now });
  return { ...list, input };
}

/**
 * The list that fills a source, to be read now. Throws `profile` for a list of an operation that is not as it was added.
 * @param mirror keeps what such a list is made of
 */
export const planToRead = (run: SyncRun, mirror: Mirror, { own, ...source }: Source): ListPlan =>
  own === undefined ? planOf(source) : planOfCall(run, mirror, { ...source, own });
