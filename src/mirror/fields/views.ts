import { createHash } from 'node:crypto';
import { isGuid } from '../../lexical/guid.js';
import type { Database } from '../../sqlite/open.js';
import { literal, shownOnce, whole } from '../sqlite/schema.js';
import { tableNamed } from '../tables.js';
import { asWord, bareId, columnsFor, type FieldColumn, type NamedField } from './titles.js';

/** Names that a profile has: what a view and its columns are called. Ids are in small letters. */
export interface FieldNames {
  /** Names of fields, the best first. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly entityTypes: ReadonlyMap<string, string>;
}

/** A view of the records of one entity type, with a column a field. */
export interface FieldView {
  readonly name: string;
  /** The table whose records it shows. */
  readonly table: string;
  readonly entityTypeId: string;
  /** Columns of the record that stand before those of the fields. */
  readonly first: readonly string[];
  readonly columns: readonly FieldColumn[];
}

/** A table whose records have fields by their entity type. */
interface Base {
  readonly table: string;
  /** The table of their field values. */
  readonly values: string;
  /** The column of the entity type. */
  readonly type: string;
  readonly first: readonly string[];
}

const bases: readonly Base[] = [
  { table: 'relations', values: 'relation_field_values', type: 'EntityTypeId', first: ['Id', 'DisplayName'] },
  { table: 'relationships', values: 'relationship_field_values', type: 'EntityTypeId', first: ['Id', 'DisplayName'] },
  {
    table: 'activities',
    values: 'activity_field_values',
    type: 'ActivityEntityTypeId',
    first: ['Id', 'Number', 'Info'],
  },
];

/** Most columns of fields that a view has, and most views of a table: SQLite has limits, and the Ids are not ours. */
const most = { columns: 500, views: 100, found: 100_000 };

/** Names that mean the row itself in SQLite. */
const rowNames = ['rowid', 'oid', '_rowid_'];

/** What is kept of views: what they were made of, as a hash, and the views. */
interface Kept {
  readonly madeOf: string;
  readonly views: readonly FieldView[];
}

const keptAs = 'field_views';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function keptIn(database: Database): Kept {
  const text = database.statement('SELECT value FROM "_mirror" WHERE name = ?').first(keptAs)?.[0];
  return typeof text === 'string' ? (JSON.parse(text) as Kept) : { madeOf: '', views: [] };
}

const keep = (database: Database, kept: Kept): unknown =>
  database.statement('INSERT OR REPLACE INTO "_mirror" (name, value) VALUES (?, ?)').run(keptAs, JSON.stringify(kept));

/** The views of a mirror that show fields as columns. Throws `local`. */
export const fieldViewsIn = (database: Database): readonly FieldView[] => keptIn(database).views;

/** Drops the views that show fields of a table, until they are made again: without them its tables may be replaced. */
export function dropFieldViews(database: Database, table: string): void {
  const { views } = keptIn(database);
  const dropped = views.filter((view) => view.table === table);
  if (dropped.length === 0) return;
  for (const { name } of dropped) database.execute(`DROP VIEW IF EXISTS ${quoted(name)}`);
  keep(database, { madeOf: '', views: views.filter((view) => view.table !== table) });
}

/** What the views depend on, as a hash: the syncs that changed rows, and the names. */
function sourceOf(database: Database, { fields, entityTypes }: FieldNames): string {
  const tables = [...bases.map(({ table }) => table), 'workflow_fields'].map(literal).join(', ');
  const syncs = database
    .statement(
      `SELECT s.id, (SELECT max(y.began_at) FROM "_syncs" y WHERE y.source = s.id) FROM "_sources" s WHERE s."table" IN (${tables}) ORDER BY s.id`,
    )
    .all();
  const text = JSON.stringify([syncs, [...fields], [...entityTypes], bases]);
  return createHash('sha256').update(text).digest('base64');
}

/** Names of fields: those of the workflows that the mirror has, in the order of their forms, before those of the profile. */
function namesIn(database: Database, names: FieldNames): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const sql = `SELECT lower("Id"), "Name" FROM "workflow_fields" WHERE "Id" IS NOT NULL AND "Name" <> '' ORDER BY "SortIndex", "Id", "Name" LIMIT ${most.found}`;
  for (const [id, name] of database.statement(sql).each()) {
    found.set(String(id), [...(found.get(String(id)) ?? []), String(name)]);
  }
  for (const [id, others] of names.fields) found.set(id, [...(found.get(id) ?? []), ...others]);
  return found;
}

