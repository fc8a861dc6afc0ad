import { createHash } from 'node:crypto';
import { listTableName, serviceLists } from '../../contract/lists.js';
import type { Database } from '../../state/sqlite/open.js';
import { literal, onceCondition, allRows } from '../schema.js';
import { isGuidColumn, tableNamed } from '../tables.js';
import { isGuid } from '../../core/text/scalars.js';

interface NamedField {
  readonly id: string;
  readonly names: readonly string[];
}

interface FieldColumn {
  readonly title: string;
  readonly id: string;
}

const longest = 64;

const bareId = (id: string): string => id.replaceAll('-', '');

const cut = (text: string, letters: number): string => Array.from(text).slice(0, letters).join('').trim();

const visible = (name: string): string =>
  cut(
    name
      .normalize('NFC')
      .replace(/[\p{C}\p{Z}]+/gu, ' ')
      .trim(),
    longest,
  );

const keyOf = (name: string): string => name.toLowerCase();

function countsOf(fields: readonly NamedField[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { names } of fields) {
    for (const key of new Set(names.map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** A title that is not taken yet: a field may be called like another one with its Id. */
function freeTitle(title: string, used: ReadonlySet<string>): string {
  let free = title;
  while (used.has(keyOf(free))) free = `${free}_`;
  return free;
}

/**
 * The columns of some fields, in their order. A title is the first name of the field that no other field has and that is not
 * reserved, else its first name with its Id, else its Id. No two titles are the same, whatever the case.
 * @param reserved names in small letters that no column may have
 */
export function columnsFor(fields: readonly NamedField[], reserved: ReadonlySet<string>): readonly FieldColumn[] {
  const titled = fields.map(({ id, names }) => ({
    id,
    names: names.map(visible).filter((name) => name !== ''),
  }));
  const counts = countsOf(titled);
  // A record of JavaScript would put a member whose name is a number before all others.
  const isOwn = (name: string): boolean =>
    counts.get(keyOf(name)) === 1 && !reserved.has(keyOf(name)) && !/^\d+$/.test(name);
  const withId = (name: string, id: string): string => `${cut(name, longest - 33)}_${bareId(id)}`;
  const used = new Set<string>();
  return titled.map(({ id, names }) => {
    const [first] = names;
    const title = freeTitle(names.find(isOwn) ?? (first === undefined ? id : withId(first, id)), used);
    used.add(keyOf(title));
    return { title, id };
  });
}

/** A name as a word of SQL that needs no quotes behind a letter. */
export const asWord = (name: string): string => visible(name).replace(/[^\p{L}\p{M}\p{N}_]+/gu, '_');

/** Names that a profile has: what a view and its columns are called. Ids are in small letters. */
export interface FieldNames {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly entityTypes: ReadonlyMap<string, string>;
}

/** A view of the records of one entity type, with a column a field. */
export interface FieldView {
  readonly name: string;
  readonly table: string;
  readonly entityTypeId: string;
  /** Columns of the record that stand before those of the fields. */
  readonly first: readonly string[];
  readonly columns: readonly FieldColumn[];
}

interface Base {
  readonly table: string;
  readonly values: string;
  readonly type: string;
  readonly first: readonly string[];
}

const bases: readonly Base[] = serviceLists.flatMap(([table, { fields }]) =>
  fields === undefined ? [] : [{ table, values: listTableName(table, ['FieldValues']), ...fields }],
);

/** Most columns of fields that a view has, and most views of a table: databases have limits, and the Ids are not ours. */
const most = { columns: 500, views: 100, found: 100_000 };

interface Making {
  readonly names: FieldNames;
  /** Names of fields by Id, in the order of the columns. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** Names in small letters that no view and no column of a field may have. */
  readonly taken: ReadonlySet<string>;
}

function nameOf(
  { table }: Base,
  entityTypeId: string,
  { names, used }: Making & { readonly used: ReadonlySet<string> },
): string {
  const called = asWord(names.entityTypes.get(entityTypeId) ?? '');
  const isFree = (name: string): boolean => !used.has(name.toLowerCase());
  const begin = `${table}_of_`;
  const named = `${begin}${called}`;
  if (called !== '' && isFree(named)) return named;
  const id = bareId(entityTypeId);
  return freeTitle(called === '' ? `${begin}${id}` : `${begin}${called}_${id}`, used);
}

/** The views of a table, without those of which no field has a name. */
function viewsOf(base: Base, fieldIds: ReadonlyMap<string, readonly string[]>, making: Making): readonly FieldView[] {
  const { fields, taken } = making;
  const ranks = new Map([...fields.keys()].map((id, rank) => [id, rank]));
  const rankOf = ({ id }: NamedField): number => ranks.get(id) ?? ranks.size;
  const { table, first } = base;
  const reserved = new Set([...taken, ...first.map((name) => name.toLowerCase())]);
  const used = new Set(taken);
  const known = [...fieldIds].filter(([, ids]) => ids.some((id) => fields.has(id)));
  return known.slice(0, most.views).map(([entityTypeId, ids]) => {
    const named = ids.map((id): NamedField => ({ id, names: fields.get(id) ?? [] }));
    const visible = named.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, most.columns);
    const name = nameOf(base, entityTypeId, { ...making, used });
    used.add(name.toLowerCase());
    return { name, table, entityTypeId, first, columns: columnsFor(visible, reserved) };
  });
}

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
  const fields = new Map<string, readonly string[]>();
  const add = (id: string, more: readonly string[]): unknown => fields.set(id, [...(fields.get(id) ?? []), ...more]);
  for (const [id, name] of database.statement(sql).all()) add(String(id), [String(name)]);
  for (const [id, more] of names.fields) add(id, more);
  return fields;
}

function fieldsIn(database: Database, { table, values, type }: Base): ReadonlyMap<string, readonly string[]> {
  const sql = `SELECT DISTINCT lower(r."${type}") AS t, lower(i."Id") AS f FROM "${allRows(values)}" i JOIN "${allRows(table)}" r ON r."_seq" = i."_owner" WHERE r."_gone_at" IS NULL ORDER BY t, f LIMIT ${most.found}`;
  const fields = new Map<string, string[]>();
  for (const [typeId, fieldId] of database.statement(sql).all()) {
    if (typeof typeId !== 'string' || typeof fieldId !== 'string' || !isGuid(typeId) || !isGuid(fieldId)) continue;
    const ids = fields.get(typeId);
    if (ids === undefined) fields.set(typeId, [fieldId]);
    else ids.push(fieldId);
  }
  return fields;
}

function usedNames(database: Database): ReadonlySet<string> {
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
  const items = `SELECT "Id", "Value" FROM "${allRows(values)}" WHERE "_owner" = r."_seq" AND "Id" IS NOT NULL ORDER BY "_position"`;
  const rows =
    `SELECT ${own.map((column) => `r.${column} AS ${column}`).join(', ')}, ` +
    `(SELECT json_group_object(lower(i."Id"), i."Value") FROM (${items}) i) AS ${valuesOfRow} FROM "${allRows(table)}" r ` +
    `WHERE r."_gone_at" IS NULL AND r."${type}" = ${literal(entityTypeId)} COLLATE NOCASE${onceCondition(tableNamed(table))}`;
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
    const used = usedNames(database);
    const making = { names, fields: namesIn(database, names), taken: used };
    const made = bases.map((base) => [base, viewsOf(base, fieldsIn(database, base), making)] as const);
    for (const [base, views] of made) for (const view of views) database.execute(createView(base, view));
    store(database, { madeOf, views: made.flatMap(([, views]) => views) });
  });
}
