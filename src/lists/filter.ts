import type { Claim, Page } from '../client/pages.js';
import { noTotals, type WalkState, type WalkTotals } from '../client/paging.js';
import type { RecordType } from '../contract/build.js';
import type { ColumnPlan } from '../fields/columns.js';
import { defined } from '../plain/defined.js';
import type { RecordValue } from '../plain/value.js';
import { typeWith } from '../contract/widen.js';
import { askingOf, checkAnswerFlags } from '../cli/output/questions.js';
import type { OutputRequest } from '../cli/output/record-output.js';
import { namedRecords } from '../cli/names/naming.js';
import { seenMembers } from '../cli/output/seen-members.js';
import type { FormatName } from '../output/formats/index.js';
import type { Answering } from '../query/questions.js';
import { listColumns, listShapeOf, type ListColumns, type ListShape } from './list-members.js';
import type { ListPlan, ListRun, Walk } from './plan.js';

/** What --filter keeps of a list; the plan converts records to what is printed, which the filter is asked of. */
export type Keeps = (record: RecordValue) => boolean;

/** The record type of a list as it comes, and the format that it is printed in. */
interface Coming {
  readonly type: RecordType;
  readonly format: FormatName;
}

/** A list with its columns. */
export interface AskedList {
  /** The plan with what --filter keeps. */
  readonly plan: ListPlan;
  readonly columns: ListColumns;
  /** What becomes of lists within its records. */
  readonly lists: ListShape;
  /** The request of its output. */
  readonly output: OutputRequest;
}

/**
 * What --filter keeps of the records of a plan, as they come; nothing without --filter. Throws `usage` for a mistake in the
 * expression.
 */
async function keepsOf(
  { flags }: ListRun,
  { printed }: ListPlan,
  { type, seen }: Answering,
): Promise<Pick<ListPlan, 'keeps' | 'looksAt'>> {
  if (flags.filter === undefined) return {};
  const { filterOf } = await import('../query/questions.js');
  const { keeps, looksAt } = filterOf(flags, { type: printed?.type ?? type, shape: 'list', seen });
  if (printed === undefined) return { keeps, ...defined({ looksAt }) };
  return { keeps: (record) => keeps(printed.of(record)) };
}

/** The columns of a list whose --limit counts records behind --sort, where a record has several rows. */
async function limitedRows({ flags }: ListRun, columns: ListColumns): Promise<ListColumns> {
  const isLimited = flags.sort !== undefined && flags.limit !== undefined;
  if (!isLimited || columns.plan.rows === undefined) return columns;
  const { numbered } = await import('../query/questions.js');
  const counting = (plan: ColumnPlan<ListPlan>): ColumnPlan<ListPlan> => ({
    ...plan,
    plan: { ...plan.plan, ...defined({ rows: plan.plan.rows && numbered(plan.plan.rows) }) },
    ...defined({ fields: plan.fields && { ...plan.fields, with: (ids) => counting(plan.fields?.with(ids) ?? plan) } }),
  });
  return { ...counting(columns), chosen: columns.chosen };
}

/** A plan whose records have the names behind the Ids of others, where they are shown. */
async function withNames(run: ListRun, plan: ListPlan, { type, format }: Coming): Promise<ListPlan> {
  const printed = plan.printed ?? { type, of: (record: RecordValue) => record };
  const named = await namedRecords(run, { ...printed, table: plan.table }, format);
  if (named === undefined) return plan;
  return { ...plan, printed: { type: named.type, of: named.of }, table: named.table, names: named.state };
}

/**
 * Prepares a list for its output, and checks what is asked of its records before any call, but for columns that the records
 * decide. Throws `usage`.
 */
export async function askList(run: ListRun, asked: ListPlan, coming: Coming): Promise<AskedList> {
  const { context, session, flags } = run;
  const { format } = coming;
  const { allowedValues } = session.connection;
  const type = allowedValues === undefined ? coming.type : typeWith(coming.type, allowedValues);
  const given = await withNames(run, asked, { type, format });
  checkAnswerFlags(flags, format);
  const seen = seenMembers(context, session, type.name);
  const plan = { ...given, ...(await keepsOf(run, given, { type, shape: 'list', seen })) };
  // A query is asked of records as the contract has them, whatever the format.
  const isTree = flags.query !== undefined || flags.count;
  const columns: ListColumns = isTree
    ? { plan, type: plan.printed?.type ?? type, chosen: undefined }
    : await limitedRows(run, await listColumns(run, plan, { format, type }));
  const lists = isTree ? {} : listShapeOf(flags, plan, { format, type });
  const output: OutputRequest = {
    flags: { ...flags, columns: columns.chosen },
    record: columns.type,
    shape: 'list',
    table: columns.plan.table,
    seen,
    isFiltered: true,
    isForEdit: plan.forEdit === true,
    limit: flags.sort === undefined ? undefined : flags.limit,
  };
  const isKnown = columns.fields === undefined || columns.fields.known !== undefined;
  if (isKnown) await askingOf(output);
  return { plan, columns, lists, output };
}

/** Counts what a page adds to a walk. */
function added(
  totals: WalkTotals,
  { records, duplicates, changed = 0, retries }: Page,
  idOf: Passing['idOf'],
): WalkTotals {
  const hasId = (record: RecordValue): boolean => idOf(record) !== undefined;
  const [first, last] = [records.find(hasId), records.findLast(hasId)];
  return {
    ...totals,
    pages: totals.pages + 1,
    rows: totals.rows + records.length,
    duplicates: totals.duplicates + duplicates,
    changed: totals.changed + changed,
    retries: totals.retries + retries,
    firstId: totals.firstId ?? (first && idOf(first)),
    lastId: (last && idOf(last)) ?? totals.lastId,
  };
}

/** What passes a filter, and how much of it is wanted. */
export interface Passing {
  readonly keeps: Keeps;
  readonly limit: number | undefined;
  /** Id of a record. */
  readonly idOf: (record: RecordValue) => string | undefined;
}

async function* passing(
  pages: AsyncGenerator<Page, Claim>,
  { keeps, idOf, limit = Number.POSITIVE_INFINITY }: Passing,
  from: WalkTotals,
): AsyncGenerator<Page, Claim> {
  let totals = from;
  try {
    while (totals.rows < limit) {
      const step = await pages.next();
      if (step.done === true) {
        const { rows, firstId, lastId } = totals;
        return { ...step.value, rows, firstId, lastId };
      }
      const records = step.value.records.filter(keeps).slice(0, limit - totals.rows);
      const page = { ...step.value, records };
      totals = added(totals, page, idOf);
      yield page;
    }
    // Whether a record behind these passes is not known, and may take the whole list to find out.
    return { ...totals, ended: 'limit', shifted: false, more: true };
  } finally {
    await pages.return(undefined as never);
  }
}

/** The pages of a walk without the records that a filter drops; --limit counts the others. */
export const filteredWalk =
  (walk: Walk, given: Passing): Walk =>
  (resume?: WalkState) =>
    passing(walk(resume), given, resume ?? noTotals);
