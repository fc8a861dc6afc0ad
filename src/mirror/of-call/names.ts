import { snake, type MirrorColumn, type MirrorTable } from '../tables.js';

/** What the names of tables of operations begin with: no table that each mirror has, no view and no word of SQL does. */
export const callPrefix = 'call_';

/** Bytes of the longest name of a table, of a list table, and of a column: other databases cut names off behind 63. */
const most = { table: 40, list: 52, column: 63 };

/** Names of columns that are the mirror's own, or those of a database that it is published to. */
const reserved: readonly string[] = [
  ...['_seq', '_source', '_record', '_hash', '_first_seen', '_changed_at', '_gone_at', '_owner', '_position'],
  ...['ctid', 'tableoid', 'xmin', 'xmax', 'cmin', 'cmax'],
];

/** A text without what is beyond some bytes; no character is cut. */
function fitted(text: string, mostBytes: number): string {
  if (Buffer.byteLength(text) <= mostBytes) return text;
  const letters = Array.from(text);
  let bytes = 0;
  const end = letters.findIndex((letter) => (bytes += Buffer.byteLength(letter)) > mostBytes);
  return letters.slice(0, end).join('').trim();
}

/** A name that none is yet, whatever the case of its letters, and that is taken from now on. */
function takeName(name: string, taken: Set<string>, mostBytes: number): string {
  let free = fitted(name, mostBytes);
  for (let count = 2; taken.has(free.toLowerCase()); count += 1) {
    const end = `_${count}`;
    free = `${fitted(name, mostBytes - end.length)}${end}`;
  }
  taken.add(free.toLowerCase());
  return free;
}

const word = (text: string): string => snake(text).replace(/[^a-z0-9_]/g, '_');

/** The names of the tables of lists within the records of a table, in their order. */
export function listNamesOf(table: string, paths: readonly (readonly string[])[]): readonly string[] {
  const taken = new Set([table]);
  return paths.map((path) => {
    // A list of services is often called so within a record that has nothing else.
    const telling = path.length > 1 ? path.filter((name) => name !== 'Items') : path;
    return takeName([table, ...telling.map(word)].join('_'), taken, most.list);
  });
}

/** The name of the table of a list of an operation, by the names of both; with a number behind it where that is not free. */
export function tableNameOf(
  { operation, list }: { readonly operation: string; readonly list: readonly string[] },
  isFree: (name: string) => boolean,
): string {
  const refused = new Set<string>();
  for (;;) {
    const name = takeName(`${callPrefix}${word(operation)}_${word(list.at(-1) ?? '')}`, refused, most.table);
    if (isFree(name)) return name;
  }
}

const ownName = /^[a-z][a-z0-9_]*$/;

/** The name of a table for a name that a person chose, with or without what all begin with; undefined for one that is none. */
export function tableNameFor(text: string): string | undefined {
  const name = text.startsWith(callPrefix) ? text.slice(callPrefix.length) : text;
  const table = `${callPrefix}${name}`;
  return ownName.test(name) && table.length <= most.table ? table : undefined;
}

/** What SQLite makes for a table has these names: the table and its lists, and their indexes. */
export const namesNeeded = ({ name, lists }: MirrorTable): readonly string[] =>
  [name, ...lists.map((list) => list.name)].flatMap((each) =>
    ['', '_by_id', '_without_id'].map((end) => `${each}${end}`),
  );

/** The columns with names that databases tell apart. */
export function namedColumns(columns: readonly MirrorColumn[]): readonly MirrorColumn[] {
  const taken = new Set(reserved);
  return columns.map((column) => ({ ...column, name: takeName(column.name, taken, most.column) }));
}
