import { scalar } from '../../../contract/build.js';
import { int, string } from '../../../contract/scalars.js';
import { tablesWith, type Source } from '../../../mirror/store.js';
import { idColumnOf, type MirrorColumn, type MirrorTable } from '../../../mirror/tables.js';
import type { Column } from '../../../output/columns.js';
import type { RecordValue } from '../../../plain/value.js';
import type { Database } from '../../../sqlite/open.js';
import type { Cell } from '../../../tables/cells.js';

/** A table of the mirror as a file shows it: the rows that are there, without the whole record as JSON. */
export interface ExportTable {
  /** Its name, and that of the file: none that the service gave. */
  readonly name: string;
  /** The table whose records it shows: itself, or the one that has it as a list. */
  readonly table: string;
  readonly columns: readonly Column[];
}

const column = (title: string, type: Column['type']): Column => ({ title, path: [title], type });

const ofMirror = ({ name, type }: MirrorColumn): Column =>
  column(name, type === 'enumeration' || type === 'instant' ? string : scalar(type));

function tablesIn(table: MirrorTable): readonly ExportTable[] {
  const { name, columns, lists } = table;
  const times = [column('_first_seen', string), column('_changed_at', string)];
  const { type } = idColumnOf(table);
  const owner = type === 'int' || type === 'short' ? int : string;
  const place = [column('_owner', owner), column('_position', int)];
  return [
    { name, table: name, columns: [...columns.map(ofMirror), ...times] },
    ...lists.map((list) => ({ name: list.name, table: name, columns: [...place, ...list.columns.map(ofMirror)] })),
  ];
}

/** The tables of a mirror of some sources that can be exported, those of lists behind the one that has them. */
export const exportTables = (sources: readonly Pick<Source, 'own'>[]): readonly ExportTable[] =>
  tablesWith(sources).flatMap(tablesIn);

/** The value of a cell: SQLite has no booleans. */
const valueOf = ({ type }: Column, cell: Cell): Cell | boolean =>
  cell !== null && type.kind === 'scalar' && type.name === 'boolean' ? cell !== 0 : cell;

/** The rows of a table that are there, one after the other. */
export function* rowsOf(database: Database, { name, columns }: ExportTable): Generator<RecordValue> {
  const titles = columns.map(({ title }) => `"${title}"`).join(', ');
  for (const row of database.statement(`SELECT ${titles} FROM "${name}"`).each()) {
    yield Object.fromEntries(columns.map((each, at) => [each.title, valueOf(each, row[at] ?? null)]));
  }
}
