import { filledBySyncs, neverRead, oldestSync, syncOld, tellAge as tellSync, tellParts } from '../../cli/mirror/age.js';
import { findMirror, noMirror } from '../../cli/mirror/open.js';
import { placeOfMirror, type MirrorPlace } from '../../cli/mirror/place.js';
import type { Context } from '../../host/context.js';
import { fieldViewsIn } from '../../mirror/fields/views.js';
import { readMirrorFile } from '../../mirror/open.js';
import { sourcesIn, tablesWith, type SourceState } from '../../mirror/sources.js';
import type { SqlFlags } from './flags.js';
import { note, type QuietFlag } from '../../host/notes.js';
import type { FieldView } from '../../mirror/fields/plan.js';
import { callPrefix } from '../../mirror/of-call/names.js';
import type { MirrorColumn, MirrorTable } from '../../mirror/tables.js';
import { leftNilNote } from '../../output/left-nil.js';
import type { RecordValue } from '../../plain/value.js';
import type { Database } from '../../sqlite/open.js';
import type { Statement } from '../../sql/statement.js';

/** Names of a table and of the lists in it, as a statement may have them. */
const namesOf = ({ name, lists }: MirrorTable): readonly string[] =>
  [name, ...lists.map((list) => list.name)].flatMap((each) => [each, `all_${each}`]);

/** What a mirror has tables of. */
export interface Holding {
  readonly sources: readonly SourceState[];
  readonly views: readonly FieldView[];
}

/** True for a statement that names a table which only its mirror may have: what its columns are is said there. */
export const namesOwnTables = ({ tokens }: Statement): boolean =>
  tokens.some(({ name }) => [callPrefix, `all_${callPrefix}`].some((begin) => name.toLowerCase().startsWith(begin)));

/** The tables of the mirror that a statement names. */
export function tablesIn({ tokens }: Statement, { sources, views }: Holding): readonly string[] {
  const named = new Set(tokens.map(({ name }) => name.toLowerCase()));
  const viewsOf = ({ name: table }: MirrorTable): readonly string[] =>
    views.filter((view) => view.table === table).map(({ name }) => name.toLowerCase());
  return tablesWith(sources)
    .filter((table) => [...namesOf(table), ...viewsOf(table)].some((name) => named.has(name)))
    .map(({ name }) => name);
}

/** The tables of the mirror that a statement names. */
const named = (statement: Statement, holding: Holding): readonly MirrorTable[] => {
  const names = tablesIn(statement, holding);
  return tablesWith(holding.sources).filter(({ name }) => names.includes(name));
};

/** Throws `not-found` for a table that a statement names and no sync has filled: its rows are not those of the service. */
export function refuseUnfilled(statement: Statement, holding: Holding): void {
  const unfilled = named(statement, holding).find((table) => filledBySyncs(holding.sources, table) === 'none');
  if (unfilled !== undefined) throw neverRead(holding.sources, unfilled.name);
}

/**
 * Says how old the tables are that a statement names: the oldest of them, in a terminal and beside JSON. That not all of one
 * was read is said everywhere.
 */
export async function tellAge(
  context: Context,
  flags: QuietFlag,
  { statement, ...holding }: Holding & { readonly statement: Statement },
): Promise<void> {
  const { sources } = holding;
  const tables = named(statement, holding);
  await tellParts(context, flags, { sources, tables });
  await tellSync(
    context,
    flags,
    oldestSync(
      sources,
      tables.map(({ name }) => name),
    ),
  );
}

/** Names that a table has for what the service leaves nil in all lists that fill it: columns, and tables of lists. */
function namesLeftNil({ columns, lists, operation }: MirrorTable, inputs: readonly RecordValue[]): readonly string[] {
  const isNil = ({ path: [member = ''] }: Pick<MirrorColumn, 'path'>): boolean => {
    const parameter = operation.leavesNil?.[member];
    return parameter !== undefined && inputs.every((input) => input[parameter] !== true);
  };
  return [...columns, ...lists].filter(isNil).map(({ name }) => name);
}

/** True where rows of a mirror do have values of a column, or a list has rows. Throws `local`. */
const isFilled = (database: Database, { name, lists }: MirrorTable, found: string): boolean =>
  database
    .statement(
      lists.some((list) => list.name === found)
        ? `SELECT 1 FROM "all_${found}" LIMIT 1`
        : `SELECT 1 FROM "all_${name}" WHERE "${found}" IS NOT NULL LIMIT 1`,
    )
    .first() !== undefined;

/** Says once what of a statement the service leaves nil in the lists that fill its tables, where no row has it either. */
export async function tellLeftNil(
  context: Context,
  flags: MirrorFlags & QuietFlag,
  { statement, ...asked }: Holding & { readonly statement: Statement },
): Promise<void> {
  const words = new Set(statement.tokens.map(({ name }) => name.toLowerCase()));
  const found = named(statement, asked).flatMap((table) => {
    const inputs = asked.sources.filter((source) => source.table === table.name).map(({ input }) => input);
    const names = namesLeftNil(table, inputs).filter((name) => words.has(name.toLowerCase()));
    return names.map((name) => ({ table, name }));
  });
  if (found.length === 0) return;
  const database = findMirror(context, flags);
  const nil = found.filter(({ table, name }) => database !== undefined && !isFilled(database, table, name));
  if (nil.length > 0) await note(context, flags, leftNilNote([...new Set(nil.map(({ name }) => name))]));
}

/** A mirror to ask. */
export interface AskedMirror extends Holding {
  readonly file: string;
}

type MirrorFlags = Pick<SqlFlags, 'profile' | 'mirror'>;

/** The mirror that flags name; undefined where there is none yet. Throws `profile`, and `local` for a file that is no mirror. */
function mirrorThere(place: MirrorPlace): AskedMirror | undefined {
  const database = readMirrorFile(place);
  if (database === undefined) return undefined;
  try {
    return { file: place.file, sources: sourcesIn(database), views: fieldViewsIn(database) };
  } finally {
    database.close();
  }
}

/** The same. Throws `not-found` as well where there is none yet. */
export function askedMirror(context: Context, flags: MirrorFlags): AskedMirror {
  const place = placeOfMirror(context, flags);
  const there = mirrorThere(place);
  if (there === undefined) throw noMirror(place);
  return there;
}

/**
 * The same, after a sync of what is asked for and older than --max-age. Throws what a sync throws as well.
 * @param tables gives those that are asked for, of a mirror that has these
 */
export async function freshMirror(
  context: Context,
  flags: MirrorFlags & Pick<SqlFlags, 'max-age' | 'quiet'>,
  tables: (holding: Holding) => readonly string[],
): Promise<AskedMirror> {
  if (flags['max-age'] === undefined) return askedMirror(context, flags);
  const there = mirrorThere(placeOfMirror(context, flags));
  const { profile, mirror, quiet, 'max-age': maxAgeMs } = flags;
  const { sources = [], views = [] } = there ?? {};
  const wanted = { sources, tables: tables({ sources, views }), mirror };
  const isSynced = await syncOld(context, { profile, quiet, 'max-age': maxAgeMs }, wanted);
  return there === undefined || isSynced ? askedMirror(context, flags) : there;
}
