import type { Field, RecordType, Type } from '../../contract/build.js';
import { fitted } from '../fields/titles.js';
import type { MirrorColumn, MirrorList, MirrorTable } from '../tables.js';
import { idColumnOf, mirrorTables } from '../tables.js';

/** Version of the layout of a mirror in PostgreSQL. */
export const formatVersion = 1;

/** A name as it stands in a statement. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A text as it stands in a statement, whatever the settings of the server say of backslashes. */
export const literal = (text: string): string =>
  `${text.includes('\\') ? 'E' : ''}'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;

/** Names of what a mirror is made of, in its schema, as they stand in statements. */
export interface Names {
  readonly schema: string;
  /** A table of the mirror itself, such as `_sources`, or a view. */
  readonly own: (name: string) => string;
  /** The table that holds all rows, those too that are gone. */
  readonly whole: (name: string) => string;
  /** The table that a sync puts rows into until they become visible. */
  readonly staged: (name: string) => string;
}

/** The names in a schema. */
export function namesIn(schema: string): Names {
  const own = (name: string): string => `${quoted(schema)}.${quoted(name)}`;
  return { schema, own, whole: (name) => own(`all_${name}`), staged: (name) => own(`_stage_${name}`) };
}

const types: Readonly<Record<MirrorColumn['type'], string>> = {
  guid: 'uuid',
  string: 'text',
  enumeration: 'text',
  anyType: 'text',
  int: 'integer',
  short: 'integer',
  boolean: 'boolean',
  long: 'bigint',
  decimal: 'numeric',
  dateTime: 'text',
  instant: 'timestamptz',
};

/** The type of a column: none rounds but the instant, which stands beside the text of its dateTime. */
const typeOf = ({ type }: Pick<MirrorColumn, 'type'>): string => types[type];

/** The type of the Ids of a table. */
export const idType = (table: MirrorTable): string => typeOf(idColumnOf(table));

/** The Id of a record to the letter, from its text: types such as uuid have another form of it. */
export const idInRecord = (table: MirrorTable, prefix = ''): string =>
  `${prefix}_record::json #>> '{${idColumnOf(table).path.map(quoted).join(',')}}'`;

/** The names of columns as they stand in a statement, with a prefix such as `r.`. */
export const listed = (names: readonly string[], prefix = ''): string =>
  names.map((name) => `${prefix}${quoted(name)}`).join(', ');

/** The columns of a staged row. */
export const stagedColumns = ({ columns }: MirrorTable): readonly string[] => [
  '_seq',
  ...columns.map(({ name }) => name),
  '_record',
  '_hash',
];

/** The columns of the item of a list. */
export const itemColumns = ({ columns }: MirrorList): readonly string[] => [
  '_owner',
  '_position',
  ...columns.map(({ name }) => name),
];

const defined = (columns: readonly MirrorColumn[]): string =>
  columns.map((column) => `${quoted(column.name)} ${typeOf(column)}, `).join('');

/** The statement that makes the table of the relations that were asked for, which mirrors of earlier versions have not. */
export const createAsked = ({ own }: Names): string =>
  `CREATE TABLE ${own('_asked')} (source integer NOT NULL, relation uuid NOT NULL, through_ms bigint,
  began_at timestamptz NOT NULL, PRIMARY KEY (source, relation));`;

const ownTables = ({ own }: Names): string => `
CREATE TABLE ${own('_mirror')} (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE ${own('_sources')} (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE,
  "table" text NOT NULL, input text NOT NULL, synced_from timestamptz, synced_at timestamptz,
  rows bigint, added bigint, changed bigint, gone bigint);
CREATE TABLE ${own('_syncs')} (source integer NOT NULL, began_at timestamptz NOT NULL, ended_at timestamptz NOT NULL,
  PRIMARY KEY (source, began_at));
CREATE TABLE ${own('_pages')} (source integer NOT NULL, number integer NOT NULL, signature text NOT NULL,
  seqs text NOT NULL, PRIMARY KEY (source, number));
CREATE TABLE ${own('_passes')} (source integer PRIMARY KEY, calls text NOT NULL, began_at timestamptz NOT NULL,
  reading integer NOT NULL, state text, last_page integer);
CREATE TABLE ${own('_pass_pages')} (source integer NOT NULL, reading integer NOT NULL, number integer NOT NULL,
  signature text NOT NULL, seqs text NOT NULL, PRIMARY KEY (source, reading, number));
`;

