import { type BulkFlags, bulkFlags } from '../../writes/flags.js';

import { commonFlags } from '../../kit/flags/common.js';
import { wholeOf, callsAtOnce } from '../../kit/flags/readers.js';
import { refuseWith } from '../../kit/flags/define.js';
import { checkInput, fromFile, withParams } from '../../kit/operations/input.js';
import { openSession, type Session } from '../../kit/session/session.js';
import { checkOrder, periodEnd } from '../../kit/session/times.js';
import { usage } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { inAnyCase } from '../../core/text/text.js';
import { operationList, refusePageValues, type OperationList, readOperation } from '../../lists/of-operation/list.js';
import type { PeriodNames } from '../../lists/of-operation/parameters.js';
import type { ListFlags, ListPlan, ListRun } from '../../lists/plan.js';
import { runList } from '../../lists/run.js';
import { withChanges } from '../../lists/command.js';
import type { RecordValue } from '../../core/values/value.js';
import { type FreeCallFlags, listFlags, refuseOfDescribed, sharedFlags } from './flags.js';
import { isBelowOpen } from '../../kit/operations/list.js';

interface ListCall {
  readonly context: Context;
  readonly args: { readonly operation: string };
  readonly flags: FreeCallFlags & { readonly list: string };
}

function refuseUnfitFlags(flags: ListCall['flags']): void {
  const values: Readonly<Record<string, unknown>> = flags;
  if (flags.file !== undefined) {
    throw usage('--file', '--list reads, and --file FILE writes rows', {
      advice: 'Set the start of a period as a parameter: --param from=TIME.',
    });
  }
  const names = Object.keys(bulkFlags).filter((name) => !Object.hasOwn(sharedFlags, name));
  const others = [...names, 'raw-output', 'write'];
  refuseWith('--list', Object.fromEntries(others.map((name) => [`--${name}`, values[name]])));
}

function checkPages({ operation: { name }, pages }: OperationList, flags: ListCall['flags']): void {
  if (pages !== undefined || !flags.consistent) return;
  throw usage('--consistent', `--consistent is for lists with pages, and ${name} returns its whole list`, {
    advice: 'Use --page-params to name the parameter for the page number.',
  });
}

function checkChanges({ operation: { name, omitsMembers }, key }: OperationList, flags: ListCall['flags']): void {
  if (flags['changes-since'] === undefined) return;
  if (omitsMembers === true) {
    throw usage('--changes-since', `rows of ${name} omit members, so relctl may miss changes`, {
      advice: 'Request what was modified since a time.',
      hint: `relctl relation ${name === 'RelationGetMarksModified' ? 'marks' : 'activities'} ID --from -2d`,
    });
  }
  if (key !== undefined) return;
  throw usage('--changes-since', `the records of this list of ${name} have no member Id`, {
    advice: 'Name the member that identifies them with --key MEMBER.',
  });
}

const delimiters: Readonly<Record<NonNullable<BulkFlags['delimiter']>, string>> = {
  comma: ',',
  semicolon: ';',
  pipe: '|',
  tab: '\t',
};

function flagsOfList({ context, flags }: ListCall, { path }: OperationList): ListFlags {
  const { delimiter, concurrency } = flags;
  if (delimiter === 'tab') throw usage('--delimiter', 'use the format tsv for tabs', '-o tsv');
  const own = Object.entries(flags).filter(
    ([name]) => Object.hasOwn(listFlags, name) || Object.hasOwn(commonFlags, name),
  );
  const atOnce = context.environment.variables['RELCTL_CONCURRENCY'];
  // The flags of the names that all lists have, with values of the same types but these two.
  return {
    ...Object.fromEntries(own),
    list: path,
    delimiter: delimiter && delimiters[delimiter],
    concurrency: concurrency ?? (atOnce === undefined ? undefined : wholeOf(atOnce, 'RELCTL_CONCURRENCY', callsAtOnce)),
  } as unknown as ListFlags;
}

interface PeriodInput {
  readonly input: RecordValue;
  readonly from?: string;
  readonly to?: string;
}

function endOfPeriod(text: string, period: PeriodNames | undefined): readonly ['from' | 'to', string] | undefined {
  const at = text.indexOf('=');
  const typed = text.slice(0, Math.max(at, 0));
  if (period === undefined || at < 1) return undefined;
  const name = inAnyCase(typed, [period.from, period.to]);
  return name === undefined ? undefined : [name === period.from ? 'from' : 'to', text.slice(at + 1)];
}

async function periodInput({ context, flags }: ListCall, list: OperationList): Promise<PeriodInput> {
  const { operation, period } = list;
  const texts = flags.param ?? [];
  const ends = texts.map((text) => endOfPeriod(text, period)).filter((end) => end !== undefined);
  const others = texts.filter((text) => endOfPeriod(text, period) === undefined);
  const input = withParams(await fromFile(context, flags.input, operation), others, { operation, isKnown: true });
  refusePageValues(list, input);
  return { input, ...Object.fromEntries(ends) };
}

type Run = ListRun & { readonly flags: ListFlags };

async function withPeriod(run: Run, { input, from, to }: PeriodInput, period: PeriodNames): Promise<RecordValue> {
  const flagOf = (end: 'from' | 'to'): string => `--param ${period[end]}`;
  const first = from && (await periodEnd(run, { text: from, flag: flagOf('from'), side: 'earlier' }));
  const last = to && (await periodEnd(run, { text: to, flag: flagOf('to'), side: 'later' }));
  if (first && last) checkOrder(first, last, [flagOf('from'), flagOf('to')]);
  return { ...input, ...(first && { [period.from]: first }), ...(last && { [period.to]: last }) };
}

/**
 * The flags that give the rows of a list which nothing describes, as of a DataSet of .NET, by one call; undefined for any other
 * list. One row alone stands there without a list. Throws `usage` for flags that such a list has no use for.
 */
export function openRowsFlags({ context, args, flags }: ListCall): FreeCallFlags | undefined {
  refuseUnfitFlags(flags);
  const operation = readOperation(context, args.operation, flags);
  if (!isBelowOpen(operation, flags.list)) return undefined;
  refuseOfDescribed(flags);
  const { list, ...others } = flags;
  // Each element on the way may come more than once: then it is a list in the answer.
  const steps = list.split('.').map((name) => `[].[${JSON.stringify(name)}][]`);
  return { ...others, query: `[@]${steps.join('')}[] | [?@ != \`null\`]` } as FreeCallFlags;
}

/** Reads a list of an operation as list commands do. Throws `usage` for what is no list, and what `runList` throws. */
export async function readOperationList(call: ListCall): Promise<void> {
  const { context, flags } = call;
  const { list: name, 'page-params': pageParams, key } = flags;
  const list = operationList(readOperation(context, call.args.operation, flags), {
    list: name,
    ...pageParams,
    key,
  });
  checkPages(list, flags);
  checkChanges(list, flags);
  const own = flagsOfList(call, list);
  const periodOf = await periodInput(call, list);
  const session: Session = await openSession(context, own, list.operation);
  const run = { context, session, flags: own };
  const input = list.period === undefined ? periodOf.input : await withPeriod(run, periodOf, list.period);
  const plan: ListPlan = { ...list, input };
  // What each call for a page says is not missing.
  checkInput(list.operation, list.request?.page?.of(input, { number: 1, size: 1 }) ?? input);
  const changes = await withChanges(run, own, plan);
  await runList(changes.run, changes.plan);
}
