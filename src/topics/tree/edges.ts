import type { Database } from '../../sqlite/open.js';
import type { RecordValue, Value } from '../../plain/value.js';
import { jsonIn } from '../../mirror/damaged.js';

/** A relationship below a relation. */
export interface Edge {
  /** Its place among those of the same relation: text to sort by, then number. */
  readonly place: readonly [name: string, number: number];
  /** The relation below. */
  readonly child: string;
  readonly record: RecordValue;
}

/** Ids are compared in small letters. */
const key = (value: Value | undefined): string => (typeof value === 'string' ? value.toLowerCase() : '');

const textOf = (value: Value | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

const some = 100;

/** Where a relation stands already: nowhere, above itself, or elsewhere. */
export type Met = 'new' | 'above' | 'before';

/** The relationships of a service in a temporary table on disk, by the relation above: memory does not depend on their number. */
export class Edges {
  readonly #database: Database;

  /** @param database has to stay open as long as this is used */
  constructor(database: Database) {
    this.#database = database;
    database.execute(
      'PRAGMA temp_store = FILE;' +
        'CREATE TEMP TABLE edges (seq INTEGER PRIMARY KEY, parent TEXT, child TEXT, name TEXT NOT NULL, record TEXT);' +
        'CREATE TEMP TABLE shown (id TEXT PRIMARY KEY, above INTEGER NOT NULL) WITHOUT ROWID;',
    );
  }

  /** Adds relationships. */
  add(records: readonly RecordValue[]): void {
    const insert = this.#database.statement('INSERT INTO edges (parent, child, name, record) VALUES (?, ?, ?, ?)');
    this.#database.write(() => {
      for (const record of records) {
        const name = textOf(record['SortingName']) ?? textOf(record['DisplayName']) ?? '';
        insert.run(key(record['ParentRelationId']), key(record['ChildRelationId']), name, JSON.stringify(record));
      }
    });
  }

  /** Adds the relationships of a mirror, in whose database this is. */
  addMirrored(): void {
    this.#database.execute(
      'INSERT INTO edges (parent, child, name, record) SELECT lower("ParentRelationId"), lower("ChildRelationId"), ' +
        'coalesce("SortingName", "DisplayName", \'\'), "_record" FROM "relationships"',
    );
  }

  /** To be called when all were added. */
  complete(): void {
    this.#database.execute('CREATE INDEX edges_of_parent ON edges (parent, name, seq)');
  }

  /** Some relationships below a relation, by name, from behind a place on; none at the end. */
  below(parent: string, behind: Edge['place'] = ['', 0], most = some): readonly Edge[] {
    // A relation that is below itself would add nothing to a tree.
    const rows = this.#database
      .statement(
        'SELECT name, seq, child, record FROM edges WHERE parent = ? AND child <> parent AND (name, seq) > (?, ?) ' +
          'ORDER BY name, seq LIMIT ?',
      )
      .all(key(parent), ...behind, most);
    return rows.map(([name, seq, child, record]) => ({
      place: [String(name), Number(seq)],
      child: String(child),
      record: jsonIn(String(record)) as RecordValue,
    }));
  }

  /** Where a relation stands in the tree that is being shown. */
  met(id: string): Met {
    const row = this.#database.statement('SELECT above FROM shown WHERE id = ?').first(key(id));
    if (row === undefined) return 'new';
    return row[0] === 1 ? 'above' : 'before';
  }

  /** Begins to show what is below a relation, which is done once. */
  enter(id: string): void {
    this.#database.statement('INSERT INTO shown (id, above) VALUES (?, 1)').run(key(id));
  }

  /** Ends it. */
  leave(id: string): void {
    this.#database.statement('UPDATE shown SET above = 0 WHERE id = ?').run(key(id));
  }
}
