import { RelctlError } from '../../errors/relctl-error.js';
import { usage } from '../../errors/usage.js';
import type { Postgres } from '../../postgres/connect.js';
import type { FieldNames } from '../fields/plan.js';
import { makeFieldViews } from '../fields/postgres.js';
import { unindexRows } from '../search/postgres/index-rows.js';
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
import { beginPass, clearPass } from './begin.js';
import { beginEachRelation } from './each-relation.js';
import { lockMirror, type LockWait } from './lock.js';
import { makeMirrorSchema } from './open.js';
import { createTable, dropTable, type Names } from './schema.js';
import { sourcesIn, type NumberedSource } from './source.js';

/** A mirror in a schema of a PostgreSQL database. */
class PostgresMirror implements Mirror {
  readonly place: string;
  readonly takesRendered = true;
  readonly #postgres: Postgres;
  readonly #names: Names;

  constructor(postgres: Postgres, names: Names) {
    this.#postgres = postgres;
    this.#names = names;
    this.place = postgres.address.shown;
  }

  sources(): Promise<readonly SourceState[]> {
    return sourcesIn(this.#postgres, this.#names);
  }

  async add(...sources: readonly Source[]): Promise<void> {
    await this.#postgres.transaction(async () => {
      for (const source of sources) await this.#add(source);
    });
  }

  async #add({ name, table, input, own }: Source): Promise<void> {
    const count = await this.#postgres.run(
      `INSERT INTO ${this.#names.own('_sources')} (name, "table", input) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING`,
      [name, table, JSON.stringify(input)],
    );
    if (count === 0) throw usage('NAME', `the mirror has a source ${name} already`);
    if (own === undefined) return;
    await this.#keep(own);
    await this.#postgres.execute(createTable(this.#names, own));
  }

  /** Keeps what a table is made of. */
  async #keep(table: CallTable): Promise<void> {
    const into = `INSERT INTO ${this.#names.own('_mirror')} (name, value) VALUES ($1, $2)`;
    await this.#postgres.run(`${into} ON CONFLICT (name) DO UPDATE SET value = excluded.value`, keptLine(table));
  }

  async replace({ name, input, own }: Source): Promise<void> {
    const { id } = await this.#numbered(name);
    const sql = `UPDATE ${this.#names.own('_sources')} SET input = $1 WHERE id = $2`;
    await this.#postgres.transaction(async () => {
      await this.#postgres.run(sql, [JSON.stringify(input), id]);
      if (own !== undefined) await this.#keep(own);
    });
  }

  async remove(name: string): Promise<void> {
    const source = await this.#numbered(name);
    const { own, whole } = this.#names;
    const postgres = this.#postgres;
    const table = tableOf(source);
    await postgres.transaction(async () => {
      await clearPass(postgres, { names: this.#names, source });
      await unindexRows(postgres, this.#names, { base: `all_${table.name}`, source: source.id });
      const owners = `SELECT _seq FROM ${whole(table.name)} WHERE _source = $1`;
      for (const list of table.lists) {
        await postgres.run(`DELETE FROM ${whole(list.name)} WHERE _owner IN (${owners})`, [source.id]);
      }
      await postgres.run(`DELETE FROM ${whole(table.name)} WHERE _source = $1`, [source.id]);
      for (const each of ['_pages', '_syncs', '_asked'])
        await postgres.run(`DELETE FROM ${own(each)} WHERE source = $1`, [source.id]);
      await postgres.run(`DELETE FROM ${own('_sources')} WHERE id = $1`, [source.id]);
      if (source.own === undefined) return;
      await postgres.execute(dropTable(this.#names, source.own));
      await postgres.run(`DELETE FROM ${own('_mirror')} WHERE name = $1`, [keptLine(source.own)[0]]);
    });
  }

  async openPass({ name }: SourceState, start: PassStart): Promise<Pass> {
    return beginPass(this.#postgres, { names: this.#names, source: await this.#numbered(name) }, start);
  }

  async openEachRelation({ name }: SourceState, start: PassStart): Promise<EachRelation> {
    return beginEachRelation(this.#postgres, { names: this.#names, source: await this.#numbered(name) }, start);
  }

  nameFields(names: FieldNames): Promise<readonly string[]> {
    return makeFieldViews(this.#postgres, this.#names, names);
  }

  close(): Promise<void> {
    return this.#postgres.close();
  }

  async #numbered(name: string): Promise<NumberedSource> {
    const source = (await sourcesIn(this.#postgres, this.#names)).find((each) => each.name === name);
    if (source === undefined) throw new RelctlError('bug', `the mirror has no source ${name}`);
    return source;
  }
}

/** What is opened for syncs. */
export interface SyncedSchema {
  readonly schema: string;
  readonly service: Service;
  /** The command that removes it, for an error. */
  readonly forget: string;
  readonly lock: LockWait;
}

/**
 * Opens the mirror in a schema for syncs, and makes an empty one where there is none; one process at a time has it. Closes the
 * connection when it fails. Throws as `makeMirrorSchema` does, and `locked`.
 */
export async function openPostgresMirror(postgres: Postgres, given: SyncedSchema): Promise<Mirror> {
  try {
    await lockMirror(postgres, given.schema, given.lock);
    // A program that is stopped within a transaction gives its locks back; the next sync goes on from its place.
    await postgres.execute("SET idle_in_transaction_session_timeout = '10min'");
    return new PostgresMirror(postgres, await makeMirrorSchema(postgres, given));
  } catch (thrown) {
    await postgres.close();
    throw thrown;
  }
}
