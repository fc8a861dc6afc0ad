import { syncOld, noMirror } from '../../names/mirror/open.js';
import { locateMirror, type MirrorLocation } from '../../names/mirror/location.js';
import type { NilMember } from '../../contract/build.js';
import type { Context } from '../../kit/host/context.js';
import { fieldViewsIn, type FieldView } from '../../mirror/fields/views.js';
import { readMirrorFile } from '../../mirror/open.js';
import { filledIn, sourcesIn, tablesWith, type SourceState } from '../../mirror/sources.js';
import { note, type QuietFlag } from '../../kit/host/notes.js';
import { callPrefix } from '../../mirror/of-call/table.js';
import type { MirrorTable } from '../../mirror/tables.js';
import { nilMembersNote } from '../../formats/columns.js';
import type { Reads } from '../../mirror/sql/messages.js';
import type { Statement } from '../../mirror/sql/statement.js';
import { csvFlags } from '../../kit/flags/csv.js';
import { switchFlag, type Values, repeated } from '../../kit/flags/define.js';
import { maxAgeFlag, mirrorFlags, outputFlags, type CommonFlags } from '../../kit/flags/common.js';
import { durationOption, inputFileOption, pairOption, profileOption, wholeOption } from '../../kit/flags/kinds.js';

/** Flags of `sql`. */
export const sqlFlags = {
  profile: profileOption({ char: 'p', summary: 'Profile of the mirror.', env: 'RELCTL_PROFILE' }),
  ...mirrorFlags,
  ...maxAgeFlag,
  file: inputFileOption({ summary: 'Read the statement from this file; - is stdin.' }),
  param: pairOption({
    ...repeated,
    summary: 'Value of the parameter :NAME; NAME:int=5 for a number. May be repeated.',
    helpValue: 'NAME=VALUE',
  }),
  limit: wholeOption({ least: 1, most: 2 ** 53 - 1 })({ summary: 'Stop after this many rows.', helpGroup: 'OUTPUT' }),
  timeout: durationOption({ summary: 'Time limit for the query.' }),
  'print-file': switchFlag({ summary: 'Print the path of the mirror, for other tools.' }),
  ...outputFlags,
  ...csvFlags,
};

/** Values of those flags. */
export type SqlFlags = Values<typeof sqlFlags> & CommonFlags;

const whole = (name: string): string => `all_${name}`;

const namesOf = ({ name, lists }: MirrorTable): readonly string[] =>
  [name, ...lists.map((list) => list.name)].flatMap((each) => [each, whole(each)]);

/** What a mirror has tables of. */
export interface Holding {
  readonly sources: readonly SourceState[];
  readonly views: readonly FieldView[];
  /** Members by the table, that records of it did have although the service leaves them nil by the interface document. */
  readonly filled: ReadonlyMap<string, readonly string[]>;
}

/** True for a statement that names a table which only its mirror may have: what its columns are is said there. */
export const namesOwnTables = ({ tokens }: Statement): boolean =>
  tokens.some(({ name }) => [callPrefix, `all_${callPrefix}`].some((begin) => name.toLowerCase().startsWith(begin)));

/** The tables of the mirror that a statement names. */
export function tablesIn({ tokens }: Statement, { sources, views }: Holding): readonly MirrorTable[] {
  const words = new Set(tokens.map(({ name }) => name.toLowerCase()));
  const isNamed = (table: MirrorTable): boolean =>
    namesOf(table).some((name) => words.has(name)) ||
    views.some((view) => view.table === table.name && words.has(view.name.toLowerCase()));
  return tablesWith(sources).filter(isNamed);
}

function nilMembersOf({ name, operation }: MirrorTable, { sources, filled }: Holding): readonly string[] {
  const inputs = sources.filter(({ table }) => table === name).map(({ input }) => input);
  const isRequested = ({ parameter = '' }: NilMember): boolean => inputs.some((input) => input[parameter] === true);
  return Object.entries(operation.leavesNil ?? {})
    .filter(([member, nilMember]) => !isRequested(nilMember) && filled.get(name)?.includes(member) !== true)
    .map(([member]) => member);
}

function membersRead({ name, columns, lists }: MirrorTable, reads: Reads): ReadonlySet<string> {
  const read = new Set(reads.get(whole(name)));
  const places = [
    ...columns.filter((column) => read.has(column.name)),
    ...lists.filter((list) => reads.has(whole(list.name))),
  ];
  return new Set(places.flatMap(({ path: [member = ''] }) => member));
}

/** Says once what a statement reads that the service leaves nil in the lists that fill its tables. */
export async function noteNilMembers(
  context: Context,
  flags: QuietFlag,
  { reads, ...holding }: Holding & { readonly reads: Reads },
): Promise<void> {
  const nil = tablesWith(holding.sources).flatMap((table) => {
    const read = membersRead(table, reads);
    return nilMembersOf(table, holding).filter((member) => read.has(member));
  });
  if (nil.length > 0) await note(context, flags, nilMembersNote([...new Set(nil)]));
}

/** A mirror to ask. */
export interface ReadableMirror extends Holding {
  readonly file: string;
}

type MirrorFlags = Pick<SqlFlags, 'profile' | 'mirror'>;

function readHolding(location: MirrorLocation): Holding | undefined {
  const database = readMirrorFile(location);
  if (database === undefined) return undefined;
  try {
    return { sources: sourcesIn(database), views: fieldViewsIn(database), filled: filledIn(database) };
  } finally {
    database.close();
  }
}

/** The mirror that flags name. Throws `not-found` where there is none yet, `local` and `profile`. */
export function openableMirror(context: Context, flags: MirrorFlags): ReadableMirror {
  const location = locateMirror(context, flags);
  const holding = readHolding(location);
  if (holding === undefined) throw noMirror(location);
  return { file: location.file, ...holding };
}

/**
 * The same, after a sync of what is asked for and older than --max-age. Throws what a sync throws as well.
 * @param tables gives those that are asked for, of a mirror that has these
 */
export async function freshMirror(
  context: Context,
  flags: MirrorFlags & Pick<SqlFlags, 'max-age' | 'quiet'>,
  tables: (holding: Holding) => readonly MirrorTable[],
): Promise<ReadableMirror> {
  const { profile, mirror, quiet, 'max-age': maxAgeMs } = flags;
  if (maxAgeMs !== undefined) {
    const holding = readHolding(locateMirror(context, flags)) ?? { sources: [], views: [], filled: new Map() };
    const names = tables(holding).map(({ name }) => name);
    await syncOld(
      context,
      { profile, quiet, 'max-age': maxAgeMs },
      { sources: holding.sources, tables: names, mirror },
    );
  }
  return openableMirror(context, flags);
}
