import { serviceLists } from '../contract/lists.js';
import { defined, type RecordValue } from '../core/values/value.js';
import type { Database, Row } from '../state/sqlite/open.js';
import { storedTables } from './of-call/stored.js';
import type { CallTable } from './of-call/table.js';
import { damaged, jsonIn, mirrorTables, tableNamed, type MirrorTable } from './tables.js';

/** What fills a table, or a part of it: the list of one operation. */
export interface Source {
  /** Its name in commands and in the mirror: that of the table, or one that `mirror add` made. */
  readonly name: string;
  readonly table: string;
  /** The request without its page number and size. */
  readonly input: RecordValue;
  /** The table, where it is one that the mirror has for this source alone. */
  readonly own?: CallTable;
}

/** The table that a source fills. Throws RelctlError `bug` for a name that is none. */
export const tableOf = ({ table, own }: Pick<Source, 'table' | 'own'>): MirrorTable => own ?? tableNamed(table);

/** The tables of a mirror that is filled by some sources: those that each mirror has, and those of the sources alone. */
export const tablesWith = (sources: readonly Pick<Source, 'own'>[]): readonly MirrorTable[] => [
  ...mirrorTables.values(),
  ...sources.flatMap(({ own }) => own ?? []),
];

/** What a sync did to the rows of a source. */
export interface Difference {
  readonly rows: number;
  readonly added: number;
  readonly changed: number;
  readonly gone: number;
}

interface Unfinished {
  readonly startedAt: string;
  readonly pages: number;
  readonly rows: number;
}

/** A source of a mirror, with what its syncs did. */
export interface SourceState extends Source {
  readonly id: number;
  /** When the last complete sync ended; undefined before the first. */
  readonly syncedAt: string | undefined;
  readonly last: Difference | undefined;
  readonly unfinished: Unfinished | undefined;
}

/** What `mirror sync` reads when nothing was added: the lists that need no Id; of one by an enumeration, a source for each value. */
export const usualSources: readonly Source[] = serviceLists.flatMap(([table, { usual }]) => {
  if (usual !== true) return [];
  const { parameter, field } = mirrorTables.get(table)?.columns.find((column) => column.parameter !== undefined) ?? {};
  if (parameter === undefined || field?.type.kind !== 'enumeration') return [{ name: table, table, input: {} }];
  return field.type.values.map((value) => ({ name: `${table} ${value}`, table, input: { [parameter]: value } }));
});

const columns = 'id, name, "table", input, synced_at, rows, added, changed, gone';

const textOf = (cell: Row[number] | undefined): string | undefined => (typeof cell === 'string' ? cell : undefined);

function unfinishedIn(database: Database, id: number): Unfinished | undefined {
  const row = database.statement('SELECT began_at, state FROM "_passes" WHERE source = ?').first(id);
  if (row === undefined) return undefined;
  const position = typeof row[1] === 'string' ? (jsonIn(row[1]) as { pages?: number; rows?: number }) : undefined;
  return { startedAt: String(row[0]), pages: position?.pages ?? 0, rows: position?.rows ?? 0 };
}

/** The tables that a mirror has for lists of operations, by their names. Throws `local` for what no relctl wrote. */
export const callTablesIn = (database: Database): ReadonlyMap<string, CallTable> =>
  storedTables(database.statement('SELECT name, value FROM "_mirror"').each());

function tableIn(name: string, own: ReadonlyMap<string, unknown>): string {
  if (!mirrorTables.has(name) && !own.has(name))
    throw damaged(`a source for the table '${name.slice(0, 100)}', which no mirror has`);
  return name;
}

/** The sources of a mirror, in their order. */
export function sourcesIn(database: Database): readonly SourceState[] {
  const own = callTablesIn(database);
  return database
    .statement(`SELECT ${columns} FROM "_sources" ORDER BY id`)
    .all()
    .map(([id, name, table, input, syncedAt, rows, added, changed, gone]) => ({
      id: Number(id),
      name: String(name),
      table: tableIn(String(table), own),
      ...defined({ own: own.get(String(table)) }),
      input: jsonIn(String(input)) as RecordValue,
      syncedAt: textOf(syncedAt),
      last:
        syncedAt === null
          ? undefined
          : { rows: Number(rows), added: Number(added), changed: Number(changed), gone: Number(gone) },
      unfinished: unfinishedIn(database, Number(id)),
    }));
}

const filledNames = 'filled:';

/** Members by the table, that records of its lists did have although the interface document says that they are nil there. */
export function filledIn(database: Database): ReadonlyMap<string, readonly string[]> {
  const sql = 'SELECT name, value FROM "_mirror" WHERE name GLOB ?';
  const rows = database.statement(sql).all(`${filledNames}*`);
  return new Map(rows.map(([name, value]) => [String(name).slice(filledNames.length), String(value).split(' ')]));
}

/** The name under which a mirror keeps those members of a table. */
export const filledName = (table: string): string => `${filledNames}${table}`;
