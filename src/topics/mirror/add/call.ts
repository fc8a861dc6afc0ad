import { membersInServiceForm } from '../../../cli/flags/by-type.js';
import type { Values } from '../../../cli/flags/define.js';
import type { listChoiceFlags, parameterFlags, readFlag } from '../../../cli/flags/lists/of-operation.js';
import type { CommonFlags } from '../../../cli/flags/output.js';
import { maskedEnvelope } from '../../../cli/calls/masked-envelope.js';
import { listNames } from '../../../cli/operations/list.js';
import { fromFile, param } from '../../../cli/operations/input.js';
import type { Session } from '../../../cli/session/session.js';
import type { Operation } from '../../../contract/build.js';
import type { RelctlError } from '../../../errors/relctl-error.js';
import { usage } from '../../../errors/usage.js';
import type { Context } from '../../../host/context.js';
import { operationList, refusePageValues, type OperationList } from '../../../lists/of-operation/list.js';
import { readOperation } from '../../../lists/of-operation/operation.js';
import { pageInput } from '../../../lists/plan.js';
import { callTable, isTooWide, mostValues, type CalledList } from '../../../mirror/of-call/table.js';
import type { RecordValue } from '../../../plain/value.js';
import { refuseChanged } from '../../../syncs/call-plan.js';
import { sayAdded, type addFlags } from './sources.js';
import { isOfCall, newCallSource, refuseOtherName, requestOf, type asFlag } from './call-source.js';
import { openToWrite } from '../open.js';

type Flags = Values<
  typeof listChoiceFlags & typeof parameterFlags & typeof readFlag & typeof asFlag & typeof addFlags
> &
  CommonFlags;

/** The error for a command line that names no list. */
function noListNamed(operation: Operation): RelctlError {
  const [first = 'MEMBER', ...others] = listNames(operation);
  const lists = others.length === 0 ? `its list is ${first}` : `its lists are ${[first, ...others].join(', ')}`;
  return usage('--list', `--list is missing: which list of ${operation.name}? ${lists}`, `--list ${first}`);
}

/** The list that flags say. Throws `usage` for what is none, or cannot be kept. */
function listOf(context: Context, name: string, flags: Flags): OperationList {
  const { list, 'page-params': pageParams, key } = flags;
  const operation = readOperation(context, name, flags);
  if (list === undefined) throw noListNamed(operation);
  const found = operationList(operation, { list, ...pageParams, key });
  if (found.key === undefined) {
    throw usage(
      '--key',
      `the records of ${found.path} of ${name} have no member Id, and a mirror has to know them again`,
      {
        advice:
          'Name the member that tells them apart by --key MEMBER. Without one, relctl call --list reads the list.',
        hint: '--key MEMBER',
      },
    );
  }
  if (!isTooWide(found.record)) return found;
  throw usage(
    '--list',
    `the records of ${found.path} of ${name} have more than ${mostValues} members, and no table does`,
  );
}

/** What tells how the list is read, as the mirror keeps it. */
const calledOf = (name: string, { holders = [], shows, key = [] }: OperationList, flags: Flags): CalledList => ({
  operation: name,
  list: [...holders, shows],
  key,
  ...flags['page-params'],
  ...(flags.read ? { isRead: true } : {}),
});

/** The parameters that are given. Throws `usage` for what the operation does not take. */
async function inputOf(context: Context, session: Session, { list, flags }: Wanted): Promise<RecordValue> {
  const { operation } = list;
  const read = membersInServiceForm(operation.parameters, await fromFile(context, flags.input));
  const given = (flags.param ?? []).map((text) => param(text, operation, true));
  const input: RecordValue = { ...read, ...Object.fromEntries(given) };
  refusePageValues(list, input);
  // What a sync could not send is a mistake now.
  const first = list.pages === undefined ? input : pageInput(list, input, { number: 1, size: 1 });
  maskedEnvelope(session.connection, { operation, input: first });
  return input;
}

/** What is wanted. */
interface Wanted {
  readonly list: OperationList;
  readonly flags: Flags;
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
  const input = await inputOf(context, session, { list, flags });
  const there = mirror.sources();
  const same = there.filter(isOfCall).find((each) => requestOf(each.own.call, each.input) === requestOf(call, input));
  if (same !== undefined) {
    refuseOtherName(same, flags.as);
    refuseChanged(same, callTable(same.table, call, list.record));
    return sayAdded(context, flags, { names: [same.name], isNew: false });
  }
  const source = { ...newCallSource({ call, record: list.record, as: flags.as }, there), input };
  mirror.add(source);
  return sayAdded(context, flags, { names: [source.name], isNew: true });
}
