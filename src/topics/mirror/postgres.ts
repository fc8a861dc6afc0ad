import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { showWait, type WaitingFlags } from '../../host/waiting.js';
import { lockMirror } from '../../mirror/postgres/lock.js';
import { openPostgresMirror } from '../../mirror/postgres/mirror.js';
import { findMirrorSchema, removeMirrorSchema, serviceIn } from '../../mirror/postgres/open.js';
import { sourcesIn } from '../../mirror/postgres/source.js';
import type { Mirror, Service, SourceState } from '../../mirror/store.js';
import { connectToMirror, type PostgresPlace } from '../../cli/mirror/postgres.js';

type LockFlags = WaitingFlags & { readonly 'lock-wait'?: number | undefined };

const waitOf = (context: Context, flags: LockFlags) => ({
  ms: flags['lock-wait'] ?? 0,
  signal: context.signal,
  onWait: (wait: { readonly reason: string; readonly ms: number }) => showWait(context, flags, wait),
});

const noMirror = ({ shown, address, sync }: PostgresPlace): RelctlError =>
  new RelctlError('not-found', `there is no mirror in ${shown}`, {
    facts: { url: address.shown, code: 'mirror' },
    hint: sync,
  });

/** Opens a mirror in PostgreSQL for syncs, until the command ends. Throws as `openPostgresMirror` does. */
export async function openPostgresToWrite(
  context: Context,
  flags: LockFlags,
  { place, service }: { readonly place: PostgresPlace; readonly service: Service },
): Promise<Mirror> {
  const postgres = await connectToMirror(context, place);
  return openPostgresMirror(postgres, { ...place, service, lock: waitOf(context, flags) });
}

/** What a mirror in PostgreSQL holds. */
export interface PostgresContents {
  readonly sources: readonly SourceState[];
  readonly service: Service;
  readonly bytes: number;
}

/** Reads what a mirror in PostgreSQL holds. Throws `not-found` when there is none, and what connecting throws. */
export async function readPostgres(context: Context, place: PostgresPlace): Promise<PostgresContents> {
  const postgres = await connectToMirror(context, place);
  const names = await findMirrorSchema(postgres, place);
  if (names === undefined) throw noMirror(place);
  const sizes =
    'SELECT sum(pg_catalog.pg_total_relation_size(c.oid)) FROM pg_catalog.pg_class c ' +
    "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'";
  return {
    sources: await sourcesIn(postgres, names),
    service: await serviceIn(postgres, place.schema),
    bytes: Number((await postgres.first(sizes, [place.schema]))?.[0] ?? 0),
  };
}

/** Removes a mirror in PostgreSQL with its schema. Throws `not-found` when there is none, `locked` and `local`. */
export async function removePostgres(context: Context, flags: LockFlags, place: PostgresPlace): Promise<void> {
  const postgres = await connectToMirror(context, place);
  await lockMirror(postgres, place.schema, waitOf(context, flags));
  if (!(await removeMirrorSchema(postgres, place.schema))) throw noMirror(place);
}
