import type { RecordType } from '../contract/build.js';
import { typeWith } from '../contract/widen.js';
import type { RecordValue } from '../core/values/value.js';
import { exploded, type Reshaped } from '../formats/list-members.js';
import type { FormatName } from '../formats/writers/index.js';
import { namedRecords } from '../names/record-names.js';
import { askingOf, checkAnswerFlags, whereIn } from '../kit/output/open-output.js';
import { mayShowNames, type OutputRequest } from '../kit/output/record-output.js';
import { columnsOf, type Columns, madeColumns } from './fields/columns.js';
import {
  chosenTitles,
  explodeStep,
  joinStep,
  listShapeOf,
  sourceWithoutItems,
  type ListShape,
} from './list-members.js';
import type { Condition, ListPlan, ListRun, ResolvedPlan } from './plan.js';
import { convert, type Shape, type Step } from './shape.js';

interface Arrival {
  readonly type: RecordType;
  readonly format: FormatName;
}

/** A list with its columns. */
export interface ResolvedList {
  readonly plan: ResolvedPlan;
  readonly columns: Columns;
  /** What becomes of lists within its records. */
  readonly lists: ListShape;
  readonly output: OutputRequest;
}

/** Which records --where keeps, and the step that drops rows of those that are kept, where it is about items of a list. */
interface Filter {
  readonly condition: Condition;
  readonly step?: Step;
}

/** The records as --where sees them: those that are printed, with the names behind their Ids, and before fields have columns. */
interface Named {
  readonly plan: ResolvedPlan;
  readonly shape: Shape;
  readonly type: RecordType;
  /** The list whose items have rows. */
  readonly explode: string | undefined;
}

async function whereOf(run: ListRun, { plan, shape, type, explode }: Named) {
  const items = explode === undefined ? undefined : exploded(shape.type, explode.split('.'));
  // Fields that have rows have no columns.
  const made = explode?.startsWith('FieldValues') === true ? undefined : await madeColumns(run, plan, type);
  const where = await whereIn(run, run.flags, { type: items?.type ?? shape.type, made });
  return where && { ...where, items };
}

const dropRows =
  (keepsRows: (record: RecordValue) => readonly boolean[]): Step =>
  (shape) => ({
    ...shape,
    rows(record) {
      const keeps = keepsRows(record);
      return (shape.rows?.(record) ?? [record]).filter((_row, index) => keeps[index] === true);
    },
  });

/** What --where keeps of the records of a list; undefined without it. Throws `usage` for a mistake in it. */
async function filterOf(run: ListRun, named: Named): Promise<Filter | undefined> {
  const where = await whereOf(run, named);
  if (where === undefined) return undefined;
  const { keeps, looksAt, items } = where;
  const { rows } = named.shape;
  const [list = ''] = named.explode?.split('.') ?? [];
  if (items !== undefined && looksAt.has(list)) {
    const all: Reshaped['of'] = (record) => (rows?.(record) ?? [record]).flatMap(items.of);
    const keepsRows = (record: RecordValue): readonly boolean[] => all(record).map(keeps);
    return { condition: { keeps: (record) => all(record).some(keeps) }, step: dropRows(keepsRows) };
  }
  if (rows === undefined) return { condition: { keeps, looksAt } };
  const { middleware = [] } = run;
  return {
    condition: {
      keeps: (record) => rows(record).some(keeps) || middleware.some((each) => each.isUnsure(record, looksAt)),
    },
  };
}

/** Numbers the rows of each record, where --limit counts records behind --sort and a record has several rows. */
async function numberStep({ flags }: ListRun, { explode }: ListShape): Promise<readonly Step[]> {
  if (flags.sort === undefined || flags.limit === undefined || explode === undefined) return [];
  const { numbered } = await import('../formats/query/questions.js');
  return [({ rows, ...shape }) => ({ ...shape, rows: rows && numbered(rows) })];
}

