import { opt, type Field, type RecordType } from '../../contract/build.js';
import { memberAt } from '../../contract/walk.js';
import { int, string } from '../../contract/scalars.js';
import { tablesWith, type Source } from '../../mirror/sources.js';
import type { MirrorColumn, MirrorTable } from '../../mirror/tables.js';
import type { AnswerColumn } from '../../sqlite/question.js';

/** What a column of the mirror holds, as the contract has it: booleans are numbers there. */
function fieldOf(record: RecordType, { type, path }: MirrorColumn): Field {
  if (type === 'boolean') return opt(int, '');
  if (type === 'instant') return opt(string, '');
  return memberAt(record.fields, path) ?? opt(string, '');
}

/** The record of the items of a list; one without fields for a list of texts. */
function itemOf(record: RecordType, path: readonly string[]): RecordType {
  const type = memberAt(record.fields, path)?.type;
  return type?.kind === 'list' && type.item.kind === 'record' ? type.item : { ...record, fields: {} };
}

const fieldsOf = (columns: readonly MirrorColumn[], record: RecordType): ReadonlyMap<string, Field> =>
  new Map(columns.map((column) => [column.name, fieldOf(record, column)]));

type FieldsByTable = ReadonlyMap<string, ReadonlyMap<string, Field>>;

/** What columns of tables hold, by the name of the table and that of the column. */
const fieldsIn = (tables: Iterable<MirrorTable>): FieldsByTable =>
  new Map(
    [...tables].flatMap(({ name, columns, lists, record }) => [
      [`all_${name}`, fieldsOf(columns, record)] as const,
      ...lists.map((list) => [`all_${list.name}`, fieldsOf(list.columns, itemOf(record, list.path))] as const),
    ]),
  );

/** Gives what a column of an answer holds that shows a column of a mirror of some sources as it is; undefined for another one. */
export function fieldOfColumn(sources: readonly Pick<Source, 'own'>[]): (column: AnswerColumn) => Field | undefined {
  const byTable = fieldsIn(tablesWith(sources));
  return ({ table, column }) => byTable.get(table ?? '')?.get(column ?? '');
}

const isNumber = ({ type }: Field): boolean =>
  type.kind === 'scalar' && (type.name === 'decimal' || type.name === 'long');

/** Names of columns, in small letters, that hold numbers as text in every one of some tables that has them. */
export function numbersAsText(tables: Iterable<MirrorTable>): ReadonlySet<string> {
  const all = [...fieldsIn(tables).values()].flatMap((fields) => [...fields]);
  const others = new Set(all.filter(([, field]) => !isNumber(field)).map(([name]) => name));
  return new Set(
    all
      .map(([name]) => name)
      .filter((name) => !others.has(name))
      .map((name) => name.toLowerCase()),
  );
}