const tablesOf = (names: Names, table: MirrorTable): string =>
  [
    `CREATE TABLE ${names.whole(table.name)} (_seq bigint PRIMARY KEY, _source integer NOT NULL, ${defined(table.columns)}` +
      '_record text NOT NULL, _hash text NOT NULL, _first_seen timestamptz NOT NULL, _changed_at timestamptz NOT NULL, ' +
      '_gone_at timestamptz);',
    `CREATE TABLE ${names.staged(table.name)} (_seq bigint PRIMARY KEY, ${defined(table.columns)}` +
      '_record text NOT NULL, _hash text NOT NULL);',
    ...table.lists.flatMap((list) => {
      const columns = `(_owner bigint NOT NULL, _position integer NOT NULL, ${defined(list.columns)}PRIMARY KEY (_owner, _position))`;
      return [names.whole, names.staged].map((naming) => `CREATE TABLE ${naming(list.name)} ${columns};`);
    }),
  ].join('\n');

/** Tables whose records may come from several sources: they are shown once, from the first of them. */
const overlapping: ReadonlySet<string> = new Set(['activities', 'relation_activities', 'relation_marks']);

/** The condition, behind others, under which a row `r` of a table is shown: where several sources have a record, one is. */
export const shownOnce = (names: Names, { name, idColumn: id }: MirrorTable): string =>
  overlapping.has(name)
    ? ` AND NOT EXISTS (SELECT 1 FROM ${names.whole(name)} o WHERE o.${quoted(id)} = r.${quoted(id)} AND o._source < r._source AND o._gone_at IS NULL)`
    : '';

function viewsOf(names: Names, table: MirrorTable): readonly string[] {
  const { name, idColumn: id, columns, lists } = table;
  const rows = names.whole(name);
  const once = shownOnce(names, table);
  const shown = [...columns.map((column) => column.name), '_record', '_first_seen', '_changed_at'];
  return [
    `CREATE VIEW ${names.own(name)} AS SELECT ${listed(shown, 'r.')} FROM ${rows} r WHERE r._gone_at IS NULL${once};`,
    ...lists.map((list) => {
      const items = ['_position', ...list.columns.map((column) => column.name)];
      return (
        `CREATE VIEW ${names.own(list.name)} AS SELECT r.${quoted(id)} AS _owner, ${listed(items, 'i.')} ` +
        `FROM ${names.whole(list.name)} i JOIN ${rows} r ON r._seq = i._owner WHERE r._gone_at IS NULL${once};`
      );
    }),
  ];
}

/** The text of the contract about the member at a path. */
function docAt(record: RecordType, path: readonly string[]): string | undefined {
  let type: Type = record;
  let doc: string | undefined;
  for (const name of path) {
    const within: Type = type.kind === 'list' ? type.item : type;
    const field: Field | undefined = within.kind === 'record' ? within.fields[name] : undefined;
    if (field === undefined) return undefined;
    [type, doc] = [field.type, field.doc];
  }
  return doc;
}

const ownComments: Readonly<Record<string, string>> = {
  _record: 'The record as relctl prints it with -o ndjson, to the byte.',
  _first_seen: 'When the sync began that brought the row.',
  _changed_at: 'When the sync began that last showed the row with another content.',
};

