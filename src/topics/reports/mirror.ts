import { serviceOfMirror } from '../../cli/names/open-mirror.js';
import { profileOf } from '../../cli/session.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import { note } from '../../host/notes.js';
import { shellCommand } from '../../lexical/shell.js';
import { ageText } from '../../lexical/time/age.js';
import { readMirrorFile } from '../../mirror/sqlite/open.js';
import { sourcesIn } from '../../mirror/sqlite/source.js';
import type { Database } from '../../sqlite/open.js';
import { placeOfMirror, type PlaceFlags } from '../../syncs/place.js';

/** Flags that say which mirror is read, and whether notes are wanted. */
export type MirrorPlaceFlags = PlaceFlags & { readonly quiet?: boolean | undefined };

/** True where somebody may read notes of what is as usual: cron stays silent. */
export const isSeen = ({ streams, errorShape }: Context): boolean => streams.err.isTerminal || errorShape === 'json';

/** The command that fills a table, with the flags that say in which mirror. */
function fillingOf(table: string, { profile, to }: PlaceFlags): string {
  const words = table === 'relation_marks' ? ['mirror', 'add', 'marks', '--by-relation'] : ['mirror', 'sync', table];
  return shellCommand([
    ...words,
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(to === undefined ? [] : ['--to', to]),
  ]);
}

/** Says how old the oldest of some tables is. Throws `not-found` for one that was never filled. */
async function tellAge(
  context: Context,
  flags: MirrorPlaceFlags,
  read: { database: Database; tables: readonly string[] },
): Promise<void> {
  const sources = sourcesIn(read.database);
  const times = read.tables.map((name) => {
    const filled = sources.flatMap(({ table, syncedAt }) =>
      table === name && syncedAt !== undefined ? [syncedAt] : [],
    );
    const [oldest] = filled.toSorted();
    if (oldest !== undefined) return oldest;
    throw new RelctlError('not-found', `the mirror has no ${name} yet: they were never read`, {
      facts: { code: 'mirror' },
      hint: fillingOf(name, flags),
    });
  });
  const [oldest] = times.toSorted();
  if (oldest === undefined || !isSeen(context)) return;
  await note(context, flags, `from the mirror, synced ${ageText(context.clock.date().getTime() - Date.parse(oldest))}`);
}

/**
 * Opens the mirror of a profile until the command ends, as it is at this moment, whatever is synced meanwhile, and says how
 * old it is. Temporary tables go to disk. Throws `not-found` where there is no mirror or a table was never filled, `local`,
 * `usage` for an address of PostgreSQL, and `profile` for the mirror of another service.
 * @param tables those that are read
 */
export async function openReported(
  context: Context,
  flags: MirrorPlaceFlags,
  tables: readonly string[],
): Promise<Database> {
  const place = placeOfMirror(context, flags);
  const database = readMirrorFile({
    ...place,
    service: serviceOfMirror(profileOf(context, { profile: flags.profile })),
  });
  if (database === undefined) {
    throw new RelctlError('not-found', `there is no mirror in ${place.file}`, {
      facts: { path: place.file, code: 'mirror' },
      hint: fillingOf('', flags).replace(" ''", ''),
    });
  }
  context.onClose(() => database.close());
  database.execute('PRAGMA temp_store = FILE; BEGIN');
  await tellAge(context, flags, { database, tables });
  return database;
}
