import { endpointUrl } from '../../client/connection.js';
import type { Context } from '../../host/context.js';
import { shellCommand } from '../../lexical/shell.js';
import { usualSources } from '../../mirror/sources.js';
import { readMirrorFile } from '../../mirror/sqlite/open.js';
import type { Service } from '../../mirror/store.js';
import { isSandbox, type ResolvedProfile } from '../../profiles/resolve.js';
import type { Database } from '../../sqlite/open.js';
import type { ConnectionFlags } from '../flags/connection.js';
import { profileOf, type Session } from '../session.js';
import { mirrorFile } from './mirror-file.js';

/** What a command was given that decides which mirror it looks into. */
export interface MirrorPlace {
  readonly context: Context;
  /** The session, once it is open. */
  readonly session?: Session;
  readonly flags: Partial<ConnectionFlags> & { readonly 'max-age'?: number | undefined };
}

/** A mirror that names are looked up in. */
export interface NameMirror {
  readonly database: Database;
  /** When the oldest of some tables was synced, in milliseconds since 1970; undefined when none ever was. */
  readonly syncedAtMs: (tables: readonly string[]) => number | undefined;
  /** Stands for what is in it: another text after each sync. */
  readonly state: () => string;
}

/** The service that the mirror of a profile belongs to; undefined for the sandbox, whose mirror is told by its name, and where the profile has none. */
export function serviceOfMirror(profile: ResolvedProfile): Service | undefined {
  const text = (name: 'baseUrl' | 'namespace' | 'databaseId'): string => String(profile.values[name]?.value ?? '');
  if (isSandbox(profile) || text('baseUrl') === '') return undefined;
  return { url: endpointUrl(text('baseUrl')), namespace: text('namespace'), database: text('databaseId') };
}

/**
 * The mirror of the profile in use; undefined when there is none. Throws `local` for a file that is no mirror, and `profile`
 * for the mirror of another service.
 */
function openNameMirror({ context, session, flags }: MirrorPlace): NameMirror | undefined {
  const profile = session?.profile ?? profileOf(context, flags);
  const file = mirrorFile(context, profile.name);
  const database = readMirrorFile({
    file,
    service: serviceOfMirror(profile),
    forget: shellCommand(['mirror', 'forget', '--profile', profile.name]),
  });
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

const usualTables: ReadonlySet<string> = new Set(usualSources.map(({ table }) => table));

/** Flags of the connection that a sync is given as well. */
const passedOn = ['profile', 'soap', 'timeout', 'retries', 'ca-file', 'client-cert', 'client-key'] as const;

async function sync({ context, flags }: MirrorPlace, tables: readonly string[]): Promise<void> {
  const given = passedOn.flatMap((name) => (flags[name] === undefined ? [] : [`--${name}=${flags[name]}`]));
  const insecure = flags.insecure === true ? ['--insecure'] : [];
  await context.runCommand('mirror:sync', [...tables, ...given, ...insecure]);
}

/**
 * The mirror of the profile in use, after a sync of these tables when they are older than --max-age; undefined when there is
 * none. Throws what `openNameMirror` and the sync throw.
 */
export async function freshMirror(place: MirrorPlace, tables: readonly string[]): Promise<NameMirror | undefined> {
  const { context, flags } = place;
  const mirror = openNameMirror(place);
  const maxAgeMs = flags['max-age'];
  if (maxAgeMs === undefined) return mirror;
  // Those that `mirror add` did not add are no tables that could be synced.
  const synced = tables.filter((table) => usualTables.has(table) || mirror?.syncedAtMs([table]) !== undefined);
  const syncedAtMs = mirror?.syncedAtMs(synced) ?? Number.NEGATIVE_INFINITY;
  if (synced.length === 0 || context.clock.date().getTime() - syncedAtMs <= maxAgeMs) return mirror;
  mirror?.database.close();
  await sync(place, synced);
  return openNameMirror(place);
}
