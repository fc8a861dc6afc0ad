import type { RowKey } from '../../client/paging.js';
import type { Postgres } from '../../postgres/connect.js';
import type { SeqSet } from '../seqs.js';
import { isWithoutId, type MirrorTable } from '../tables.js';
import { idInRecord, type Names } from './schema.js';
import type { NumberedSource } from './source.js';

const firstBytes = 64 * 1024;

/** Ids and hashes of records, packed: as objects those of a million records would take more memory than a sync may. */
class PackedKeys implements Iterable<RowKey> {
  #bytes = Buffer.allocUnsafe(firstBytes);
  #length = 0;

  add(id: string, hash: string): void {
    const text = `${id}\n${hash}\n`;
    const most = this.#length + text.length * 3;
    if (most > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(most, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  *[Symbol.iterator](): Generator<RowKey> {
    const next = (at: number): number => this.#bytes.indexOf(10, at);
    for (let at = 0; at < this.#length;) {
      const middle = next(at);
      const end = next(middle + 1);
      const hash = this.#bytes.toString('latin1', middle + 1, end);
      yield {
        id: this.#bytes.toString('utf8', at, middle),
        left: Number.parseInt(hash.slice(0, 8), 16),
        right: Number.parseInt(hash.slice(8), 16),
      };
      at = end + 1;
    }
  }
}

/**
 * Ids and hashes of the records among some rows, as an interrupted sync left them: those that it staged stand for those that
 * are there. Ids are those of the record, to the letter.
 */
export async function keysOf(
  postgres: Postgres,
  names: Names,
  given: { readonly table: MirrorTable; readonly source: NumberedSource; readonly among: SeqSet },
): Promise<Iterable<RowKey>> {
  const { table, source, among } = given;
  const keys = new PackedKeys();
  const hasId = `NOT (${isWithoutId(table)})`;
  const columns = `_seq, ${idInRecord(table)}, _hash`;
  const staged = names.staged(table.name);
  await postgres.transaction(async () => {
    const rows = postgres.each(
      `SELECT ${columns} FROM ${names.whole(table.name)} w WHERE _source = $1::integer AND ${hasId} ` +
        `AND NOT EXISTS (SELECT 1 FROM ${staged} s WHERE s._seq = w._seq) ` +
        `UNION ALL SELECT ${columns} FROM ${staged} WHERE ${hasId}`,
      [source.id],
    );
    for await (const [seq, text, hash] of rows) {
      if (among.has(Number(seq))) keys.add(text ?? '', hash ?? '');
    }
  }, 'READ ONLY');
  return keys;
}
