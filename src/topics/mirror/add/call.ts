import { namesOf } from '../../../mirror/schema.js';
import { type Values, option } from '../../../kit/flags/define.js';
import type { listChoiceFlags, parameterFlags, readFlag } from '../../../lists/of-operation/operation-flags.js';
import type { CommonFlags } from '../../../kit/flags/common.js';
import { maskedEnvelope } from '../../../kit/calls/masked-envelope.js';
import { listNames } from '../../../kit/operations/list.js';
import { fromFile, withParams } from '../../../kit/operations/input.js';
import type { SessionContext } from '../../../kit/session/session.js';
import type { Operation, RecordType } from '../../../contract/build.js';
import { type RelctlError, usage } from '../../../core/errors/relctl-error.js';
import type { Context } from '../../../kit/host/context.js';
import {
  operationList,
  refusePageValues,
  type OperationList,
  readOperation,
} from '../../../lists/of-operation/list.js';
import { listPath, pageInput } from '../../../lists/plan.js';
import {
  callTable,
  isTooWide,
  mostValues,
  type CalledList,
  type CallTable,
  callPrefix,
  namesNeeded,
  tableNameFor,
  tableNameOf,
} from '../../../mirror/of-call/table.js';
import type { RecordValue } from '../../../core/values/value.js';
import { refuseChanged } from '../sync/sync.js';
import { reportAdded, type addFlags, openToWrite } from '../open.js';
import { shellWord } from '../../../core/text/text.js';
import { tablesWith, type Source, type SourceState } from '../../../mirror/sources.js';

/** What the names of sources begin with that are lists of operations, unless they were given a name. */
export const callWord = 'call:';

const usualTables: ReadonlySet<string> = new Set(tablesWith([]).flatMap(namesOf));

function ownTableName(text: string, flag: string): string {
  if (usualTables.has(text)) throw usage(flag, `${text} is a table of every mirror`, `${flag} my_${text}`);
  const name = tableNameFor(text);
  if (name !== undefined) return name;
  throw usage(flag, `'${text}' is not a valid table name`, {
    advice: 'A name has lower-case letters, digits and _, begins with a letter, and has at most 35 characters.',
    hint: `${flag} open_orders`,
  });
}

/** Gives a source a name of its own. */
export const asFlag = {
  as: option(ownTableName, { helpValue: 'NAME' })({
    summary: 'Name of the source and its table, call_NAME.',
  }),
};

type OfCall = SourceState & { readonly own: CallTable };

const isOfCall = (source: SourceState): source is OfCall => source.own !== undefined;

const requestOf = (call: CalledList, input: RecordValue): string =>
  JSON.stringify([{ ...call, isRead: undefined }, input]);

const pathOf = ({ list }: CalledList): string => list.join('.');

const isThere = (name: string, asksFor: string): RelctlError =>
  usage('--as', `the mirror has a source '${name}' already, which reads ${asksFor}`, {
    hint: `relctl mirror remove ${shellWord(name)}`,
  });

/** The table of which something has a name that another one needs. */
function holderOf(table: CallTable, there: readonly SourceState[]): string | undefined {
  const needed = new Set(namesNeeded(table));
  return tablesWith(there).find((each) => namesNeeded(each).some((name) => needed.has(name)))?.name;
}

/** The source as it is named by --as, else by the operation, and by the list where another one of the operation is there. */
function newCallSource(
  { call, record, as }: { readonly call: CalledList; readonly record: RecordType; readonly as: string | undefined },
  there: readonly SourceState[],
): Omit<Source, 'input'> {
  const tableAs = (name: string): CallTable => callTable(name, call, record);
  const isFree = (name: string): boolean => there.every((source) => source.name !== name);
  if (as !== undefined) {
    if (!isFree(as)) throw isThere(as, 'something else');
    const own = tableAs(as);
    const holder = holderOf(own, there);
    if (holder === undefined) return { name: as, table: as, own };
    throw usage('--as', `${as} is already the name of an object of the table ${holder}`, {
      advice: 'Choose another name.',
      hint: 'relctl mirror status',
    });
  }
  const own = tableAs(tableNameOf(call, (name) => holderOf(tableAs(name), there) === undefined));
  const short = `${callWord}${call.operation}`;
  const names = [short, `${short}.${pathOf(call)}`];
  const name = names.find(isFree);
  const isSameList = ({ operation, list }: CalledList): boolean =>
    operation === call.operation && list.join('.') === pathOf(call);
  const other = there.filter(isOfCall).find((each) => names.includes(each.name) && isSameList(each.own.call));
  if (name !== undefined && other === undefined) return { name, table: own.name, own };
  throw usage('LIST', `the mirror has a source '${other?.name ?? short}' already, which reads something else`, {
    advice: 'The same list with other parameters needs another name, for its table too.',
    hint: `--as ${own.name.slice(callPrefix.length)}`,
  });
}

