import { oldestSync, syncOld, tellAge, usualTables, type AgeFlags } from '../../cli/mirror/age.js';
import { serviceOfMirror } from '../../cli/names/open-mirror.js';
import { profileOf } from '../../cli/session/session.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { shellCommand } from '../../lexical/shell/command.js';
import { sourcesIn } from '../../mirror/sqlite/schema/source.js';
import type { SourceState } from '../../mirror/store.js';
import type { Database } from '../../sqlite/open.js';
import { openTables } from '../../cli/mirror/open.js';
import { placeOfMirror, type PlaceFlags } from '../../cli/mirror/place.js';
import { postgresPlaceOf } from '../../cli/mirror/postgres.js';

/** Flags that say which mirror is read, and whether notes are wanted. */
export type MirrorPlaceFlags = PlaceFlags &
  Pick<AgeFlags, 'max-age' | 'quiet'> & { readonly rate?: number | undefined };

const marksOfRelations = 'relation_marks';

/** What fills tables of a mirror. */
interface Filling {
  /** The marks of relations have to come into its plan first. */
  readonly addsMarks: boolean;
  /** Tables to sync; all where there are none. */
  readonly synced: readonly string[];
}

/** A line that fills tables, with the flags that say in which mirror. */
function lineOf({ addsMarks, synced }: Filling, { profile, to, schema }: PlaceFlags): string {
  const place = Object.entries({ profile, to, schema }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  const adds = addsMarks ? [['mirror', 'add', 'marks', '--by-relation', ...place]] : [];
  return [...adds, ['mirror', 'sync', ...synced, ...place]].map((words) => shellCommand(words)).join(' && ');
}

/** What fills tables that a mirror lacks. What is asked for relation by relation needs the relations. */
const fillingOf = (missing: readonly string[], planned: readonly string[]): Filling => ({
  addsMarks: missing.includes(marksOfRelations) && !planned.includes(marksOfRelations),
  synced: missing.includes(marksOfRelations) ? [...new Set(['relations', ...missing])] : missing,
});

/** When the oldest of some tables was synced. Throws `not-found` for those that were never filled. */
function syncOf(flags: PlaceFlags, sources: readonly SourceState[], tables: readonly string[]): string | undefined {
  const missing = tables.filter((name) => oldestSync(sources, [name]) === undefined);
  if (missing.length === 0) return oldestSync(sources, tables);
  const planned = sources.map(({ table }) => table);
  throw new RelctlError('not-found', `the mirror has no ${missing.join(', ')} yet: they were never read`, {
    facts: { code: 'mirror' },
    hint: lineOf(fillingOf(missing, planned), flags),
  });
}

const opened = (context: Context, flags: MirrorPlaceFlags, tables: readonly string[]): Promise<Database | undefined> =>
  openTables(context, flags, { tables, service: serviceOfMirror(profileOf(context, { profile: flags.profile })) });

/** Syncs what is older than --max-age, unless it is known already that a table is missing which a sync does not make. */
async function openedFresh(
  context: Context,
  flags: MirrorPlaceFlags,
  tables: readonly string[],
): Promise<Database | undefined> {
  const database = await opened(context, flags, tables);
  const sources = database === undefined ? [] : sourcesIn(database);
  const isAdded = (table: string): boolean => sources.some((source) => source.table === table);
  if (!tables.every((table) => usualTables.has(table) || isAdded(table))) return database;
  const { to, schema, rate } = flags;
  return (await syncOld(context, flags, { sources, tables, to, schema, rate }))
    ? opened(context, flags, tables)
    : database;
}

/**
 * Opens the mirror of a profile until the command ends, as it is at this moment, whatever is synced meanwhile, and says how
 * old it is. Temporary tables go to disk. Throws `not-found` where there is no mirror or a table was never filled, `local`,
 * `no-answer` of PostgreSQL, and `profile` for the mirror of another service.
 * @param tables those that are read
 */
export async function openReported(
  context: Context,
  flags: MirrorPlaceFlags,
  tables: readonly string[],
): Promise<Database> {
  const database = await openedFresh(context, flags, tables);
  if (database === undefined) {
    const where = postgresPlaceOf(context, flags)?.shown ?? placeOfMirror(context, flags).file;
    throw new RelctlError('not-found', `there is no mirror in ${where}`, {
      facts: { path: where, code: 'mirror' },
      hint: lineOf({ addsMarks: tables.includes(marksOfRelations), synced: [] }, flags),
    });
  }
  database.execute('PRAGMA temp_store = FILE; BEGIN');
  await tellAge(context, flags, syncOf(flags, sourcesIn(database), tables));
  return database;
}
