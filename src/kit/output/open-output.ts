import type { RecordValue } from '../../core/values/value.js';
import { typeWith } from '../../contract/widen.js';
import type { Context } from '../host/context.js';
import { note } from '../host/notes.js';
import type { Collector, Questions } from '../../formats/query/questions.js';
import type { Session } from '../session/session.js';
import {
  openPlainOutput,
  refuseBytesOnTerminal,
  formatFor,
  type OutputRequest,
  type RecordOutput,
  type RowMaker,
} from './record-output.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { formats, type FormatName } from '../../formats/writers/index.js';
import type { Scope } from '../../formats/query/where/names.js';
import type { Where } from '../../formats/query/where/where.js';
import { profileOf } from '../session/profile-store.js';
import { machineZone, zoneName } from '../session/times.js';

interface Asking {
  /** False for a record that --where drops; undefined where it drops none. */
  readonly keeps: Where['keeps'] | undefined;
  /** Takes all records before any is printed; undefined when they are printed as they come. */
  readonly collector: Collector | undefined;
}

/** True when records cannot be printed as they come. */
export const needsAllRecords = ({ sort, query, count }: Questions): boolean =>
  sort !== undefined || query !== undefined || count === true;

/** Flags that say what is shown of records, and mean nothing where no record is. */
interface RecordFlags {
  readonly columns?: string | undefined;
  readonly explode?: string | undefined;
  readonly join?: string | undefined;
  readonly meta?: boolean | undefined;
}

function refuseColumnFlags({ columns, explode, join, meta, query, count }: Questions & RecordFlags): void {
  if (query === undefined && count !== true) return;
  const other = query === undefined ? '--count' : '--query';
  const recordFlag = Object.entries({ columns, explode, join, meta: meta || undefined }).find(
    ([, value]) => value !== undefined,
  )?.[0];
  if (recordFlag === undefined) return;
  throw usage(`--${recordFlag}`, `--${recordFlag} and ${other} cannot be used together`, {
    advice: `--${recordFlag} is about records, and ${other} prints none.`,
  });
}

function refuseCountIn(format: FormatName, { count }: Questions): void {
  const { binary } = formats[format];
  if (count !== true || binary === undefined) return;
  throw usage('--count', `--count writes a line of text, which is not ${binary}`, {
    advice: 'Choose another format, such as -o csv, and another file ending.',
  });
}

/** Throws `usage` for flags that mean nothing beside --query or --count, and for --count in a format that is no text. */
export function checkAnswerFlags(flags: Questions & RecordFlags, format: FormatName): void {
  refuseColumnFlags(flags);
  refuseCountIn(format, flags);
}

/** Where what is asked of records is read: a session, or what finds a profile. */
interface QueryContext {
  readonly context: Context;
  readonly session: Session | undefined;
}

/** The zone of times that name none: that of the profile, or of the machine where a command has none. */
function zoneOf({ context, session }: QueryContext, flags: OutputRequest['flags']): string {
  if (session !== undefined) return zoneName(context, session.profile);
  try {
    return zoneName(context, profileOf(context, flags));
  } catch (thrown) {
    if (RelctlError.from(thrown).kind === 'profile') return machineZone(context.environment);
    throw thrown;
  }
}

/** What --where keeps of records; undefined without it. It is loaded for those that ask. Throws `usage` for a mistake. */
export async function whereIn(
  queryContext: QueryContext,
  flags: OutputRequest['flags'],
  scope: Omit<Scope, 'zone'>,
): Promise<Where | undefined> {
  if (flags.where === undefined) return undefined;
  const { whereOf } = await import('../../formats/query/where/where.js');
  return whereOf(flags.where, {
    ...scope,
    // A condition without times needs none.
    get zone() {
      return zoneOf(queryContext, flags);
    },
  });
}

/** What flags ask of records; undefined when they ask nothing. Loaded on use. Throws `usage` for a mistake in it. */
export async function askingOf(context: QueryContext, request: OutputRequest): Promise<Asking | undefined> {
  const { flags, isFiltered, record: type, made, shape, limit } = request;
  // What passed --where before is printed as other records: with rows for the items of a list, or its texts in one cell.
  const where = isFiltered === true ? undefined : await whereIn(context, flags, { type, made });
  if (!needsAllRecords(flags)) return where && { keeps: where.keeps, collector: undefined };
  const { collectorOf } = await import('../../formats/query/questions.js');
  return { keeps: where?.keeps, collector: collectorOf(flags, { type, shape, limit }) };
}

