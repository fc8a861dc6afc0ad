import { isWatched } from '../../formats/streams.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { Context } from '../../kit/host/context.js';
import { readMirrorFile, type Service } from '../../mirror/open.js';
import type { Database } from '../../state/sqlite/open.js';
import { locateMirror, type MirrorLocation, type LocationFlags } from './location.js';
import { note, type QuietFlag } from '../../kit/host/notes.js';
import { ageText } from '../../core/text/time/moment.js';
import { shellWord } from '../../core/text/text.js';
import { usualSources, type SourceState } from '../../mirror/sources.js';
import type { MirrorTable } from '../../mirror/tables.js';
import { connectionWords, type ConnectionFlags } from '../../kit/flags/common.js';

/** Flags that say how old a mirror may be, and how its service is reached. */
export type AgeFlags = Partial<ConnectionFlags> & {
  readonly 'dry-run'?: boolean | undefined;
  readonly 'max-age'?: number | undefined;
  readonly quiet?: boolean;
};

type Filled = Pick<SourceState, 'table' | 'syncedAt'>;

/** True where somebody may read notes of what is as usual: cron stays silent. */
export const isSeen = ({ streams, errorShape }: Context): boolean => isWatched(streams.err) || errorShape === 'json';

/** When the oldest of what fills some tables was synced; undefined when nothing was. */
export const oldestSync = (sources: readonly Filled[], tables: readonly string[]): string | undefined =>
  sources
    .flatMap(({ table, syncedAt }) => (syncedAt !== undefined && tables.includes(table) ? [syncedAt] : []))
    .toSorted()[0];

/** How much of a table syncs have filled: nothing of it, a part of it, or all that fills it. */
export function filledBySyncs(
  sources: readonly SourceState[],
  { name, columns }: MirrorTable,
): 'none' | 'part' | 'all' {
  const filling = sources.filter(({ table }) => table === name);
  // What is asked for relation by relation is visible as it comes.
  const isByRelation = columns.some(({ parameter }) => parameter !== undefined);
  const isListed = ({ syncedAt, unfinished }: SourceState): boolean =>
    syncedAt !== undefined || (isByRelation && unfinished !== undefined);
  if (!filling.some(isListed)) return 'none';
  return filling.every(({ syncedAt }) => syncedAt !== undefined) ? 'all' : 'part';
}

/** The error for a table of a mirror that no sync has filled. */
export const neverRead = (sources: readonly SourceState[], table: string): RelctlError =>
  new RelctlError('not-found', `the mirror has no records of ${table}: no sync has read it`, {
    facts: { code: 'mirror' },
    hint: sources.some((source) => source.table === table)
      ? `relctl mirror sync ${shellWord(table)}`
      : 'relctl mirror add --help',
  });

/** Says of tables that not all of what fills them was read. */
export async function reportPartialTables(
  context: Context,
  flags: QuietFlag,
  { sources, tables }: { readonly sources: readonly SourceState[]; readonly tables: readonly MirrorTable[] },
): Promise<void> {
  const parts = tables.filter((table) => filledBySyncs(sources, table) === 'part').map(({ name }) => name);
  if (parts.length > 0)
    await note(context, flags, `not all of ${parts.join(', ')} has been read yet: see relctl mirror status`);
}

/** How many milliseconds ago a time of ours is; undefined for one that is ahead of the clock, or was written by one that was. */
export function ageOf(context: Context, time: string): number | undefined {
  const ms = context.clock.date().getTime() - Date.parse(time);
  return ms < 0 ? undefined : ms;
}

/** When something was synced, in words. */
export function syncedText(context: Context, time: string): string {
  const ms = ageOf(context, time);
  return ms === undefined ? `synced while a clock was ahead, at ${time}` : `synced ${ageText(ms)}`;
}

/** Says how old what was read from a mirror is, in a terminal and beside JSON. */
export async function reportAge(context: Context, flags: QuietFlag, syncedAt: string | undefined): Promise<void> {
  if (syncedAt === undefined || !isSeen(context)) return;
  await note(context, flags, `from the mirror, ${syncedText(context, syncedAt)}`);
}

const usualTables: ReadonlySet<string> = new Set(usualSources.map(({ table }) => table));

/**
 * Syncs those of some tables that are older than --max-age; what writes nothing says so instead. A table that nothing fills, and that
 * `mirror add` would have to be told of, stays as it is. Gives true when something was synced. Throws what the sync throws.
 * @param asked what fills the mirror, empty where there is none; the tables; and the mirror, where it is not that of the profile
 */
export async function syncOld(
  context: Context,
  flags: AgeFlags,
  {
    sources,
    tables,
    mirror,
  }: { readonly sources: readonly Filled[]; readonly tables: readonly string[]; readonly mirror?: string | undefined },
): Promise<boolean> {
  const maxAgeMs = flags['max-age'];
  if (maxAgeMs === undefined) return false;
  const isOld = (table: string): boolean => {
    const filling = sources.filter((source) => source.table === table);
    if (filling.length === 0) return usualTables.has(table);
    // What is to be no older than 0s is read anew, and a time of the future says nothing of an age.
    return !filling.every(({ syncedAt = '' }) => (ageOf(context, syncedAt) ?? Infinity) < maxAgeMs);
  };
  const old = tables.filter(isOld);
  if (old.length === 0) return false;
  if (flags.envelope === true || flags['dry-run'] === true) {
    await note(context, flags, `older than --max-age, and this command syncs nothing: ${old.join(', ')}`);
    return false;
  }
  const place = mirror === undefined ? [] : [`--mirror=${mirror}`];
  await context.runCommand('mirror:sync', [...old, ...place, ...connectionWords(flags)]);
  return true;
}

/** The error for a command that needs a mirror where there is none. */
export const noMirror = ({ file, sync }: MirrorLocation): RelctlError =>
  new RelctlError('not-found', `there is no mirror in ${file}`, {
    facts: { path: file, code: 'mirror' },
    hint: sync,
  });

/**
 * Opens the mirror that flags name to read it until the command ends; undefined where there is none. Throws `profile` for the
 * mirror of another service, and `local`.
 * @param service the service that it must belong to, as far as it is known; undefined when any will do
 */
export function findMirror(context: Context, flags: LocationFlags, service?: Partial<Service>): Database | undefined {
  const database = readMirrorFile({ ...locateMirror(context, flags), service });
  if (database !== undefined) context.onClose(() => database.close());
  return database;
}

/** The same. Throws `not-found` when there is none, `local` and `profile`. */
export function readMirror(context: Context, flags: LocationFlags): Database {
  const database = findMirror(context, flags);
  if (database === undefined) throw noMirror(locateMirror(context, flags));
  return database;
}