function commentOf(record: RecordType, column: MirrorColumn, path: readonly string[]): string {
  if (column.parameter !== undefined) return `The ${column.parameter} that the call asked for.`;
  const doc = docAt(record, [...path, ...column.path]) ?? '';
  return column.type === 'instant'
    ? `The instant of the column before it, in microseconds; a time without a zone is taken as UTC. ${doc}`
    : doc;
}

/** What the contract says of tables and columns, for the views that people read. */
function commentsOn(
  { own }: Names,
  { name, holds, record, operation, columns, lists }: MirrorTable,
): readonly string[] {
  const onColumns = (view: string, named: readonly (readonly [string, string])[]): readonly string[] =>
    named
      .filter(([, text]) => text !== '')
      .map(([column, text]) => `COMMENT ON COLUMN ${own(view)}.${quoted(column)} IS ${literal(text)};`);
  const texts = columns.map((column) => [column.name, commentOf(record, column, [])] as const);
  return [
    `COMMENT ON VIEW ${own(name)} IS ${literal(`${record.doc} Holds ${holds}, as ${operation.name} lists them.`)};`,
    ...onColumns(name, [...texts, ...Object.entries(ownComments)]),
    ...lists.flatMap((list) => [
      `COMMENT ON VIEW ${own(list.name)} IS ${literal(docAt(record, list.path) ?? '')};`,
      ...onColumns(list.name, [
        ['_owner', `The Id of the record in ${name}.`],
        ['_position', 'The place in the list, from 0.'],
        ...list.columns.map((column) => [column.name, commentOf(record, column, list.path)] as const),
      ]),
    ]),
  ];
}

/** Statements that make a table of a mirror, empty, with its views. */
export const createTable = (names: Names, table: MirrorTable): string =>
  [tablesOf(names, table), ...viewsOf(names, table), ...commentsOn(names, table)].join('\n');

/** Statements that drop a table of a mirror with its views. */
export const dropTable = ({ own, whole, staged }: Names, { name, lists }: MirrorTable): string => {
  const all = [name, ...lists.map((list) => list.name)];
  return [
    ...all.map((each) => `DROP VIEW ${own(each)};`),
    ...all.flatMap((each) => [`DROP TABLE ${whole(each)};`, `DROP TABLE ${staged(each)};`]),
  ].join('\n');
};

/** Statements that make an empty mirror in a schema that is there. */
export const createMirror = (names: Names): string =>
  [ownTables(names), ...[...mirrorTables.values()].map((table) => createTable(names, table))].join('\n');

/** Bytes of the longest name that PostgreSQL keeps. */
const mostBytes = 63;

/** An index of a table, with the statement that makes it. */
export interface Index {
  readonly name: string;
  readonly sql: string;
}

const named = (table: MirrorTable): readonly string[] =>
  table.columns.filter(({ path }) => path.length === 1 && isNamed(table.record, path[0] ?? '')).map(({ name }) => name);

const isNamed = (record: RecordType, name: string): boolean => {
  const role = record.fields[name]?.role;
  return role === 'name' || role === 'key';
};

/**
 * The indexes of a table: by Id, and by what people call its records. They are made behind the first rows, because that is
 * faster than to keep them while rows come.
 */
export function indexesOf({ whole }: Names, table: MirrorTable): readonly Index[] {
  const { name, idColumn } = table;
  const indexes = [idColumn, ...named(table).filter((column) => column !== idColumn)].map((column) => ({
    name: fitted(`${name}_by_${column}`, mostBytes),
    on: `${whole(name)} (${quoted(column)}${column === idColumn ? '' : ' text_pattern_ops'})`,
  }));
  const names = indexes.map((index) => index.name);
  // Of those whose names are cut to one, the first is made.
  return indexes
    .filter((index, at) => names.indexOf(index.name) === at)
    .map((index) => ({ name: index.name, sql: `CREATE INDEX ${quoted(index.name)} ON ${index.on}` }));
}
