import type { RecordValue } from '../../plain/value.js';
import type { Postgres } from '../../postgres/connect.js';
import { foundOf, type Found } from '../each-relation.js';
import { hastenIndex, indexRows } from '../search/postgres/index-rows.js';
import { rangesOf } from '../seqs.js';
import { tableOf, type Asked, type Difference, type EachRelation, type PassStart } from '../store.js';
import type { MirrorTable } from '../tables.js';
import { makeIndexes } from './after-swap.js';
import { beginLine, lastSeq, type Given } from './begin.js';
import type { Names } from './schema.js';
import type { NumberedSource } from './source.js';
import { stageRows, unstageRows, type StagedRow } from './staging.js';
import { putItems, putRows } from './swap.js';

/** A row that is there. */
interface Kept {
  readonly seq: number;
  readonly hash: string;
}

/** A sync of a source that is asked for relation by relation, into a mirror in PostgreSQL. */
class PostgresEachRelation implements EachRelation {
  readonly startedAt: string;
  readonly #postgres: Postgres;
  readonly #names: Names;
  readonly #source: NumberedSource;
  readonly #table: MirrorTable;
  readonly #counts = { added: 0, changed: 0 };
  #lastSeq: number;
  #calls = 0;
  /** What is written at the moment, and what waits for it: the connection has one transaction at a time. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(postgres: Postgres, { names, source }: Given, begun: { startedAt: string; lastSeq: number }) {
    this.#postgres = postgres;
    this.#names = names;
    this.#source = source;
    this.#table = tableOf(source);
    this.#lastSeq = begun.lastSeq;
    this.startedAt = begun.startedAt;
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    // Who waits for this one hears that it failed; the next one is not asked.
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async waiting(): Promise<readonly Asked[]> {
    // An Id of the type uuid is in lower case, and one of a record may not be.
    const rows = await this.#postgres.rows(
      `SELECT r._record::json ->> 'Id', a.through_ms FROM ${this.#names.whole('relations')} r ` +
        `LEFT JOIN ${this.#names.own('_asked')} a ON a.source = $1::integer AND a.relation = r."Id" ` +
        'WHERE r._gone_at IS NULL AND r."Id" IS NOT NULL AND (a.began_at IS NULL OR a.began_at <> $2::timestamptz) ORDER BY r._seq',
      [this.#source.id, this.startedAt],
    );
    return rows.map(([relation, through]) => ({
      relation: relation ?? '',
      throughMs: through === null || through === undefined ? undefined : Number(through),
    }));
  }

  keep(relation: string, records: readonly RecordValue[]): Promise<void> {
    const found = foundOf(records);
    return found.length === 0
      ? Promise.resolve()
      : this.#alone(() => this.#postgres.transaction(() => this.#write(relation, found)));
  }

  async #write(relation: string, found: readonly Found[]): Promise<void> {
    const [names, table] = [this.#names, this.#table];
    const rows = await this.#fresh(relation, found);
    if (rows.length === 0) return;
    const parameters = { relationId: relation };
    await stageRows(this.#postgres, names, { table, rows, parameters });
    await putRows(this.#postgres, { names, table, source: this.#source, startedAt: this.startedAt });
    await putItems(this.#postgres, { names, table });
    const seqs = rows.map(({ seq }) => seq);
    await indexRows(this.#postgres, names, { base: `all_${table.name}`, seqs: seqs.join(', ') });
    await unstageRows(this.#postgres, names, { table, seqs: rangesOf(seqs) });
  }

  /** The rows of records that are new or changed. */
  async #fresh(relation: string, found: readonly Found[]): Promise<readonly StagedRow[]> {
    const kept = await this.#kept(relation, found);
    return found.flatMap(({ record, id, hash }) => {
      const before = kept.get(id === '' ? hash : id.toLowerCase());
      if (before?.hash === hash) return [];
      this.#counts[before === undefined ? 'added' : 'changed'] += 1;
      return { seq: before?.seq ?? (this.#lastSeq += 1), record, hash };
    });
  }

  /** The rows that are there of some records: by Id in lower case, and by content of those without one. */
  async #kept(relation: string, found: readonly Found[]): Promise<ReadonlyMap<string, Kept>> {
    const texts = (parameter: string): string =>
      `ARRAY(SELECT value FROM pg_catalog.json_array_elements_text(${parameter}::json))`;
    const rows = await this.#postgres.rows(
      `SELECT coalesce("Id"::text, _hash), _seq, _hash FROM ${this.#names.whole(this.#table.name)} ` +
        `WHERE ("Id" = ANY (${texts('$1')}::uuid[]) OR ("Id" IS NULL AND _hash = ANY (${texts('$2')}))) ` +
        'AND _source = $3::integer AND lower("RelationId") = lower($4)',
      [
        JSON.stringify(found.flatMap(({ id }) => (id === '' ? [] : [id]))),
        JSON.stringify(found.flatMap(({ id, hash }) => (id === '' ? [hash] : []))),
        this.#source.id,
        relation,
      ],
    );
    return new Map(rows.map(([key, seq, hash]) => [key ?? '', { seq: Number(seq), hash: hash ?? '' }]));
  }

  asked({ relation, throughMs }: Asked): Promise<void> {
    this.#calls += 1;
    const { added, changed } = this.#counts;
    const state = JSON.stringify({ pages: this.#calls, rows: added + changed });
    const { own } = this.#names;
    return this.#alone(async () => {
      await this.#postgres.run(
        `WITH asked AS (INSERT INTO ${own('_asked')} (source, relation, through_ms, began_at) ` +
          'VALUES ($1, $2::uuid, $3::bigint, $4::timestamptz) ON CONFLICT (source, relation) DO UPDATE ' +
          'SET through_ms = excluded.through_ms, began_at = excluded.began_at) ' +
          `UPDATE ${own('_passes')} SET state = $5 WHERE source = $1`,
        [this.#source.id, relation, throughMs ?? null, this.startedAt, state],
      );
    });
  }

  end(endedAt: string): Promise<Difference> {
    return this.#alone(() => this.#postgres.transaction(() => this.#ended(endedAt)));
  }

  async #ended(endedAt: string): Promise<Difference> {
    const { id, table } = this.#source;
    const { own, whole } = this.#names;
    const count = await this.#postgres.first(`SELECT count(*) FROM ${whole(table)} WHERE _source = $1`, [id]);
    const difference = { rows: Number(count?.[0]), ...this.#counts, gone: 0 };
    await this.#postgres.run(
      `UPDATE ${own('_sources')} SET synced_from = $1, synced_at = $2, rows = $3, added = $4, changed = $5, gone = 0 WHERE id = $6`,
      [this.startedAt, endedAt, difference.rows, difference.added, difference.changed, id],
    );
    await this.#postgres.run(`INSERT INTO ${own('_syncs')} (source, began_at, ended_at) VALUES ($1, $2, $3)`, [
      ...[id, this.startedAt, endedAt],
    ]);
    await hastenIndex(this.#postgres, this.#names, `all_${table}`);
    await this.#postgres.run(`DELETE FROM ${own('_passes')} WHERE source = $1`, [id]);
    return difference;
  }
}

