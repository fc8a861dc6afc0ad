import { serviceOfMirror } from '../../cli/mirror/place.js';
import { profileOf } from '../../cli/session/profile-store.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { canAsk } from '../../host/may-ask.js';
import { confirm } from '../../host/prompt.js';
import { shellCommand } from '../../lexical/shell/command.js';
import { ageText } from '../../lexical/time/age.js';
import { searchedTables } from '../../mirror/search/searched.js';
import { sourcesIn } from '../../mirror/sources.js';
import type { Database } from '../../sqlite/open.js';
import { findMirror } from '../../cli/mirror/open.js';
import { connectionWords } from '../../cli/flags/connection.js';
import type { FindFlags } from './flags.js';

/** A mirror that is searched. */
export interface SearchedMirror {
  readonly database: Database;
  /** When the oldest of what is searched in it was synced, in words. */
  readonly age: string;
}

/** Names of the tables that are searched for some types. */
const tablesOf = (types: readonly string[] | undefined): readonly string[] =>
  searchedTables.filter(({ type }) => types?.includes(type) ?? true).map(({ table }) => table);

/** The command that makes the mirror. */
const syncCommand = ({ mirror }: FindFlags): string =>
  shellCommand(['mirror', 'sync', ...(mirror === undefined ? [] : ['--mirror', mirror])]);

const noMirror = (flags: FindFlags): RelctlError =>
  new RelctlError('not-found', 'there is no mirror to look into yet', {
    facts: { code: 'mirror' },
    advice: 'It is a copy of the lists of the service on this machine, and is made once; later syncs read what is new.',
    hint: syncCommand(flags),
  });

const open = (context: Context, flags: FindFlags): Database | undefined =>
  findMirror(context, flags, serviceOfMirror(profileOf(context, flags)));

async function sync(context: Context, flags: FindFlags): Promise<Database> {
  const place = flags.mirror === undefined ? [] : [`--mirror=${flags.mirror}`];
  await context.runCommand('mirror:sync', [...place, ...connectionWords(flags)]);
  const database = open(context, flags);
  if (database === undefined) throw noMirror(flags);
  return database;
}

/** Makes the mirror after a yes in a terminal. Throws `not-found` without one, and what the sync throws. */
async function made(context: Context, flags: FindFlags): Promise<Database> {
  const message = 'There is no mirror to look into yet. Read the lists of the service into one now?';
  if (canAsk(context, flags) && (await confirm(context, message, { initial: true }))) return sync(context, flags);
  throw noMirror(flags);
}

/** Milliseconds since the oldest of some tables was synced; undefined when none ever was. */
function ageOf(context: Context, database: Database, tables: readonly string[]): number | undefined {
  const times = sourcesIn(database).flatMap(({ table, syncedAt }) =>
    tables.includes(table) && syncedAt !== undefined ? [Date.parse(syncedAt)] : [],
  );
  return times.length === 0 ? undefined : context.clock.date().getTime() - Math.min(...times);
}

/**
 * Opens the mirror of the profile, after a sync when what is searched is older than --max-age; where there is none, offers in
 * a terminal to make it. Throws `not-found` without a mirror, `profile` for that of another service, `local`, and what a sync
 * throws.
 */
export async function openSearched(context: Context, flags: FindFlags): Promise<SearchedMirror> {
  const tables = tablesOf(flags.type);
  const there = open(context, flags);
  const ageBefore = there && ageOf(context, there, tables);
  const maxAgeMs = flags['max-age'];
  const isOld = maxAgeMs !== undefined && (ageBefore ?? Number.POSITIVE_INFINITY) > maxAgeMs;
  const isSynced = isOld && !flags.envelope;
  const database = isSynced ? await sync(context, flags) : (there ?? (await made(context, flags)));
  const ageMs = ageOf(context, database, tables);
  return { database, age: ageMs === undefined ? 'never synced' : `synced ${ageText(ageMs)}` };
}
