import type { RecordType } from '../contract/build.js';
import { usage } from '../core/errors/relctl-error.js';
import { columnPlan, type ColumnFormat, type ColumnPlan } from './fields/columns.js';
import { nearest } from '../core/text/nearest.js';
import { allColumns } from '../formats/columns.js';
import { columnNames, columnWords, typedWord, type ColumnWord } from '../formats/column-words.js';
import { formats } from '../formats/writers/index.js';
import { exploded, joined, listPaths, type ListPath, type Reshaped } from '../formats/list-members.js';
import { noMember, type ListMemberFlags } from './list-flags.js';
import type { ResolvedPlan, ListRun } from './plan.js';

const sameName = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

/** The list that a name means: all of its path, or as much of its beginning or end as no other list has. */
function pathNamed(type: RecordType, name: string): ListPath {
  const all = listPaths(type);
  const titles = all.map((path) => path.join('.'));
  const lower = `.${name.toLowerCase()}.`;
  const partly = all.filter((path) => {
    const title = `.${path.join('.').toLowerCase()}.`;
    return title.startsWith(lower) || title.endsWith(lower);
  });
  const listPath = all.find((path) => sameName(path.join('.'), name)) ?? (partly.length === 1 ? partly[0] : undefined);
  if (listPath !== undefined) return listPath;
  if (all.length === 0) {
    throw usage('--explode', `--explode ${name}: ${type.name} has no lists`, { advice: 'Leave --explode out.' });
  }
  const near = partly[0]?.join('.') ?? nearest(name, titles);
  const what =
    partly.length > 1 ? `several lists of ${type.name} are called '${name}'` : `${type.name} has no list '${name}'`;
  throw usage('--explode', `${what}; its lists are ${titles.join(', ')}`, near && `--explode ${near}`);
}

/** What becomes of lists within records. */
export interface ListShape {
  /** The list with a row for each item, by its name with dots. */
  readonly explode?: string;
  readonly join?: string;
}

type Flags = Partial<ListMemberFlags>;

/**
 * What becomes of the lists of a plan in a format: what the flags say, else what the plan says for formats of cells. Throws
 * `usage` for a list that is not there, and for joined texts in a document.
 */
export function listShapeOf(flags: Flags, plan: ResolvedPlan, { format, type }: ColumnFormat): ListShape {
  const { layout } = formats[format];
  if (flags.join !== undefined && layout === 'tree') {
    throw usage('--join', `--join is for formats with cells, not for ${format}`, {
      advice: 'Leave --join out, or take another format.',
      hint: '-o csv',
    });
  }
  const usual = layout === 'cells' && flags.join === undefined ? plan.explodes : undefined;
  const name = flags.explode ?? usual;
  const explode = name === undefined || sameName(name, noMember) ? undefined : pathNamed(type, name).join('.');
  return { ...(explode === undefined ? {} : { explode }), ...(flags.join === undefined ? {} : { join: flags.join }) };
}

/** What asks for a list of a record: when it has rows of its own, its items get no columns. */
const askedFor: Readonly<Record<string, { readonly parameter: string; readonly prefix: string }>> = {
  'FieldValues.Items': { parameter: 'includeFields', prefix: 'Field.' },
  CounterValues: { parameter: 'includeCounters', prefix: 'Counter.' },
};

function refuseItsColumns(flags: ListRun['flags'], explode: string): void {
  const { prefix = '' } = askedFor[explode] ?? {};
  const column = columnNames(flags.columns)?.find((name) => prefix !== '' && name.startsWith(prefix));
  if (column === undefined) return;
  throw usage(
    '--explode',
    `--explode ${explode} gives each item a row, so that there is no column ${column}`,
    `--columns Id,${explode}`,
  );
}

const isWithin = (title: string, member: string): boolean => title === member || title.startsWith(`${member}.`);

const narrowFirst = ['.Value', '.Name'];

