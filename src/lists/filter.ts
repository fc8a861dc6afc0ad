import type { Claim, Page } from '../client/pages.js';
import type { Row } from '../client/rows/row.js';
import { noTotals, totalsAfter, type WalkState, type WalkTotals } from '../client/paging.js';
import type { RecordType } from '../contract/build.js';
import type { ColumnPlan } from './fields/columns.js';
import { defined, type RecordValue } from '../core/values/value.js';
import { typeWith } from '../contract/widen.js';
import { askingOf, checkAnswerFlags, whereIn } from '../kit/output/open-output.js';
import { mayShowNames, type OutputRequest } from '../kit/output/record-output.js';
import { namedRecords } from '../kit/names/naming.js';
import { madeColumns } from './fields/made.js';
import type { FormatName } from '../formats/writers/index.js';
import { exploded } from '../formats/list-members.js';
import { listColumns, listShapeOf, type ListColumns, type ListShape } from './list-members.js';
import type { ResolvedPlan, Condition, ListRun, Walk } from './plan.js';

interface Coming {
  readonly type: RecordType;
  readonly format: FormatName;
}

/** A list with its columns. */
export interface ResolvedList {
  readonly plan: ResolvedPlan;
  readonly columns: ListColumns;
  /** What becomes of lists within its records. */
  readonly lists: ListShape;
  readonly output: OutputRequest;
}

/** Records in which --where looks for names: as they come, with the names behind their Ids, with rows for a list. */
interface WhereSubject {
  readonly type: RecordType;
  readonly explode: string | undefined;
}

async function whereOf(run: ListRun, plan: ResolvedPlan, { type, explode }: WhereSubject) {
  const own = plan.printed?.type ?? type;
  const rows = explode === undefined ? undefined : exploded(own, explode.split('.'));
  // Fields that have rows have no columns.
  const made = explode?.startsWith('FieldValues') === true ? undefined : await madeColumns(run, plan, type);
  const where = await whereIn(run, run.flags, { type: rows?.type ?? own, made });
  return where && { ...where, rows };
}

/** What --where keeps of the records of a plan, as they come; nothing without it. Throws `usage` for a mistake in it. */
async function conditionOf(run: ListRun, plan: ResolvedPlan, subject: WhereSubject): Promise<Condition | undefined> {
  const where = await whereOf(run, plan, subject);
  if (where === undefined) return undefined;
  const { keeps, looksAt, rows } = where;
  const { printed, middleware } = plan;
  const shown = (record: RecordValue): RecordValue => printed?.of(record) ?? record;
  const [list = ''] = subject.explode?.split('.') ?? [];
  if (rows !== undefined && looksAt.has(list)) {
    const keepsRows = (record: RecordValue): readonly boolean[] => rows.of(shown(record)).map(keeps);
    return { keeps: (record) => keepsRows(record).includes(true), keepsRows };
  }
  if (printed === undefined) return { keeps, looksAt };
  return { keeps: (record) => keeps(shown(record)) || middleware?.isUnsure(record, looksAt) === true };
}

/** The columns of a list whose --limit counts records behind --sort, where a record has several rows. */
async function limitedRows({ flags }: ListRun, columns: ListColumns): Promise<ListColumns> {
  const isLimited = flags.sort !== undefined && flags.limit !== undefined;
  if (!isLimited || columns.plan.rows === undefined) return columns;
  const { numbered } = await import('../formats/query/questions.js');
  const counting = (plan: ColumnPlan<ResolvedPlan>): ColumnPlan<ResolvedPlan> => ({
    ...plan,
    plan: { ...plan.plan, ...defined({ rows: plan.plan.rows && numbered(plan.plan.rows) }) },
    ...defined({ fields: plan.fields && { ...plan.fields, with: (ids) => counting(plan.fields?.with(ids) ?? plan) } }),
  });
  return { ...counting(columns), chosen: columns.chosen };
}

async function withNames(run: ListRun, plan: ResolvedPlan, { type, format }: Coming): Promise<ResolvedPlan> {
  if (!mayShowNames(run.flags, format)) return plan;
  const printed = plan.printed ?? { type, of: (record: RecordValue) => record };
  const named = await namedRecords(run, { ...printed, table: plan.table }, format);
  if (named === undefined) return plan;
  return { ...plan, printed: { type: named.type, of: named.of }, table: named.table, names: named.state };
}

/** Prepares a list for its output. Throws `usage` before any call, but for columns that the records decide. */
export async function resolveList(run: ListRun, resolvedPlan: ResolvedPlan, coming: Coming): Promise<ResolvedList> {
  const { session, flags } = run;
  const { format } = coming;
  const { allowedValues } = session.connection;
  const type = allowedValues === undefined ? coming.type : typeWith(coming.type, allowedValues);
  const given = await withNames(run, resolvedPlan, { type, format });
  checkAnswerFlags(flags, format);
  // A query is asked of records as the contract has them, whatever the format.
  const isTree = flags.query !== undefined || flags.count;
  const lists = isTree ? {} : listShapeOf(flags, given, { format, type });
  const plan = { ...given, ...defined({ where: await conditionOf(run, given, { type, explode: lists.explode }) }) };
  const columns: ListColumns = isTree
    ? { plan, type: plan.printed?.type ?? type, chosen: undefined }
    : await limitedRows(run, await listColumns(run, plan, { format, type }));
  const output: OutputRequest = {
    flags: { ...flags, columns: columns.chosen },
    record: columns.type,
    shape: 'list',
    table: columns.plan.table,
    isFiltered: true,
    isForEdit: plan.forEdit === true,
    limit: flags.sort === undefined ? undefined : flags.limit,
  };
  const isKnown = columns.fields === undefined || columns.fields.known !== undefined;
  if (isKnown) await askingOf(run, output);
  return { plan, columns, lists, output };
}

/** What passes a filter, and how much of it is wanted. */
export interface Passing {
  readonly keeps: (row: Row) => boolean;
  readonly limit: number | undefined;
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
      totals = totalsAfter(totals, page, idOf);
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
