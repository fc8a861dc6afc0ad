import type { Database } from '../../sqlite/open.js';
import { createMirror } from './schema.js';

const creating = /^CREATE ((?:VIRTUAL )?TABLE|VIEW|INDEX)(?: IF NOT EXISTS)? (("?)(\w+)\3.*)$/s;

/** What SQLite keeps of the statements that make a mirror, by the name of what each makes. */
function statements(): ReadonlyMap<string, string> {
  const made = createMirror()
    .split(/;\s*/)
    .map((statement) => creating.exec(statement));
  return new Map(made.flatMap((parts) => (parts === null ? [] : [[parts[4] ?? '', `CREATE ${parts[1]} ${parts[2]}`]])));
}

/**
 * What in a database is not as this version makes a mirror, in words: a view in the place of a table may never end, and a trigger
 * may write what no service said. Undefined where there is no such thing. What else the database holds does not matter.
 */
export function differenceIn(database: Database): string | undefined {
  const expected = statements();
  for (const [type, name, sql] of database.statement('SELECT type, name, sql FROM sqlite_schema').all()) {
    if (type === 'trigger') return `has the trigger ${String(name)}`;
    const wanted = expected.get(String(name));
    if (wanted !== undefined && wanted !== sql)
      return `has another ${String(type)} ${String(name)} than this version makes`;
  }
  return undefined;
}