/** A narrow table shows what an item says before what it is called, and that before its Id. */
const valueFirst = (left: string, right: string): number => rank(left) - rank(right);

function rank(title: string): number {
  const place = narrowFirst.findIndex((end) => title.endsWith(end));
  return place === -1 ? narrowFirst.length : place;
}

function reshaped(
  plan: ColumnPlan<ResolvedPlan>,
  change: (type: RecordType) => Reshaped,
  lists: readonly string[],
): ColumnPlan<ResolvedPlan> {
  const { type, of } = change(plan.type);
  const { rows: before, table } = plan.plan;
  const rows: ResolvedPlan['rows'] = before === undefined ? of : (record) => before(record).flatMap(of);
  const titles = allColumns(type).map(({ title }) => title);
  const shown = table.flatMap((title) =>
    lists.includes(title) ? titles.filter((each) => isWithin(each, title)).toSorted(valueFirst) : [title],
  );
  const { fields } = plan;
  return {
    ...plan,
    type,
    plan: { ...plan.plan, rows, table: shown },
    ...(fields === undefined
      ? {}
      : { fields: { ...fields, with: (ids) => reshaped(fields.with(ids), change, lists) } }),
  };
}

/** A list with rows of its own is in a table, whether it usually is or not. */
const showing = (plan: ResolvedPlan, list: string): ResolvedPlan =>
  plan.table.includes(list) ? plan : { ...plan, table: [...plan.table, list] };

/** The columns of a list, and those of --columns with the members of lists that became columns. */
export interface ListColumns extends ColumnPlan<ResolvedPlan> {
  readonly chosen: string | undefined;
}

const manyAs = ({ name, title = '' }: ColumnWord, names: readonly string[]): Error =>
  usage('--columns', `${name} is ${names.length} columns here, and one of them can be called '${title}'`, {
    advice: `Name one: --columns '${title}=${names[0] ?? ''}'`,
  });

/** Titles, with the columns of what became of a list in the place of its own. */
function withMembers(chosen: string | undefined, type: RecordType, lists: readonly string[]): string | undefined {
  if (chosen === undefined) return undefined;
  const all = allColumns(type).map(({ title }) => title);
  return columnWords(chosen)
    .flatMap((word) => {
      const list = lists.find((each) => sameName(each, word.name));
      if (list === undefined) return [typedWord(word)];
      const names = all.filter((name) => isWithin(name, list));
      if (word.title === undefined) return names;
      const [name = list, second] = names;
      if (second !== undefined) throw manyAs(word, names);
      return [typedWord({ ...word, name })];
    })
    .join(',');
}

/** The columns of a list in a format, as `columnPlan` finds them, with its lists exploded or joined. Throws `usage`. */
export async function listColumns(run: ListRun, plan: ResolvedPlan, how: ColumnFormat): Promise<ListColumns> {
  const { flags } = run;
  const { explode, join } = listShapeOf(flags, plan, how);
  if (explode !== undefined) refuseItsColumns(flags, explode);
  const { parameter } = askedFor[explode ?? ''] ?? {};
  const shownPlan = explode === undefined ? plan : showing(plan, explode);
  const resolvedPlan =
    parameter === undefined ? shownPlan : { ...shownPlan, input: { ...plan.input, [parameter]: false } };
  const found = await columnPlan(run, resolvedPlan, how);
  const own = { ...found, plan: { ...found.plan, input: plan.input } };
  const rowed = explode === undefined ? own : reshaped(own, (type) => exploded(type, explode.split('.')), [explode]);
  const lists = join === undefined ? [] : listPaths(rowed.type).map((path) => path.join('.'));
  const columns = join === undefined ? rowed : reshaped(rowed, (type) => joined(type, join), lists);
  const changed = explode === undefined ? lists : [explode, ...lists];
  return { ...columns, chosen: withMembers(flags.columns, columns.type, changed) };
}