type Flags = Values<
  typeof listChoiceFlags & typeof parameterFlags & typeof readFlag & typeof asFlag & typeof addFlags
> &
  CommonFlags;

function noListNamed(operation: Operation): RelctlError {
  const [first = 'MEMBER', ...others] = listNames(operation);
  const lists = others.length === 0 ? `its list is ${first}` : `its lists are ${[first, ...others].join(', ')}`;
  return usage('--list', `--list is missing: which list of ${operation.name}? ${lists}`, `--list ${first}`);
}

function listOf(context: Context, name: string, flags: Flags): OperationList {
  const { list, 'page-params': pageParams, key } = flags;
  const operation = readOperation(context, name, flags);
  if (list === undefined) throw noListNamed(operation);
  const operationLists = operationList(operation, { list, ...pageParams, key });
  if (operationLists.key === undefined) {
    throw usage(
      '--key',
      `the records of ${operationLists.path} of ${name} have no member Id, and the mirror must identify them`,
      {
        advice:
          'Name the member that identifies them with --key MEMBER. Without one, relctl call --list reads the list.',
        hint: '--key MEMBER',
      },
    );
  }
  if (!isTooWide(operationLists.record)) return operationLists;
  throw usage(
    '--list',
    `the records of ${operationLists.path} of ${name} have more than ${mostValues} members, too many for a table`,
  );
}

const calledOf = (name: string, list: OperationList, flags: Flags): CalledList => ({
  operation: name,
  list: listPath(list),
  key: list.key ?? [],
  ...flags['page-params'],
  ...(flags.read ? { isRead: true } : {}),
});

async function inputOf({ context, session, flags }: SessionContext<Flags>, list: OperationList): Promise<RecordValue> {
  const { operation } = list;
  const input = withParams(await fromFile(context, flags.input, operation), flags.param, { operation, isKnown: true });
  refusePageValues(list, input);
  // What a sync could not send is a mistake now.
  const first = list.pages === undefined ? input : pageInput(list, input, { number: 1, size: 1 });
  maskedEnvelope(session.connection, { operation, input: first });
  return input;
}

/**
 * Adds a list of an operation to what a mirror reads, with a table of its own; one that is read already stays as it is. Throws
 * `usage` for what is no list, for an operation that may write, for records that nothing tells apart, for a name that is taken, and where
 * the same list is asked for in another way without a name of its own; `profile` where it is not as it was added before; and what opening the mirror throws.
 */
export async function addCall(context: Context, name: string, flags: Flags): Promise<void> {
  const list = listOf(context, name, flags);
  const call = calledOf(name, list, flags);
  const { session, mirror } = await openToWrite(context, flags);
  const input = await inputOf({ context, session, flags }, list);
  const there = mirror.sources();
  const same = there.filter(isOfCall).find((each) => requestOf(each.own.call, each.input) === requestOf(call, input));
  if (same !== undefined) {
    if (flags.as !== undefined && flags.as !== same.table) throw isThere(same.name, 'the same');
    refuseChanged(same, callTable(same.table, call, list.record));
    return reportAdded(context, flags, { names: [same.name], isNew: false });
  }
  const source = { ...newCallSource({ call, record: list.record, as: flags.as }, there), input };
  mirror.add(source);
  return reportAdded(context, flags, { names: [source.name], isNew: true });
}
