import { isSameName, nameKey } from '../../../lexical/same-name.js';
import type { RecordValue } from '../../../plain/value.js';
import type { Postgres } from '../../../postgres/connect.js';
import type { Database } from '../../../sqlite/open.js';
import { namedTables, type RecordKind } from '../../names/kinds.js';
import { shownColumns } from '../../names/shown.js';
import { bulkInto } from '../../sqlite/bulk.js';
import { createMirror, ownTables, whole } from '../../sqlite/schema/tables.js';
import { tableNamed } from '../../tables.js';
import { addRows, copyInto, copyMirror, type Chosen, type Copying } from './copy.js';
import { listed, quoted, type Names } from '../schema.js';
import { timeText } from '../source.js';

/** A name of a kind that stands for an Id. */
interface Named {
  readonly kind: RecordKind;
  readonly text: string;
}

/**
 * A pattern for LIKE that fits whatever differs from a name in forms of characters and case of letters. A letter of ASCII that
 * may be one character beyond it, such as the sign of kelvin, is one; all else that is beyond fits anything.
 */
function patternOf(name: string): string {
  const written = name
    .normalize('NFC')
    .replace(/[ -~]?[^ -~]+/g, '\u0000')
    .replace(/[kK;`]/g, '\u0001');
  return written
    .replace(/[%_\\]/g, '\\$&')
    .replace(/\u0000+/g, '%')
    .replace(/\u0001/g, '_');
}

/** Rows whose key is a name, to the letter: found by the index of the key, but for texts beyond ASCII. */
function exactly(key: string, text: string): Chosen {
  const column = `r.${quoted(key)}`;
  const where = `r._gone_at IS NULL AND (${column} = $1 OR ${column} = $2 OR (${column} LIKE $3 AND ${column} ~ '[^ -~]'))`;
  const keeps = ({ [key]: found }: RecordValue): boolean => typeof found === 'string' && isSameName(found, text);
  return { where, values: [text, text.normalize('NFC'), patternOf(text)], keeps };
}

/** Rows whose key is a name in any case of letters. All rows are looked at. */
function caseless(key: string, text: string): Chosen {
  const name = nameKey(text);
  const keeps = ({ [key]: found }: RecordValue): boolean => typeof found === 'string' && nameKey(found) === name;
  // The case of letters beyond ASCII, which a server knows by its language, is in the pattern.
  return { where: `r._gone_at IS NULL AND r.${quoted(key)} COLLATE "C" ILIKE $1`, values: [patternOf(text)], keeps };
}

/** Copies the rows whose keys are a name, and gives how many: a row whose second key it is too counts once more. */
async function addNamed(
  copying: Copying,
  { kind, text }: Named,
  chosen: (key: string, text: string) => Chosen,
): Promise<number> {
  let count = 0;
  for (const { table, keys } of namedTables[kind]) {
    for (const key of keys) count += await addRows(copying, tableNamed(table), chosen(key, text));
  }
  return count;
}

/**
 * Copies, of the tables of a kind, the rows that a name may stand for: those that have it to the letter, and where there is none
 * those in any case; all rows without a name. Throws as `copyInto` does, and for all rows as `copyMirror` does.
 */
export function copyNamed(
  postgres: Postgres,
  names: Names,
  { kind, text }: { readonly kind: RecordKind; readonly text?: string },
): Promise<Database> {
  const tables = namedTables[kind].map(({ table }) => tableNamed(table));
  if (text === undefined) return copyMirror(postgres, names, { tables });
  return copyInto(postgres, { names, tables: createMirror() }, async (copying) => {
    if ((await addNamed(copying, { kind, text }, exactly)) === 0) await addNamed(copying, { kind, text }, caseless);
  });
}

const createShown = (table: string, columns: readonly string[]): string =>
  `CREATE TABLE "${whole(table)}" ("_seq" INTEGER PRIMARY KEY, "Id" TEXT, ${columns.map((name) => `"${name}" TEXT`).join(', ')}, "_gone_at" TEXT) STRICT;`;

async function addShown(
  { postgres, names, database }: Copying,
  table: string,
  columns: readonly string[],
): Promise<void> {
  const into = bulkInto(database, whole(table), { columns: ['_seq', 'Id', ...columns, '_gone_at'] });
  const isNamed = columns.map((name) => `${quoted(name)} <> ''`).join(' OR ');
  const sql = `SELECT _seq, "Id", ${listed(columns)}, ${timeText('_gone_at')} FROM ${names.whole(table)} WHERE ${isNamed} ORDER BY _seq`;
  for await (const [seq, ...cells] of postgres.each(sql)) into.add([Number(seq), ...cells]);
  into.flush();
  database.execute(`CREATE INDEX "${table}_by_id" ON "${whole(table)}" ("Id")`);
}

/** Copies what records are called, by their Ids. Throws as `copyInto` does. */
export function copyShown(postgres: Postgres, names: Names, tables: readonly string[]): Promise<Database> {
  const all = tables.map((table) => [table, shownColumns(table)] as const);
  const statements = [ownTables, ...all.map(([table, columns]) => createShown(table, columns))].join('\n');
  return copyInto(postgres, { names, tables: statements }, async (copying) => {
    for (const [table, columns] of all) await addShown(copying, table, columns);
  });
}
