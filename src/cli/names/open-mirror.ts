import { endpointOf } from '../session/connection.js';
import type { Context } from '../../host/context.js';
import { shellCommand } from '../../lexical/shell/command.js';
import { readMirrorFile } from '../../mirror/sqlite/open.js';
import { sourcesIn } from '../../mirror/sqlite/schema/source.js';
import type { Service } from '../../mirror/store.js';
import { isSandbox, type ResolvedProfile } from '../../profiles/resolve.js';
import type { Database } from '../../sqlite/open.js';
import { syncOld, type AgeFlags } from '../mirror/age.js';
import { profileOf, type Session } from '../session/session.js';
import { mirrorFile } from './mirror-file.js';

/** What a command was given that decides which mirror it looks into. */
export interface MirrorPlace {
  readonly context: Context;
  /** The session, once it is open. */
  readonly session?: Session;
  readonly flags: AgeFlags;
  /** The mirror, where it is not the one of the profile. */
  readonly mirror?: string | undefined;
}

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

function openedFile({ context, session, flags, mirror }: MirrorPlace): Database | undefined {
  const profile = session?.profile ?? profileOf(context, flags);
  const file = mirror === undefined ? mirrorFile(context, profile.name) : context.environment.pathOf(mirror);
  return readMirrorFile({
    file,
    service: serviceOfMirror(profile),
    forget: shellCommand([
      ...['mirror', 'forget', '--profile', profile.name],
      ...(mirror === undefined ? [] : ['--mirror', mirror]),
    ]),
  });
}

/**
 * The mirror of the profile in use; undefined when there is none. Throws `local` for a file that is no mirror, and `profile` for
 * the mirror of another service.
 */
function openNameMirror(place: MirrorPlace): NameMirror | undefined {
  const database = openedFile(place);
  if (database === undefined) return undefined;
  place.context.onClose(() => database.close());
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
 */
export async function freshMirror(place: MirrorPlace, tables: readonly string[]): Promise<NameMirror | undefined> {
  const { context, flags } = place;
  const mirror = openNameMirror(place);
  const sources = mirror === undefined ? [] : sourcesIn(mirror.database);
  if (!(await syncOld(context, flags, { sources, tables, mirror: place.mirror }))) return mirror;
  mirror?.database.close();
  return openNameMirror(place);
}
