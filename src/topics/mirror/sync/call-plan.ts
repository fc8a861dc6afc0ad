import { knownOperations, readingImport } from '../../../kit/operations/described.js';
import type { Operation } from '../../../contract/build.js';
import { RelctlError } from '../../../core/errors/relctl-error.js';
import { shellCommand } from '../../../core/text/shell/command.js';
import { operationList, type OperationList } from '../../../lists/of-operation/list.js';
import { refuseWrite } from '../../../lists/of-operation/operation.js';
import { pathText } from '../../../lists/of-operation/parameters.js';
import type { ListPlan } from '../../../lists/plan.js';
import { storedLine } from '../../../mirror/of-call/stored.js';
import { callTable, differencesOf, isTooWide, type CalledList, type CallTable } from '../../../mirror/of-call/table.js';
import type { Mirror } from '../../../mirror/mirror.js';
import type { Source } from '../../../mirror/sources.js';
import { planOf, type SyncRun } from './plan.js';

/** Code of the failures of a source whose operation is not the one any more that was added. */
export const changedOperation = 'changed-operation';

/** The error for a source that cannot be read as it was added. */
const refused = (source: Source, what: string): RelctlError =>
  new RelctlError('profile', `${source.name} cannot be read as it was added: ${what}`, {
    facts: { code: changedOperation },
    advice:
      `The table ${source.table} stays as it is. To read the list as it is now, remove the source, which deletes its rows, ` +
      'and add it again.',
    hint: shellCommand(['mirror', 'remove', source.name]),
  });

/** Differences that an error tells. */
const mostTold = 5;

/** Throws `profile` where the columns of a table are not those that it would have now. */
export function refuseChanged(source: Source & { readonly own: CallTable }, now: CallTable): void {
  const differences = differencesOf(source.own, now);
  if (differences.length === 0) return;
  const more = differences.length > mostTold ? `, and ${differences.length - mostTold} more` : '';
  throw refused(source, `in its records ${differences.slice(0, mostTold).join(', ')}${more}`);
}

/** The list of an operation as it is called. Throws `usage`. */
const calledList = (operation: Operation, call: CalledList): OperationList =>
  operationList(operation, {
    list: pathText(call.list),
    key: pathText(call.key),
    pageParam: call.pageParam,
    sizeParam: call.sizeParam,
  });

/** The operation of a source as the profile knows it now. Throws `profile`. */
function operationOf({ context, flags }: SyncRun, source: Source, { operation: name, isRead }: CalledList): Operation {
  const { find, isOfOther } = knownOperations(context, flags.profile);
  const found = find(name);
  if (found === undefined && isOfOther) throw refused(source, 'what was imported is of another service');
  if (found === undefined) throw refused(source, `the profile knows no operation ${name} any more`);
  return found.source === 'imported' && isRead === true ? { ...found, access: 'read' } : found;
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

/** The list of an operation that fills a source, as it is now. Throws `profile` when it is not the one any more that was added. */
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
