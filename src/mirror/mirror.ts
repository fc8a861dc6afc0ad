import { RelctlError, usage } from '../core/errors/relctl-error.js';
import type { Database } from '../state/sqlite/open.js';
import { beginEachRelation, type EachRelation } from './each-relation.js';
import { makeFieldViews, type FieldNames } from './fields/views.js';
import { removeAside } from './index-aside.js';
import { storedLine } from './of-call/stored.js';
import type { CallTable } from './of-call/table.js';
import { openMirrorFile, type MirrorFile, type Service } from './open.js';
import { clearPass, type PassStart } from './pass-state.js';
import { Pass } from './pass.js';
import { createTable, deleteItems, dropTables, dropViews, allRows } from './schema.js';
import { unindexRows } from './search/index-rows.js';
import { sourcesIn, tableOf, type Source, type SourceState } from './sources.js';

/** A mirror that is open for syncs. Its methods throw `local`. */
export class Mirror {
  readonly #database: Database;
  #pass: Pass | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  sources(): readonly SourceState[] {
    return sourcesIn(this.#database);
  }

  /** Adds sources, all of them or none. Throws `usage` when there is one with such a name. */
  add(...sources: readonly Source[]): void {
    this.#database.write(() => {
      for (const source of sources) this.#add(source);
    });
  }

  #add({ name, table, input, own }: Source): void {
    const row = this.#database.statement('SELECT 1 FROM "_sources" WHERE name = ?').first(name);
    if (row !== undefined) throw usage('NAME', `the mirror has a source ${name} already`);
    this.#database
      .statement('INSERT INTO "_sources" (name, "table", input) VALUES (?, ?, ?)')
      .run(name, table, JSON.stringify(input));
    if (own === undefined) return;
    this.#store(own);
    this.#database.execute(createTable(own));
  }

  #store(table: CallTable): void {
    this.#database.statement('INSERT OR REPLACE INTO "_mirror" (name, value) VALUES (?, ?)').run(...storedLine(table));
  }

  /** Gives a source another request, or its table another description; rows stay until the next sync. Throws `bug`. */
  replace({ name, input, own }: Source): void {
    this.#database.write(() => {
      const { id } = this.#numbered(name);
      if (own !== undefined) this.#store(own);
      this.#database.statement('UPDATE "_sources" SET input = ? WHERE id = ?').run(JSON.stringify(input), id);
    });
  }

  remove(name: string): void {
    this.#database.write(() => {
      const source = this.#numbered(name);
      const table = tableOf(source);
      clearPass(this.#database, source);
      const owners = `SELECT "_seq" FROM "${allRows(table.name)}" WHERE "_source" = ${source.id}`;
      unindexRows(this.#database, allRows(table.name), owners);
      this.#database.execute(deleteItems(table, owners));
      this.#database.statement(`DELETE FROM "${allRows(table.name)}" WHERE "_source" = ?`).run(source.id);
      for (const own of ['_pages', '_syncs', '_asked']) {
        this.#database.statement(`DELETE FROM "${own}" WHERE source = ?`).run(source.id);
      }
      this.#database.statement('DELETE FROM "_sources" WHERE id = ?').run(source.id);
      if (source.own === undefined) return;
      this.#database.execute([dropViews(table), dropTables(table, allRows)].join('\n'));
      this.#database.statement('DELETE FROM "_mirror" WHERE name = ?').run(storedLine(source.own)[0]);
    });
  }

  #numbered(name: string): SourceState {
    const source = sourcesIn(this.#database).find((each) => each.name === name);
    if (source === undefined) throw new RelctlError('bug', `the mirror has no source ${name}`);
    return source;
  }

  /** Begins a sync of a source, or goes on with one that was interrupted. */
  async openPass({ name }: SourceState, start: PassStart): Promise<Pass> {
    await this.#pass?.close();
    this.#pass = new Pass(this.#database, this.#numbered(name), start);
    return this.#pass;
  }

  openEachRelation({ name }: SourceState, start: PassStart): EachRelation {
    return beginEachRelation(this.#database, this.#numbered(name), start);
  }

  nameFields(names: FieldNames): void {
    makeFieldViews(this.#database, names);
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
export function openMirror(options: MirrorFile & { readonly service: Service }): Mirror {
  const database = openMirrorFile(options);
  removeAside(options.file);
  return new Mirror(database);
}