/** The records as they are printed before fields have columns, and the plan with the state of the names in them. */
async function nameRecords(run: ListRun, plan: ListPlan, { type, format }: Arrival) {
  const { table, printed } = plan;
  const own = { type, table };
  const named = mayShowNames(run.flags, format)
    ? await namedRecords(run, { ...(printed ?? { type, of: (record: RecordValue) => record }), table }, format)
    : undefined;
  if (named !== undefined) return { plan: { ...plan, names: named.state }, shape: convert(own, named, named.table) };
  return { plan, shape: printed === undefined ? own : convert(own, printed, table) };
}

/** What becomes of lists within records. Most lists ask for nothing. Throws `usage`. */
function listsIn({ explode, join }: ListRun['flags'], usual: string | undefined, arrival: Arrival): ListShape {
  return (explode ?? join ?? usual) === undefined ? {} : listShapeOf({ explode, join }, usual, arrival);
}

/** Prepares a list for its output. Throws `usage` before any call, but for columns that the records decide. */
export async function resolveList(run: ListRun, listPlan: ListPlan, arrival: Arrival): Promise<ResolvedList> {
  const { session, flags } = run;
  const { format } = arrival;
  const { allowedValues } = session.connection;
  const type = allowedValues === undefined ? arrival.type : typeWith(arrival.type, allowedValues);
  const { plan: namedPlan, shape } = await nameRecords(run, listPlan, { type, format });
  checkAnswerFlags(flags, format);
  // A query is asked of records as the contract has them, whatever the format.
  const isTree = flags.query !== undefined || flags.count;
  const lists = isTree ? {} : listsIn(flags, namedPlan.explodes, { format, type });
  const filter = await filterOf(run, { plan: namedPlan, shape, type, explode: lists.explode });
  const plan = { ...namedPlan, where: filter?.condition };
  const { chosen, columns } = isTree
    ? { chosen: undefined, columns: { shape } }
    : await columnsIn(run, { plan, shape, lists, format, filter });
  const output: OutputRequest = {
    flags: { ...flags, columns: chosen },
    record: columns.shape.type,
    shape: 'list',
    table: columns.shape.table,
    isFiltered: true,
    isForEdit: flags['for-edit'] === true,
    limit: flags.sort === undefined ? undefined : flags.limit,
  };
  const isKnown = columns.fields === undefined || columns.fields.known !== undefined;
  if (isKnown) await askingOf(run, output);
  return { plan, columns, lists, output };
}

interface ColumnParts extends Pick<ResolvedList, 'plan' | 'lists'> {
  readonly shape: Shape;
  readonly format: FormatName;
  readonly filter: Filter | undefined;
}

/** The columns of fields, with lists exploded or joined, and those that --columns names of them. Throws `usage`. */
async function columnsIn(
  run: ListRun,
  { plan, shape, lists, format, filter }: ColumnParts,
): Promise<{ readonly columns: Columns; readonly chosen: string | undefined }> {
  const { explode, join } = lists;
  const source = explode === undefined ? plan : sourceWithoutItems(run.flags, plan, explode);
  const { shape: first, fields } = await columnsOf(run, { ...source, format }, shape);
  const steps = [
    ...(explode === undefined ? [] : [explodeStep(explode)]),
    ...(join === undefined ? [] : [joinStep(join)]),
    ...(filter?.step ? [filter.step] : []),
    ...(await numberStep(run, lists)),
  ];
  const stepped = (each: Shape): Shape => steps.reduce((before, step) => step(before), each);
  const columns: Columns = {
    shape: stepped(first),
    fields: fields && { known: fields.known, with: (ids) => stepped(fields.with(ids)) },
  };
  const { columns: titles } = run.flags;
  const types = { before: first.type, after: columns.shape.type, lists };
  return { columns, chosen: titles === undefined ? undefined : chosenTitles(titles, types) };
}
