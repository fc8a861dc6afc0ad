import {
  connectionWords,
  connectionFlags,
  outputFlags,
  type CommonFlags,
  maxAgeFlag,
  mirrorFlags,
} from '../../kit/flags/common.js';
import { filledBySyncs, oldestSync, syncOld, findMirror, noMirror } from '../../names/mirror/open.js';
import { locateMirror, serviceOfMirror } from '../../names/mirror/location.js';
import { profileOf } from '../../kit/session/profile-store.js';
import { type Context, canAsk } from '../../kit/host/context.js';
import { confirm } from '../../kit/host/prompt.js';
import { searchedTables } from '../../mirror/search/match.js';
import { sourcesIn, type SourceState } from '../../mirror/sources.js';
import { tableNamed } from '../../mirror/tables.js';
import type { Database } from '../../state/sqlite/open.js';
import { neutralGroup, option, switchFlag, type Values } from '../../kit/flags/define.js';
import { pagingFlags } from '../../lists/list-flags.js';
import { perhaps, usage } from '../../core/errors/relctl-error.js';
import { nearest } from '../../core/text/nearest.js';

const types = searchedTables.map(({ type }) => type);

function typesIn(text: string, flag: string): readonly string[] {
  const names = text.split(',').map((word) => word.trim());
  const unknown = names.find((word) => !types.includes(word));
  if (unknown === undefined) return names;
  throw usage(
    flag,
    `${flag}: there is no type '${unknown}'; the types are ${types.join(', ')}`,
    perhaps(unknown, nearest(unknown, types)),
  );
}

/** Hits that are shown when no limit is given: more are no answer to a question. */
export const usualLimit = 20;

/** Flags of `find`. */
export const findFlags = {
  ...connectionFlags,
  ...mirrorFlags,
  ...maxAgeFlag,
  ...neutralGroup('FIND', {
    type: option(typesIn, { helpValue: 'A,B', offers: types })({
      summary: 'Only these types: relation,telephone,product.',
    }),
    gone: switchFlag({ summary: 'Also show records that the service no longer has.' }),
  }),
  limit: {
    ...pagingFlags.limit,
    summary: `Show at most this many; the default is ${usualLimit}, and all for --count and --query.`,
    helpGroup: 'FIND',
  },
  ...outputFlags,
};

/** Values of those flags. */
export type FindFlags = Values<typeof findFlags> & CommonFlags;

/** A mirror that is searched. */
export interface SearchedMirror {
  readonly database: Database;
  /** When the oldest of what is searched in it was synced; undefined when nothing was. */
  readonly syncedAt: string | undefined;
  readonly sources: readonly SourceState[];
  /** Tables that are searched and that no sync has filled: those of --type, and those that something should fill. */
  readonly unfilled: readonly string[];
}

async function makeMirror(context: Context, flags: FindFlags): Promise<void> {
  const message = 'There is no mirror to search yet. Read the lists of the service into one now?';
  if (!canAsk(context, flags) || !(await confirm(context, message, { initial: true })))
    throw noMirror(locateMirror(context, flags));
  const mirrorFlag = flags.mirror === undefined ? [] : [`--mirror=${flags.mirror}`];
  await context.runCommand('mirror:sync', [...mirrorFlag, ...connectionWords(flags)]);
}

/**
 * Opens the mirror of the profile, after a sync when what is searched is older than --max-age; where there is none, offers in
 * a terminal to make it. Throws `not-found` without a mirror, `profile` for that of another service, `local`, and what a sync
 * throws.
 */
export async function openSearched(context: Context, flags: FindFlags): Promise<SearchedMirror> {
  const service = serviceOfMirror(profileOf(context, flags));
  const tables = searchedTables.filter(({ type }) => flags.type?.includes(type) ?? true).map(({ table }) => table);
  const there = findMirror(context, flags, service);
  const sources = there === undefined ? [] : sourcesIn(there);
  const isSynced = await syncOld(context, flags, { sources, tables, mirror: flags.mirror });
  if (there === undefined && !isSynced) await makeMirror(context, flags);
  const database = there === undefined || isSynced ? findMirror(context, flags, service) : there;
  if (database === undefined) throw noMirror(locateMirror(context, flags));
  const filling = sourcesIn(database);
  const question =
    flags.type === undefined ? tables.filter((table) => filling.some((each) => each.table === table)) : tables;
  const unfilled = question.filter((table) => filledBySyncs(filling, tableNamed(table)) === 'none');
  return { database, syncedAt: oldestSync(filling, tables), sources: filling, unfilled };
}
