import type { Database } from '../../sqlite/open.js';
import { tableNamed } from '../tables.js';
import { bulkInto, type Bulk } from './bulk.js';
import { literal, staged } from './schema.js';
import type { NumberedSource } from './source.js';

/** Writes staged rows, and the items of their lists. */
export interface Staging {
  readonly rows: Bulk;
  readonly items: readonly Bulk[];
}

/** What writes the rows of a source that a sync brings, with the time at which it began. */
export function stagingFor(database: Database, { id, table: name }: NumberedSource, startedAt: string): Staging {
  const table = tableNamed(name);
  const time = literal(startedAt);
  const names = table.columns.map(({ name }) => name);
  const fixed = { _source: literal(id), _first_seen: time, _changed_at: time };
  return {
    rows: bulkInto(database, staged(table.name), { columns: ['_seq', ...names, '_record', '_hash'], fixed }),
    items: table.lists.map(({ name, columns }) =>
      bulkInto(database, staged(name), { columns: ['_owner', '_position', ...columns.map((column) => column.name)] }),
    ),
  };
}
