import type { RecordValue } from '../../plain/value.js';
import type { Database } from '../../sqlite/open.js';
import { listAt } from '../../tables/cells.js';
import { parametersOf } from '../content.js';
import { keptOf } from '../rendered.js';
import type { Ranges } from '../seqs.js';
import { tableOf } from '../store.js';
import { cellsOf, itemCells, type MirrorTable } from '../tables.js';
import { bulkInto } from './bulk.js';
import { literal, staged } from './schema/tables.js';
import type { NumberedSource } from './schema/source.js';

/** Takes rows and the items of their lists out of the staged tables. */
export function unstageRows(database: Database, { name, lists }: MirrorTable, seqs: Ranges): void {
  for (const [first, last] of seqs) {
    database.statement(`DELETE FROM "${staged(name)}" WHERE "_seq" BETWEEN ? AND ?`).run(first, last);
    for (const list of lists)
      database.statement(`DELETE FROM "${staged(list.name)}" WHERE "_owner" BETWEEN ? AND ?`).run(first, last);
  }
}

/** Writes staged rows, and the items of their lists. */
export interface Staging {
  /** Adds a record as the row of a number, with the hash of its content. */
  readonly add: (seq: number, row: RecordValue, hash: string) => void;
  /** Writes the rows that wait. */
  readonly flush: () => void;
}

/** What writes the rows of a source that a sync brings, with the time at which it began. */
export function stagingFor(database: Database, source: NumberedSource, startedAt: string): Staging {
  const { name, columns, lists } = tableOf(source);
  const parameters = parametersOf(source.input);
  const time = literal(startedAt);
  const fixed = { _source: literal(source.id), _first_seen: time, _changed_at: time };
  const names = columns.map((column) => column.name);
  const rows = bulkInto(database, staged(name), { columns: ['_seq', ...names, '_record', '_hash'], fixed });
  const ofLists = lists.map((list) => {
    const own = list.columns.map((column) => column.name);
    return { list, items: bulkInto(database, staged(list.name), { columns: ['_owner', '_position', ...own] }) };
  });
  return {
    add: (seq, row, hash) => {
      const { record, text } = keptOf(row);
      rows.add([seq, ...cellsOf(columns, record, parameters), text, hash]);
      for (const { list, items } of ofLists) {
        const all = listAt(record, list.path).entries();
        for (const [position, item] of all) items.add([seq, position, ...itemCells(list.columns, item)]);
      }
    },
    flush: () => {
      rows.flush();
      for (const { items } of ofLists) items.flush();
    },
  };
}
