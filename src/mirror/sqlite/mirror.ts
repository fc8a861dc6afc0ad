import { usage } from '../../errors/usage.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Database } from '../../sqlite/open.js';
import type { FieldNames } from '../fields/plan.js';
import { makeFieldViews } from '../fields/sqlite.js';
import { unindexRows } from '../search/sqlite/index-rows.js';
import { keptLine } from '../of-call/kept.js';
import type { CallTable } from '../of-call/table.js';
import {
  tableOf,
  type EachRelation,
  type Mirror,
  type Pass,
  type PassStart,
  type Service,
  type Source,
  type SourceState,
} from '../store.js';
import { openMirrorFile } from './open.js';
import { beginPass, clearPass } from './begin.js';
import { beginEachRelation } from './each-relation.js';
import { removeAside } from './index-aside.js';
import type { SqlitePass } from './pass.js';
import { createTable, dropTables, dropViews, whole } from './schema/tables.js';
import { sourcesIn, type NumberedSource } from './schema/source.js';

/** A mirror in a SQLite file. */
class SqliteMirror implements Mirror {
  readonly place: string;
  readonly #database: Database;
  #pass: SqlitePass | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.place = database.file;
  }

  sources(): Promise<readonly SourceState[]> {
    return Promise.resolve(sourcesIn(this.#database));
  }

  add(...sources: readonly Source[]): Promise<void> {
    this.#database.write(() => {
      for (const source of sources) this.#add(source);
    });
    return Promise.resolve();
  }

  #add({ name, table, input, own }: Source): void {
    const found = this.#database.statement('SELECT 1 FROM "_sources" WHERE name = ?').first(name);
    if (found !== undefined) throw usage('NAME', `the mirror has a source ${name} already`);
    this.#database
      .statement('INSERT INTO "_sources" (name, "table", input) VALUES (?, ?, ?)')
      .run(name, table, JSON.stringify(input));
    if (own === undefined) return;
    this.#keep(own);
    this.#database.execute(createTable(own));
  }

  /** Keeps what a table is made of. */
  #keep(table: CallTable): void {
    this.#database.statement('INSERT OR REPLACE INTO "_mirror" (name, value) VALUES (?, ?)').run(...keptLine(table));
  }

  replace({ name, input, own }: Source): Promise<void> {
    this.#database.write(() => {
      const { id } = this.#numbered(name);
      if (own !== undefined) this.#keep(own);
      this.#database.statement('UPDATE "_sources" SET input = ? WHERE id = ?').run(JSON.stringify(input), id);
    });
    return Promise.resolve();
  }

  remove(name: string): Promise<void> {
    this.#database.write(() => {
      const source = this.#numbered(name);
      const table = tableOf(source);
      clearPass(this.#database, source);
      const owners = `SELECT "_seq" FROM "${whole(table.name)}" WHERE "_source" = ${source.id}`;
      unindexRows(this.#database, whole(table.name), owners);
      for (const list of table.lists) {
        this.#database.execute(`DELETE FROM "${whole(list.name)}" WHERE "_owner" IN (${owners})`);
      }
      this.#database.statement(`DELETE FROM "${whole(table.name)}" WHERE "_source" = ?`).run(source.id);
      for (const own of ['_pages', '_syncs', '_asked']) {
        this.#database.statement(`DELETE FROM "${own}" WHERE source = ?`).run(source.id);
      }
      this.#database.statement('DELETE FROM "_sources" WHERE id = ?').run(source.id);
      if (source.own === undefined) return;
      this.#database.execute([dropViews(table), dropTables(table, whole)].join('\n'));
      this.#database.statement('DELETE FROM "_mirror" WHERE name = ?').run(keptLine(source.own)[0]);
    });
    return Promise.resolve();
  }

  #numbered(name: string): NumberedSource {
    const source = sourcesIn(this.#database).find((each) => each.name === name);
    if (source === undefined) throw new RelctlError('bug', `the mirror has no source ${name}`);
    return source;
  }

  async openPass({ name }: SourceState, start: PassStart): Promise<Pass> {
    await this.#pass?.close();
    this.#pass = beginPass(this.#database, this.#numbered(name), start);
    return this.#pass;
  }

  openEachRelation({ name }: SourceState, start: PassStart): Promise<EachRelation> {
    return Promise.resolve(beginEachRelation(this.#database, this.#numbered(name), start));
  }

  nameFields(names: FieldNames): Promise<void> {
    makeFieldViews(this.#database, names);
    return Promise.resolve();
  }

  async close(): Promise<void> {
    await this.#pass?.close();
    // Programs that may only read the file see all of it then. A reader that is at it keeps the journal as it is.
    try {
      this.#database.execute('PRAGMA busy_timeout = 0');
      this.#database.statement('PRAGMA wal_checkpoint(TRUNCATE)').all();
    } finally {
      this.#database.close();
    }
  }
}

/** Opens the mirror in a file for syncs, and makes an empty one where there is none. Throws as `openMirrorFile` does. */
export const openSqliteMirror = (given: {
  readonly file: string;
  readonly service: Service;
  readonly forget: string;
}): Mirror => {
  const database = openMirrorFile(given);
  removeAside(given.file);
  return new SqliteMirror(database);
};