const countMaker: RowMaker = { text: () => '.', layout: () => ({ cells: [], end: '.' }) };

/** An output of which nothing is printed before all records have come. */
async function openCollected(
  target: QueryContext & { readonly request: OutputRequest },
  collector: Collector,
): Promise<RecordOutput> {
  const { context, session, request } = target;
  context.onClose(() => collector.close());
  const format = formatFor(context, session, request);
  checkAnswerFlags(request.flags, format);
  refuseBytesOnTerminal(context, request.flags, format);
  const { query, count } = request.flags;
  const isSorted = query === undefined && !count;
  const sorted = isSorted ? await openPlainOutput(context, session, request) : undefined;
  // Loaded now, because the program may be replaced while the records come.
  const { printOutcome } = await import('./outcome-output.js');
  const { count: addCount } = collector;
  return {
    write(records) {
      collector.add(records);
      return Promise.resolve();
    },
    ofText: addCount && {
      maker: countMaker,
      write(_text, rows) {
        addCount(rows);
        return Promise.resolve();
      },
    },
    async finish() {
      await printOutcome(target, collector, sorted);
      if (collector.isCut) await note(context, request.flags, 'stopped at --limit: the list has more rows');
    },
  };
}

const filtered = (output: RecordOutput, { keeps }: Asking): RecordOutput =>
  keeps === undefined
    ? output
    : { write: (records) => output.write(records.filter(keeps)), finish: () => output.finish() };

/** Opens the output of a command with what --where, --sort, --query and --count ask. Throws `usage` and `local`. */
export async function openOutput(
  context: Context,
  session: Session | undefined,
  outputRequest: OutputRequest,
): Promise<RecordOutput> {
  const allowed = session?.connection.allowedValues;
  const request =
    allowed === undefined ? outputRequest : { ...outputRequest, record: typeWith(outputRequest.record, allowed) };
  const asking = await askingOf({ context, session }, request);
  if (asking === undefined) return openPlainOutput(context, session, request);
  const { collector } = asking;
  const output =
    collector === undefined
      ? await openPlainOutput(context, session, request)
      : await openCollected({ context, session, request }, collector);
  return filtered(output, asking);
}

/** Prints records; nothing is made when the output cannot be opened. Throws `usage`, `local` and what making throws. */
export async function printRecords(
  context: Context,
  request: OutputRequest & { readonly session?: Session },
  make: () => readonly RecordValue[] | Promise<readonly RecordValue[]>,
): Promise<void> {
  const output = await openOutput(context, request.session, request);
  await output.write(await make());
  await output.finish();
}

/**
 * Prints the records that --where lets pass, up to `limit`, as their batches come; with --sort the limit counts in its order.
 * Notes `more` where there are more. Throws `usage`, `local` and what the batches throw.
 */
export async function printUpTo(
  context: Context,
  { limit, ...whole }: OutputRequest,
  list: { batches: Iterable<readonly RecordValue[]> | AsyncIterable<readonly RecordValue[]>; more: string },
): Promise<void> {
  const { flags, record: type, made } = whole;
  const request = flags.sort === undefined ? whole : { ...whole, limit };
  const where = await whereIn({ context, session: undefined }, flags, { type, made });
  const output = await openOutput(context, undefined, { ...request, isFiltered: true });
  const most = (flags.sort === undefined ? limit : undefined) ?? Number.POSITIVE_INFINITY;
  let count = 0;
  for await (const batch of list.batches) {
    const passing = batch.filter((record) => where?.keeps(record) ?? true);
    const printed = passing.slice(0, most - Math.min(count, most));
    count += passing.length;
    if (printed.length > 0) await output.write(printed);
    if (count > most) break;
  }
  await output.finish();
  if (count > most) await note(context, flags, `stopped at --limit: ${list.more}`);
}
