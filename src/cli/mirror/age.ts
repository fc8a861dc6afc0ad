import type { Context } from '../../host/context.js';
import { note, type QuietFlag } from '../../host/notes.js';
import { ageText } from '../../lexical/time/age.js';
import { usualSources, type SourceState } from '../../mirror/sources.js';
import { connectionWords, type ConnectionFlags } from '../flags/common.js';

/** Flags that say how old a mirror may be, and how its service is reached. */
export type AgeFlags = Partial<ConnectionFlags> & {
  readonly 'dry-run'?: boolean | undefined;
  readonly 'max-age'?: number | undefined;
  readonly quiet?: boolean;
};

type Filled = Pick<SourceState, 'table' | 'syncedAt'>;

/** True where somebody may read notes of what is as usual: cron stays silent. */
export const isSeen = ({ streams, errorShape }: Context): boolean => streams.err.isTerminal || errorShape === 'json';

/** When the oldest of what fills some tables was synced; undefined when nothing was. */
export const oldestSync = (sources: readonly Filled[], tables: readonly string[]): string | undefined =>
  sources
    .flatMap(({ table, syncedAt }) => (syncedAt !== undefined && tables.includes(table) ? [syncedAt] : []))
    .toSorted()[0];

/** How many milliseconds ago a time of ours is. */
export const ageOf = (context: Context, time: string): number =>
  Math.max(0, context.clock.date().getTime() - Date.parse(time));

/** Says how old what was read from a mirror is, in a terminal and beside JSON. */
export async function tellAge(context: Context, flags: QuietFlag, syncedAt: string | undefined): Promise<void> {
  if (syncedAt === undefined || !isSeen(context)) return;
  await note(context, flags, `from the mirror, synced ${ageText(ageOf(context, syncedAt))}`);
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
  const nowMs = context.clock.date().getTime();
  const isOld = (table: string): boolean => {
    const filling = sources.filter((source) => source.table === table);
    if (filling.length === 0) return usualTables.has(table);
    return !filling.every(({ syncedAt = '' }) => nowMs - Date.parse(syncedAt) <= maxAgeMs);
  };
  const old = tables.filter(isOld);
  if (old.length === 0) return false;
  if (flags.envelope === true || flags['dry-run'] === true) {
    await note(context, flags, `older than --max-age, and not synced by what writes nothing: ${old.join(', ')}`);
    return false;
  }
  const place = mirror === undefined ? [] : [`--mirror=${mirror}`];
  await context.runCommand('mirror:sync', [...old, ...place, ...connectionWords(flags)]);
  return true;
}