/**
 * Has each relation asked for again by an interrupted sync whose request was another one. It stays the same sync, because rows
 * carry its time: what it brought is told when it ends.
 */
async function askAgain(postgres: Postgres, { source: { id }, names: { own } }: Given, calls: string): Promise<void> {
  await postgres.transaction(async () => {
    const isOther = `SELECT 1 FROM ${own('_passes')} WHERE source = $1 AND calls <> $2`;
    await postgres.run(`UPDATE ${own('_asked')} SET began_at = '-infinity' WHERE source = $1 AND EXISTS (${isOther})`, [
      ...[id, calls],
    ]);
    await postgres.run(`UPDATE ${own('_passes')} SET calls = $2, state = NULL WHERE source = $1 AND calls <> $2`, [
      ...[id, calls],
    ]);
  });
}

/** Begins a sync that asks for each relation, or goes on with one that was interrupted. */
export async function beginEachRelation(postgres: Postgres, given: Given, start: PassStart): Promise<EachRelation> {
  await askAgain(postgres, given, start.calls);
  const { startedAt } = await beginLine(postgres, given, start);
  // Made before the first rows: each relation looks for its own.
  await makeIndexes(postgres, given.names, tableOf(given.source));
  return new PostgresEachRelation(postgres, given, { startedAt, lastSeq: await lastSeq(postgres, given) });
}
