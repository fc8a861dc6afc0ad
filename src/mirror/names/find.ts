import { RelctlError } from '../../errors/relctl-error.js';
import { isGuid } from '../../lexical/values/guid.js';
import { isSameName, nameKey } from '../../lexical/same-name.js';
import { shellCommand } from '../../lexical/shell/command.js';
import type { Cell } from '../../tables/cells.js';
import type { Database } from '../../sqlite/open.js';
import { beyondAscii } from './indexes.js';
import { namedTables, type NamedTable, type RecordKind } from './kinds.js';

/** A record that a text names. */
export interface NameHit {
  readonly id: string;
  /** The column that holds the text, and the text as it stands there. */
  readonly column: string;
  readonly text: string;
  /** What tells it from others of the name: values by their columns. */
  readonly tells: Readonly<Record<string, string>>;
}

/** How names are compared. */
export interface Comparing {
  /** In any case of letters. */
  readonly isCaseless: boolean;
}

/** Hits that are looked at: more are no choice for anybody. */
export const mostHits = 100;

/** True for texts that have ASCII alone, of which no letter can be written in another way beyond ASCII. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text) && !/[kK;`]/.test(text);

/**
 * A pattern for LIKE that fits whatever differs from a name in forms of characters and case of letters: what may be
 * written by other characters fits anything.
 */
export function patternOf(name: string): string {
  const written = name.normalize('NFC').replace(/[kK;`]|[ -~]?[^ -~]+/g, '\u0000');
  return written.replace(/[%_\\]/g, '\\$&').replace(/\u0000+/g, '%');
}

const quoted = (column: string): string => `"${column}"`;

/** The error for what stands in the place of an Id: it would stand in commands that are pasted, where it may be a flag. */
const noId = (table: string, id: string): RelctlError =>
  new RelctlError(
    'local',
    `the mirror has an Id in ${table} that is no GUID, '${id.slice(0, 100)}': somebody else made or changed it`,
    {
      facts: { code: 'damaged' },
      advice: 'Remove it, and fill a new one.',
      hint: shellCommand(['mirror', 'forget']),
    },
  );

interface Looking {
  readonly database: Database;
  readonly table: NamedTable;
  readonly column: string;
  readonly isSame: (found: string) => boolean;
}

/** The rows of a column that a condition finds, and of those the ones that are the same name. */
function hitsOf({ database, table, column, isSame }: Looking, where: string, value: string): readonly NameHit[] {
  const columns = ['Id', column, ...table.tells].map(quoted).join(', ');
  const sql = `SELECT ${columns} FROM "all_${table.table}" WHERE "_gone_at" IS NULL AND "Id" IS NOT NULL AND ${where}`;
  const hits: NameHit[] = [];
  for (const [id, found, ...told] of database.statement(sql).each(value)) {
    if (typeof id !== 'string' || typeof found !== 'string' || hits.length > mostHits || !isSame(found)) continue;
    if (!isGuid(id)) throw noId(table.table, id);
    const tells = table.tells.map((name, at): [string, Cell | undefined] => [name, told[at]]);
    const known = tells.filter((each): each is [string, string] => typeof each[1] === 'string' && each[1] !== '');
    hits.push({ id, column, text: found, tells: Object.fromEntries(known) });
  }
  return hits;
}

function inColumn(looking: Looking, text: string, { isCaseless }: Comparing): readonly NameHit[] {
  const composed = text.normalize('NFC');
  const name = quoted(looking.column);
  const equals = `${name} = ?1${isCaseless ? ' COLLATE NOCASE' : ` AND ${name} = ?1 COLLATE NOCASE`} LIMIT ${mostHits + 1}`;
  const plain = /^[ -~]*$/.test(composed) ? hitsOf(looking, equals, composed) : [];
  if (isPlain(composed)) return plain;
  return [
    ...plain,
    ...hitsOf(looking, `${beyondAscii(looking.column)} AND ${name} LIKE ?1 ESCAPE '\\'`, patternOf(text)),
  ];
}

/** The tables of a mirror that have names of a kind. */
function namedTablesIn(database: Database, kind: RecordKind): readonly NamedTable[] {
  const known = database.statement("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  return namedTables[kind].filter(({ table }) => known.first(`all_${table}`) !== undefined);
}

function hitsIn(database: Database, kind: RecordKind, name: { text: string } & Comparing): readonly NameHit[] {
  const { text, isCaseless } = name;
  const key = isCaseless ? nameKey(text) : '';
  const isSame = isCaseless
    ? (found: string): boolean => nameKey(found) === key
    : (found: string): boolean => isSameName(found, text);
  const byId = new Map<string, NameHit>();
  for (const table of namedTablesIn(database, kind)) {
    const hits = table.keys.flatMap((column) => inColumn({ database, table, column, isSame }, text, { isCaseless }));
    // A record may be in two tables, and may have its name for an import key.
    for (const hit of hits) if (!byId.has(hit.id.toLowerCase())) byId.set(hit.id.toLowerCase(), hit);
  }
  return [...byId.values()];
}

/**
 * The records of a kind, still there, that a text names to the letter, by any of their keys; where there are none and case
 * does not count, those in any case of letters. Each once, up to one more than `mostHits` a column. Throws
 * `local`, also for an Id that is no GUID.
 */
export function findNamed(
  database: Database,
  kind: RecordKind,
  { text, isCaseless }: { readonly text: string } & Comparing,
): readonly NameHit[] {
  const exact = hitsIn(database, kind, { text, isCaseless: false });
  return exact.length > 0 || !isCaseless ? exact : hitsIn(database, kind, { text, isCaseless: true });
}
