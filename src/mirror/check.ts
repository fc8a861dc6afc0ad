import type { Database } from '../sqlite/open.js';
import { createMirror, createTable } from './schema.js';
import { callTablesIn } from './sources.js';

const creating = /^CREATE ((?:VIRTUAL )?TABLE|VIEW|INDEX)(?: IF NOT EXISTS)? (("?)(\w+)\3.*)$/s;

/** What SQLite keeps of statements, by the name of what each makes. */
function statementsOf(text: string): ReadonlyMap<string, string> {
  const made = text.split(/;\s*/).map((statement) => creating.exec(statement));
  return new Map(made.flatMap((parts) => (parts === null ? [] : [[parts[4] ?? '', `CREATE ${parts[1]} ${parts[2]}`]])));
}

/** What in a database is not as some statements make it, in words. */
function otherIn(database: Database, expected: ReadonlyMap<string, string>): string | undefined {
  for (const [type, name, sql] of database.statement('SELECT type, name, sql FROM sqlite_schema').all()) {
    if (type === 'trigger') return `has the trigger ${String(name)}`;
    const wanted = expected.get(String(name));
    if (wanted !== undefined && wanted !== sql)
      return `has another ${String(type)} ${String(name)} than this version makes`;
  }
  return undefined;
}

/** Statements that make what a database must have; the tables that it names are read only when it is known to be no view. */
function* expectedIn(database: Database): Generator<ReadonlyMap<string, string>, void> {
  yield statementsOf(createMirror());
  const own = [...callTablesIn(database).values()].map(createTable);
  if (own.length > 0) yield statementsOf(own.join('\n'));
}

/**
 * What in a database is not as this version makes a mirror, in words: a view in the place of a table may never end, and a trigger
 * may write what no service said. Undefined where there is no such thing. What else the database holds does not matter. Throws
 * `local` for what it says of its tables and no relctl wrote.
 */
export function differenceIn(database: Database): string | undefined {
  for (const expected of expectedIn(database)) {
    const other = otherIn(database, expected);
    if (other !== undefined) return other;
  }
  return undefined;
}

/** The name of a table or a view that this version makes, and a database has not: an earlier version made it. */
export function missingIn(database: Database): string | undefined {
  const there = new Set(database.statement('SELECT name FROM sqlite_schema').all().flat());
  for (const expected of expectedIn(database)) {
    const missing = [...expected].find(([name, sql]) => !sql.startsWith('CREATE INDEX') && !there.has(name));
    if (missing !== undefined) return missing[0];
  }
  return undefined;
}
