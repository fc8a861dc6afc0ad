import { createHash } from 'node:crypto';
import type { Database } from '../../state/sqlite/open.js';
import { literal, shownOnce, whole } from '../schema.js';
import { isGuidColumn, tableNamed } from '../tables.js';
import {
  bases,
  fieldsByType,
  most,
  namedFields,
  viewsOf,
  type Base,
  type FieldNames,
  type FieldView,
  type Making,
} from './plan.js';

/** Names that mean the row itself in SQLite. */
const rowNames = ['rowid', 'oid', '_rowid_'];

interface StoredViews {
  readonly madeOf: string;
  readonly views: readonly FieldView[];
}

const storedAs = 'field_views';

/** The form of the statements below: views of another one are made anew. */
const form = 3;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function storedIn(database: Database): StoredViews {
  const row = database
    .statement(
      "SELECT value FROM \"_mirror\" WHERE name = ? AND json_valid(value) AND json_type(value, '$.views') = 'array'",
    )
    .first(storedAs);
  return typeof row?.[0] === 'string' ? (JSON.parse(row[0]) as StoredViews) : { madeOf: '', views: [] };
}

const store = (database: Database, stored: StoredViews): unknown =>
  database
    .statement('INSERT OR REPLACE INTO "_mirror" (name, value) VALUES (?, ?)')
    .run(storedAs, JSON.stringify(stored));

/** The views of a mirror that show fields as columns, as they were made: another program's may never end. Throws `local`. */
export function fieldViewsIn(database: Database): readonly FieldView[] {
  const there = new Map(
    database
      .statement("SELECT name, sql FROM sqlite_schema WHERE type = 'view'")
      .all()
      .map(([name, sql]) => [name, sql]),
  );
  const isMade = (view: FieldView): boolean => {
    const base = bases.find(({ table }) => table === view.table);
    return base !== undefined && there.get(view.name) === createView(base, view);
  };
  return storedIn(database).views.filter(isMade);
}

/** Drops the views that show fields of a table, until they are made again: without them its tables may be replaced. */
export function dropFieldViews(database: Database, table: string): void {
  const { views } = storedIn(database);
  const dropped = views.filter((view) => view.table === table);
  if (dropped.length === 0) return;
  for (const { name } of dropped) database.execute(`DROP VIEW IF EXISTS ${quoted(name)}`);
  store(database, { madeOf: '', views: views.filter((view) => view.table !== table) });
}

function sourceOf(database: Database, { fields, entityTypes }: FieldNames): string {
  const tables = [...bases.map(({ table }) => table), 'workflow_fields'].map(literal).join(', ');
  const syncs = database
    .statement(
      `SELECT s.id, (SELECT max(y.began_at) FROM "_syncs" y WHERE y.source = s.id) FROM "_sources" s WHERE s."table" IN (${tables}) ORDER BY s.id`,
    )
    .all();
  const text = JSON.stringify([form, syncs, [...fields], [...entityTypes], bases]);
  return createHash('sha256').update(text).digest('base64');
}

/** Names of fields: those of the workflows that the mirror has, in the order of their forms, before those of the profile. */
function namesIn(database: Database, names: FieldNames): Making['fields'] {
  const sql = `SELECT lower("Id"), "Name" FROM "workflow_fields" WHERE "Id" IS NOT NULL AND "Name" <> '' ORDER BY "SortIndex", "Id", "Name" LIMIT ${most.found}`;
  const rows = database.statement(sql).all();
  return namedFields(
    rows.map(([id, name]) => [String(id), String(name)]),
    names,
  );
}

function fieldsIn(database: Database, { table, values, type }: Base): ReturnType<typeof fieldsByType> {
  const sql = `SELECT DISTINCT lower(r."${type}") AS t, lower(i."Id") AS f FROM "${whole(values)}" i JOIN "${whole(table)}" r ON r."_seq" = i."_owner" WHERE r."_gone_at" IS NULL ORDER BY t, f LIMIT ${most.found}`;
  const rows = database.statement(sql).all();
  return fieldsByType(rows.map(([type, field]) => [type, field]));
}

function namesTaken(database: Database): ReadonlySet<string> {
  const names = database.statement('SELECT lower(name) FROM sqlite_schema').all().flat().map(String);
  return new Set([...names, ...rowNames]);
}

const valuesOfRow = '"_values"';

/**
 * The statement that makes a view. Where a record has a field twice, its first value is shown. The values of a record are read
 * once for all columns, as JSON: with a question for each column, 3,000 records of 500 fields took 38 s; so they take 3 s.
 */
function createView({ values, type }: Base, { name, table, entityTypeId, first, columns }: FieldView): string {
  const own = first.map((column) => `"${column}"`);
  const ofFields = columns.map(({ title, id }) => `json_extract(${valuesOfRow}, '$."${id}"') AS ${quoted(title)}`);
  const items = `SELECT "Id", "Value" FROM "${whole(values)}" WHERE "_owner" = r."_seq" AND "Id" IS NOT NULL ORDER BY "_position"`;
  const rows =
    `SELECT ${own.map((column) => `r.${column} AS ${column}`).join(', ')}, ` +
    `(SELECT json_group_object(lower(i."Id"), i."Value") FROM (${items}) i) AS ${valuesOfRow} FROM "${whole(table)}" r ` +
    `WHERE r."_gone_at" IS NULL AND r."${type}" = ${literal(entityTypeId)} COLLATE NOCASE${shownOnce(tableNamed(table))}`;
  // SQLite would write a question with one part into the other, and read the values once for each column again.
  // The first of both says how the values of a column are compared.
  const isGuid = (column: string): boolean =>
    tableNamed(table).columns.some((each) => `"${each.name}"` === column && isGuidColumn(each));
  const nothing = `SELECT ${[...own, valuesOfRow].map((column) => `NULL${isGuid(column) ? ' COLLATE NOCASE' : ''} AS ${column}`).join(', ')} WHERE 0`;
  return `CREATE VIEW ${quoted(name)} AS SELECT ${[...own, ...ofFields].join(', ')} FROM (${nothing} UNION ALL ${rows})`;
}

/**
 * Makes the views with a column a field, one for each entity type whose records have field values and of whose fields any name
 * is known, when rows or names changed since they were made; those that cannot be made any more are dropped. Throws `local`.
 */
export function makeFieldViews(database: Database, names: FieldNames): void {
  const madeOf = sourceOf(database, names);
  const before = storedIn(database);
  if (before.madeOf === madeOf) return;
  database.write(() => {
    for (const { name } of before.views) database.execute(`DROP VIEW IF EXISTS ${quoted(name)}`);
    const taken = namesTaken(database);
    const making = { names, fields: namesIn(database, names), taken };
    const made = bases.map((base) => [base, viewsOf(base, fieldsIn(database, base), making)] as const);
    for (const [base, views] of made) for (const view of views) database.execute(createView(base, view));
    store(database, { madeOf, views: made.flatMap(([, views]) => views) });
  });
}
