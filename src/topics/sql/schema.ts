import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { fieldViewsIn } from '../../mirror/fields/postgres.js';
import { findMirrorSchema } from '../../mirror/postgres/open.js';
import { sourcesIn } from '../../mirror/postgres/source.js';
import { openPostgresReading } from '../../sql/postgres/reading.js';
import { connectToMirror, type PostgresPlace } from '../../cli/mirror/postgres.js';
import type { AskedMirror } from './asked.js';

/** The mirror in a schema of PostgreSQL. Throws `not-found` where there is none, `profile`, `no-answer` and `local`. */
export async function openSchema(context: Context, place: PostgresPlace): Promise<AskedMirror> {
  const postgres = await connectToMirror(context, place);
  const names = await findMirrorSchema(postgres, place);
  if (names === undefined) {
    throw new RelctlError('not-found', `there is no mirror in ${place.shown}`, {
      facts: { url: place.address.shown, code: 'mirror' },
      hint: place.sync,
    });
  }
  return {
    sources: await sourcesIn(postgres, names),
    views: await fieldViewsIn(postgres, names),
    open: (order, signal) => openPostgresReading(postgres, { ...order, schema: place.schema }, signal),
  };
}
