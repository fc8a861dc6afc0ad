import type { Database } from '../../sqlite/open.js';
import { fieldViewsIn } from '../fields/sqlite.js';
import type { MirrorReader } from '../reader.js';
import { searchReader } from '../search/sqlite/read-rows.js';
import { changesIn, recordsIn } from './changes.js';
import { whole } from './schema/tables.js';
import { sourcesIn } from './schema/source.js';

/** Reads the mirror in a database of SQLite. */
export const sqliteReader = (database: Database): MirrorReader => ({
  sources: () => Promise.resolve(sourcesIn(database)),
  rows: (name) => Promise.resolve(Number(database.statement(`SELECT count(*) FROM "${name}"`).first()?.[0] ?? 0)),
  fieldViews: () => Promise.resolve(fieldViewsIn(database)),
  search: searchReader(database),
  record({ name, idColumn }, id) {
    const sql = `SELECT "_record" FROM "${whole(name)}" WHERE "${idColumn}" = ? ORDER BY "_gone_at" IS NOT NULL, "_seq" LIMIT 1`;
    const [json] = database.statement(sql).first(id) ?? [];
    return Promise.resolve(typeof json === 'string' ? json : undefined);
  },
  records: (table, wanted) => recordsIn(database, table, wanted),
  changes: (wanted) => changesIn(database, wanted),
});
