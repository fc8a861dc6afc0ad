import { RelctlError } from '../../../errors/relctl-error.js';
import { isGuid } from '../../../lexical/values/guid.js';
import type { Postgres } from '../../../postgres/connect.js';
import { fieldViewsIn } from '../../fields/postgres.js';
import type { MirrorReader } from '../../reader.js';
import { isSearched } from '../../search/postgres/index-rows.js';
import { searchReader } from '../../search/postgres/read-rows.js';
import type { SearchReader } from '../../search/find.js';
import { changesIn, recordsIn } from './changes.js';
import { quoted, type Names } from '../schema.js';
import { sourcesIn } from '../source.js';

/** Throws `not-found` for a mirror that an earlier version filled. */
async function checkSearch(postgres: Postgres, names: Names): Promise<void> {
  if (await isSearched(postgres, names)) return;
  throw new RelctlError('not-found', 'the mirror in PostgreSQL has no search index: an earlier version filled it', {
    facts: { code: 'mirror' },
    advice: 'The next sync makes it. Readers need GRANT SELECT on its tables too.',
    hint: 'relctl mirror sync',
  });
}

function checkedSearch(postgres: Postgres, names: Names): SearchReader {
  const reader = searchReader(postgres, names);
  let checked: Promise<void> | undefined;
  return {
    async rows(look) {
      await (checked ??= checkSearch(postgres, names));
      return reader.rows(look);
    },
  };
}

/** Reads the mirror in a schema of PostgreSQL. */
export const postgresReader = (postgres: Postgres, names: Names): MirrorReader => ({
  sources: () => sourcesIn(postgres, names),
  rows: async (name) => Number((await postgres.first(`SELECT count(*) FROM ${names.own(name)}`))?.[0] ?? 0),
  fieldViews: () => fieldViewsIn(postgres, names),
  search: checkedSearch(postgres, names),
  async record({ name, idColumn }, id) {
    if (!isGuid(id)) return undefined;
    const sql = `SELECT _record FROM ${names.whole(name)} WHERE ${quoted(idColumn)} = $1::uuid ORDER BY _gone_at IS NOT NULL, _seq LIMIT 1`;
    return (await postgres.first(sql, [id]))?.[0] ?? undefined;
  },
  records: (table, wanted) => recordsIn(postgres, names, { ...wanted, table }),
  changes: (wanted) => changesIn(postgres, names, wanted),
});
