import { endpointOf } from '../session/connection.js';
import type { Context } from '../../host/context.js';
import { shellCommand } from '../../lexical/shell/command.js';
import { readMirrorFile } from '../../mirror/sqlite/open.js';
import { sourcesIn } from '../../mirror/sqlite/schema/source.js';
import type { RecordKind } from '../../mirror/names/kinds.js';
import type { Service } from '../../mirror/store.js';
import { isSandbox, type ResolvedProfile } from '../../profiles/resolve.js';
import type { Database } from '../../sqlite/open.js';
import { syncOld, type AgeFlags } from '../mirror/age.js';
import { postgresPlaceOf, type PostgresPlace } from '../mirror/postgres.js';
import { profileOf, type Session } from '../session/session.js';
import { mirrorFile } from './mirror-file.js';

/** What a command was given that decides which mirror it looks into. */
export interface MirrorPlace {
  readonly context: Context;
  /** The session, once it is open. */
  readonly session?: Session;
  readonly flags: AgeFlags;
  /** The mirror, where it is not the one of the profile. */
  readonly to?: string | undefined;
  readonly schema?: string | undefined;
}

/** Names of a kind that are looked up: the records that a text names, or any without one. */
export interface WantedNames {
  readonly kind: RecordKind;
  readonly text?: string;
}

/** What is wanted of a mirror: names that are looked up, or what the records of some tables are called. */
type Wanted = WantedNames | { readonly shown: readonly string[] };

/** A mirror that names are looked up in. */
export interface NameMirror {
  readonly database: Database;
  /** When the oldest of some tables was synced, in milliseconds since 1970; undefined when none ever was. */
  readonly syncedAtMs: (tables: readonly string[]) => number | undefined;
  /** Stands for what is in it: another text after each sync. */
  readonly state: () => string;
}

/** The service that the mirror of a profile belongs to: of the sandbox its name alone; undefined where the profile has none. */
export function serviceOfMirror(profile: ResolvedProfile): Partial<Service> | undefined {
  const text = (name: 'namespace' | 'databaseId'): string => String(profile.values[name]?.value ?? '');
  if (isSandbox(profile)) return { url: 'sandbox' };
  const url = endpointOf(profile);
  return url === undefined ? undefined : { url, namespace: text('namespace'), database: text('databaseId') };
}

/** A temporary copy of what is wanted of the mirror at a place in PostgreSQL; undefined when there is none. */
async function copied(
  { context, session, flags }: MirrorPlace,
  place: PostgresPlace,
  wanted: Wanted,
): Promise<Database | undefined> {
  const { openSchema } = await import('../mirror/open.js');
  const { copyNamed, copyShown } = await import('../../mirror/postgres/reading/copy-names.js');
  const found = await openSchema(context, place, serviceOfMirror(session?.profile ?? profileOf(context, flags)));
  if (found === undefined) return undefined;
  const { postgres, names } = found;
  const copying = 'shown' in wanted ? copyShown(postgres, names, wanted.shown) : copyNamed(postgres, names, wanted);
  return copying.finally(() => postgres.close());
}

function openedFile({ context, session, flags, to }: MirrorPlace): Database | undefined {
  const profile = session?.profile ?? profileOf(context, flags);
  const file = to === undefined ? mirrorFile(context, profile.name) : context.environment.pathOf(to);
  return readMirrorFile({
    file,
    service: serviceOfMirror(profile),
    forget: shellCommand([
      ...['mirror', 'forget', '--profile', profile.name],
      ...(to === undefined ? [] : ['--to', to]),
    ]),
  });
}

/**
 * The mirror of the profile in use; undefined when there is none. Throws `local` for a file that is no mirror, `profile` for
 * the mirror of another service, and `no-answer`.
 */
async function openNameMirror(place: MirrorPlace, wanted: Wanted): Promise<NameMirror | undefined> {
  const { context, flags, to, schema } = place;
  const postgres = postgresPlaceOf(context, { profile: flags.profile, to, schema });
  const database = postgres === undefined ? openedFile(place) : await copied(place, postgres, wanted);
  if (database === undefined) return undefined;
  context.onClose(() => database.close());
  const oldest = database.statement(
    'SELECT min(synced_at) FROM "_sources" WHERE "table" IN (SELECT value FROM json_each(?)) AND synced_at IS NOT NULL',
  );
  return {
    database,
    syncedAtMs: (tables) => {
      const [at] = oldest.first(JSON.stringify(tables)) ?? [];
      return typeof at === 'string' ? Date.parse(at) : undefined;
    },
    state: () => String(database.statement('SELECT max(synced_at) FROM "_sources"').first()?.[0] ?? ''),
  };
}

/**
 * The mirror of the profile in use, after a sync of these tables when they are older than --max-age; undefined when there is
 * none. Throws what `openNameMirror` and the sync throw.
 * @param wanted what is copied of a mirror in PostgreSQL
 */
export async function freshMirror(
  place: MirrorPlace,
  tables: readonly string[],
  wanted: Wanted,
): Promise<NameMirror | undefined> {
  const { context, flags, to, schema } = place;
  const mirror = await openNameMirror(place, wanted);
  const sources = mirror === undefined ? [] : sourcesIn(mirror.database);
  if (!(await syncOld(context, flags, { sources, tables, to, schema }))) return mirror;
  mirror?.database.close();
  return openNameMirror(place, wanted);
}
