import { contentsOf } from '../client/rows/row.js';
import { hasValue, type RecordValue } from '../core/values/value.js';
import type { Database } from '../state/sqlite/open.js';
import { endPass, insertPass, type PassStart } from './pass-state.js';
import { deleteItems, literal, allRows } from './schema.js';
import { indexRows } from './search/index-rows.js';
import { tableOf, type SyncCounts, type SourceState } from './sources.js';
import { hashText, rowsInto } from './staging.js';
import type { MirrorTable } from './tables.js';

/** A relation that is asked for, and the time of the service through which it was: milliseconds since 1970. */
export interface RelationCursor {
  readonly relation: string;
  /** Undefined before it was asked for, and where the service did not say its time. */
  readonly throughMs: number | undefined;
}

interface RelationRecord {
  readonly record: RecordValue;
  /** Empty for a record without one: it is known by its content. */
  readonly id: string;
  readonly hash: string;
}

function relationRecords(records: readonly RecordValue[]): readonly RelationRecord[] {
  const contents = contentsOf(records);
  const relations = new Map<string, RelationRecord>();
  for (const [at, record] of records.entries()) {
    const id = typeof record['Id'] === 'string' ? record['Id'] : '';
    const hash = hashText(contents, at);
    const key = id === '' ? hash : id.toLowerCase();
    relations.delete(key);
    relations.set(key, { record, id, hash });
  }
  return [...relations.values()];
}

interface Fresh extends RelationRecord {
  readonly seq: number;
  readonly firstSeen: string;
}

/**
 * A sync of a source that is asked for relation by relation. What came is visible at once, and each relation that is done is
 * remembered: a sync that was interrupted goes on with the others. Nothing is marked gone: a period does not show what is.
 */
export class EachRelation {
  readonly startedAt: string;
  readonly #database: Database;
  readonly #source: SourceState;
  readonly #table: MirrorTable;
  #counts = { added: 0, changed: 0 };
  #calls = 0;

  constructor(database: Database, source: SourceState, startedAt: string) {
    this.#database = database;
    this.#source = source;
    this.#table = tableOf(source);
    this.startedAt = startedAt;
  }

  /** The relations that this sync has not asked for yet, in the order of their list. Throws `local`. */
  waiting(): readonly RelationCursor[] {
    const sql =
      'SELECT r."Id", a.through_ms FROM "all_relations" r LEFT JOIN "_asked" a ON a.source = ? AND a.relation = r."Id" ' +
      'WHERE r."_gone_at" IS NULL AND r."Id" IS NOT NULL AND (a.began_at IS NULL OR a.began_at <> ?) ORDER BY r."_seq"';
    const rows = this.#database.statement(sql).all(this.#source.id, this.startedAt);
    return rows.map(([relation, through]) => ({
      relation: String(relation),
      throughMs: hasValue(through) ? Number(through) : undefined,
    }));
  }

  /** Keeps the new and changed records of a relation, while others may be kept. Throws `local`. */
  store(relation: string, records: readonly RecordValue[]): void {
    this.#database.write(() => this.#write(relation, this.#fresh(relation, records)));
  }

  storeCursor({ relation, throughMs }: RelationCursor): void {
    this.#calls += 1;
    this.#database.write(() => {
      this.#database
        .statement('INSERT OR REPLACE INTO "_asked" (source, relation, through_ms, began_at) VALUES (?, ?, ?, ?)')
        .run(this.#source.id, relation, throughMs ?? null, this.startedAt);
      const { added, changed } = this.#counts;
      this.#database
        .statement('UPDATE "_passes" SET state = ? WHERE source = ?')
        .run(JSON.stringify({ pages: this.#calls, rows: added + changed }), this.#source.id);
    });
  }

  #fresh(relation: string, records: readonly RecordValue[]): readonly Fresh[] {
    const name = allRows(this.#table.name);
    const find = (condition: string) =>
      this.#database.statement(
        `SELECT "_seq", "_hash", "_first_seen" FROM "${name}" WHERE ${condition} AND "_source" = ?2 AND "RelationId" = ?3`,
      );
    const [byId, byContent] = [find('"Id" IN (?1, lower(?1), upper(?1))'), find('"Id" IS NULL AND "_hash" = ?1')];
    let last = Number(this.#database.statement(`SELECT max("_seq") FROM "${name}"`).first()?.[0] ?? 0);
    return relationRecords(records).flatMap((relationRecord) => {
      const { id, hash } = relationRecord;
      const row =
        id === '' ? byContent.first(hash, this.#source.id, relation) : byId.first(id, this.#source.id, relation);
      if (row?.[1] === hash) return [];
      this.#counts[row === undefined ? 'added' : 'changed'] += 1;
      if (row === undefined) return { ...relationRecord, seq: (last += 1), firstSeen: this.startedAt };
      return { ...relationRecord, seq: Number(row[0]), firstSeen: String(row[2]) };
    });
  }

  #write(relation: string, fresh: readonly Fresh[]): void {
    if (fresh.length === 0) return;
    const seqs = fresh.map(({ seq }) => String(seq)).join(', ');
    this.#database.execute(deleteItems(this.#table, seqs));
    const rows = rowsInto(this.#database, this.#table, {
      naming: allRows,
      input: this.#source.input,
      parameters: { relationId: relation },
      own: ['_hash', '_first_seen'],
      fixed: { _source: literal(this.#source.id), _changed_at: literal(this.startedAt) },
    });
    for (const { seq, record, hash, firstSeen } of fresh) rows.add(seq, record, [hash, firstSeen]);
    rows.flush();
    indexRows(this.#database, allRows(this.#table.name), { seqs });
  }

  /** Ends the sync when all relations are done. Throws `local`. */
  end(endedAt: string): SyncCounts {
    const { id, table } = this.#source;
    return this.#database.write(() => {
      const count = this.#database.statement(`SELECT count(*) FROM "${allRows(table)}" WHERE "_source" = ?`).first(id);
      const difference = { rows: Number(count?.[0] ?? 0), ...this.#counts, gone: 0 };
      const { startedAt } = this;
      endPass(this.#database, this.#source, { startedAt, endedAt, did: difference, isListed: true });
      return difference;
    });
  }
}

/**
 * Has each relation asked for again by an interrupted sync whose request was another one. It stays the same sync, because rows
 * carry its time: what it brought is reported when it ends.
 */
function resetCursors(database: Database, id: number, calls: string): void {
  database
    .statement(
      `UPDATE "_asked" SET began_at = '' WHERE source = ?1 AND EXISTS (SELECT 1 FROM "_passes" WHERE source = ?1 AND calls <> ?2)`,
    )
    .run(id, calls);
  database.statement('UPDATE "_passes" SET calls = ?2, state = NULL WHERE source = ?1 AND calls <> ?2').run(id, calls);
}

/** Begins a sync that asks for each relation, or goes on with one that was interrupted. */
export function beginEachRelation(database: Database, source: SourceState, start: PassStart): EachRelation {
  const { id } = source;
  const startedAt = database.write(() => {
    resetCursors(database, id, start.calls);
    const rows = database
      .statement('SELECT began_at FROM "_passes" WHERE source = ? AND calls = ?')
      .first(id, start.calls);
    return rows === undefined ? insertPass(database, source, start) : String(rows[0]);
  });
  return new EachRelation(database, source, startedAt);
}
