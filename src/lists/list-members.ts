import type { RecordType } from '../contract/build.js';
import { usage } from '../core/errors/relctl-error.js';
import type { ColumnSource } from './fields/columns.js';
import { nearest } from '../core/text/text.js';
import { allColumns, columnNames, columnWords, typedWord } from '../formats/columns.js';
import { defined } from '../core/values/value.js';
import { formats, type FormatName } from '../formats/writers/index.js';
import { exploded, joined, listPaths, type ListPath } from '../formats/list-members.js';
import { noMember, type ListMemberFlags } from './list-flags.js';
import { reshape, type Step } from './shape.js';

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
  const near = partly[0]?.join('.') ?? nearest(name, titles);
  const there = titles.length === 0 ? 'it has none' : `its lists are ${titles.join(', ')}`;
  throw usage('--explode', `${type.name} has no list '${name}'; ${there}`, near && `--explode ${near}`);
}

/** What becomes of lists within records. */
export interface ListShape {
  /** The list with a row for each item, by its name with dots. */
  readonly explode?: string;
  readonly join?: string;
}

/**
 * What becomes of the lists of records in a format: what the flags say, else what is usual for formats of cells. Throws
 * `usage` for a list that is not there, and for joined texts in a document.
 * @param usual the list whose items usually get rows of their own
 */
export function listShapeOf(
  flags: Partial<ListMemberFlags>,
  usual: string | undefined,
  { format, type }: { readonly format: FormatName; readonly type: RecordType },
): ListShape {
  const { layout } = formats[format];
  const { join } = flags;
  if (join !== undefined && layout === 'tree') {
    throw usage('--join', `--join is for formats with cells, not for ${format}`, {
      advice: 'Omit --join, or choose another format.',
      hint: '-o csv',
    });
  }
  const name = flags.explode ?? (layout === 'cells' && join === undefined ? usual : undefined);
  const isExploded = name !== undefined && !sameName(name, noMember);
  return defined({ explode: isExploded ? pathNamed(type, name).join('.') : undefined, join });
}

/** What asks for a list of a record: when it has rows of its own, its items get no columns. */
const itemColumns: Readonly<Record<string, { readonly parameter: string; readonly prefix: string }>> = {
  'FieldValues.Items': { parameter: 'includeFields', prefix: 'Field.' },
  CounterValues: { parameter: 'includeCounters', prefix: 'Counter.' },
};

/** What columns are decided from, where items that have rows get none. Throws `usage` for --columns that name one of them. */
export function sourceWithoutItems(
  { columns }: { readonly columns?: string | undefined },
  source: ColumnSource,
  explode: string,
): ColumnSource {
  const own = itemColumns[explode];
  if (own === undefined) return source;
  const column = columnNames(columns)?.find((name) => name.startsWith(own.prefix));
  if (column === undefined) return { ...source, input: { ...source.input, [own.parameter]: false } };
  throw usage(
    '--explode',
    `--explode ${explode} prints a row for each item, so there is no column ${column}`,
    `--columns Id,${explode}`,
  );
}

const isWithin = (title: string, member: string): boolean => title === member || title.startsWith(`${member}.`);

const narrowFirst = ['.Value', '.Name'];

/** A narrow table shows what an item says before what it is called, and that before its Id. */
const valueFirst = (left: string, right: string): number => rank(left) - rank(right);

function rank(title: string): number {
  const rankAt = narrowFirst.findIndex((end) => title.endsWith(end));
  return rankAt === -1 ? narrowFirst.length : rankAt;
}

/** The columns of a table, with those of what became of some lists in their places. */
function tableWith(table: readonly string[], type: RecordType, lists: readonly string[]): readonly string[] {
  const titles = allColumns(type).map(({ title }) => title);
  return table.flatMap((title) =>
    lists.includes(title) ? titles.filter((each) => isWithin(each, title)).toSorted(valueFirst) : [title],
  );
}

const titlesOf = (type: RecordType): readonly string[] => listPaths(type).map((path) => path.join('.'));

/** Gives each item of a list a row. */
export function explodeStep(list: string): Step {
  return (shape) => {
    const items = exploded(shape.type, list.split('.'));
    // A list with rows of its own is in a table, whether it usually is or not.
    const table = shape.table.includes(list) ? shape.table : [...shape.table, list];
    return reshape(shape, items, tableWith(table, items.type, [list]));
  };
}

/** Joins the texts of lists. */
export function joinStep(separator: string): Step {
  return (shape) => {
    const texts = joined(shape.type, separator);
    return reshape(shape, texts, tableWith(shape.table, texts.type, titlesOf(shape.type)));
  };
}

interface ReshapedTypes {
  readonly before: RecordType;
  readonly after: RecordType;
  readonly lists: ListShape;
}

/**
 * Titles of --columns, with the columns of what became of a list in the place of its own. Throws `usage` where several of
 * them get one title.
 */
export function chosenTitles(chosen: string, { before, after, lists: { explode, join } }: ReshapedTypes): string {
  const rowType = explode === undefined ? before : exploded(before, explode.split('.')).type;
  const lists = [explode ?? [], join === undefined ? [] : titlesOf(rowType)].flat();
  const all = allColumns(after).map(({ title }) => title);
  return columnWords(chosen)
    .flatMap((word) => {
      const list = lists.find((each) => sameName(each, word.name));
      if (list === undefined) return [typedWord(word)];
      const names = all.filter((name) => isWithin(name, list));
      if (word.title === undefined) return names;
      const [name = list, second] = names;
      if (second !== undefined)
        throw usage('--columns', `${word.name} is ${names.length} columns here: choose one, '${word.title}=${name}'`);
      return [typedWord({ ...word, name })];
    })
    .join(',');
}