/** The fields that records have values of, by their entity type. */
function fieldsByType(database: Database, { table, values, type }: Base): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const sql = `SELECT DISTINCT lower(r."${type}") AS t, lower(i."Id") AS f FROM "${whole(values)}" i JOIN "${whole(table)}" r ON r."_seq" = i."_owner" WHERE r."_gone_at" IS NULL ORDER BY t, f LIMIT ${most.found}`;
  for (const [typeId, fieldId] of database.statement(sql).each()) {
    if (typeof typeId !== 'string' || typeof fieldId !== 'string' || !isGuid(typeId) || !isGuid(fieldId)) continue;
    const fields = found.get(typeId);
    if (fields === undefined) found.set(typeId, [fieldId]);
    else fields.push(fieldId);
  }
  return found;
}

/** Names of tables and views in small letters: no view and no column of a field is called so. */
function namesTaken(database: Database): ReadonlySet<string> {
  const names = database.statement('SELECT lower(name) FROM sqlite_schema').all().flat().map(String);
  return new Set([...names, ...rowNames]);
}

interface Making {
  readonly names: FieldNames;
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly taken: ReadonlySet<string>;
}

/** The views of a table, without those of which no field has a name. */
function viewsOf(database: Database, base: Base, { names, fields, taken }: Making): readonly FieldView[] {
  const ranks = new Map([...fields.keys()].map((id, rank) => [id, rank]));
  const rankOf = ({ id }: NamedField): number => ranks.get(id) ?? ranks.size;
  const reserved = new Set([...taken, ...base.first.map((name) => name.toLowerCase())]);
  const used = new Set(taken);
  const known = [...fieldsByType(database, base)].filter(([, ids]) => ids.some((id) => fields.has(id)));
  return known.slice(0, most.views).map(([entityTypeId, ids]) => {
    const named = ids.map((id): NamedField => ({ id, names: fields.get(id) ?? [] }));
    const shown = named.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, most.columns);
    const { table, first } = base;
    const called = asWord(names.entityTypes.get(entityTypeId) ?? '');
    const bare = `${table}_of_${bareId(entityTypeId)}`;
    let name = called === '' ? bare : `${table}_of_${called}`;
    if (used.has(name.toLowerCase())) name = `${name}_${bareId(entityTypeId)}`;
    while (used.has(name.toLowerCase())) name = `${name}_`;
    used.add(name.toLowerCase());
    return { name, table, entityTypeId, first, columns: columnsFor(shown, reserved) };
  });
}

/** The statement that makes a view. Where a record has a field twice, its first value is shown. */
function createView({ values, type }: Base, { name, table, entityTypeId, first, columns }: FieldView): string {
  const value = ({ title, id }: FieldColumn): string =>
    `(SELECT i."Value" FROM "${whole(values)}" i WHERE i."_owner" = r."_seq" AND i."Id" = ${literal(id)} COLLATE NOCASE ORDER BY i."_position" LIMIT 1) AS ${quoted(title)}`;
  const shown = [...first.map((column) => `r."${column}" AS "${column}"`), ...columns.map(value)].join(', ');
  return `CREATE VIEW ${quoted(name)} AS SELECT ${shown} FROM "${whole(table)}" r WHERE r."_gone_at" IS NULL AND r."${type}" = ${literal(entityTypeId)} COLLATE NOCASE${shownOnce(tableNamed(table))}`;
}

/**
 * Makes the views with a column a field, one for each entity type whose records have field values and of whose fields any name
 * is known, when rows or names changed since they were made; those that cannot be made any more are dropped. Throws `local`.
 */
export function makeFieldViews(database: Database, names: FieldNames): void {
  const madeOf = sourceOf(database, names);
  const before = keptIn(database);
  if (before.madeOf === madeOf) return;
  database.write(() => {
    for (const { name } of before.views) database.execute(`DROP VIEW IF EXISTS ${quoted(name)}`);
    const making = { names, fields: namesIn(database, names), taken: namesTaken(database) };
    const made = bases.map((base) => [base, viewsOf(database, base, making)] as const);
    for (const [base, views] of made) for (const view of views) database.execute(createView(base, view));
    keep(database, { madeOf, views: made.flatMap(([, views]) => views) });
  });
}
