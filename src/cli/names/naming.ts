import type { RecordType } from '../../contract/build.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { note } from '../../host/notes.js';
import { refersToMirrored, tablesBehind } from '../../mirror/names/shown.js';
import { columnNames } from '../../output/column-words.js';
import { formats, type FormatName } from '../../output/formats/index.js';
import type { Column } from '../../output/columns.js';
import type { NameOf } from '../../output/id-names.js';
import type { RecordValue } from '../../plain/value.js';
import type { CommonFlags } from '../flags/output.js';
import { hasMirror } from '../mirror/place.js';
import type { Session } from '../session/session.js';
import { asksForNames, namesBefore, withNameFields, withNames } from './beside.js';
import type { LookUpPlace } from './mirror.js';
import { profileNames } from './profile-names.js';

/** Where names are shown. */
export interface NamingPlace extends LookUpPlace {
  readonly session: Session;
  readonly flags: LookUpPlace['flags'] &
    CommonFlags & {
      readonly columns?: string | undefined;
      readonly explode?: string | undefined;
      readonly 'with-names'?: boolean | undefined;
    };
}

/** Records as they are printed, and the columns of a table of them. */
export interface Shown {
  readonly type: RecordType;
  readonly of: (record: RecordValue) => RecordValue;
  readonly table: readonly string[];
}

/** The same with names behind Ids. */
export interface Named extends Shown {
  /** The state of the mirror that the names are from: with another one, an export would hold other names. */
  readonly state: string;
}

const memberOf = (title: string): string => title.split('.').at(-1) ?? '';

/** True where a table shows names although nobody asked: its Ids may be those of a mirror, and there is one. */
function isUsual({ context, session, flags }: NamingPlace, { table }: Shown, format: FormatName): boolean {
  const isTable = formats[format].layout === 'table' && flags.columns === undefined;
  // Items that have rows of their own may hold Ids that the columns do not tell of.
  const mayRefer = isTable && (flags.explode !== undefined || table.map(memberOf).some(refersToMirrored));
  return mayRefer && hasMirror(context, session.profile.name);
}

/** Says why names are not shown that nobody asked for: a table is worth more than they are. Throws what is no such reason. */
async function noteMissing(
  { context, flags }: Pick<NamingPlace, 'context'> & { flags: CommonFlags },
  thrown: unknown,
): Promise<void> {
  const { kind, message } = RelctlError.from(thrown);
  if (kind !== 'local' && kind !== 'profile') throw thrown;
  await note(context, flags, `names are not shown: ${message}`);
}

/** Tables of a mirror that have the names of some columns. */
const tablesOfColumns = (titles: readonly string[]): readonly string[] => [
  ...new Set(titles.map(memberOf).flatMap(tablesBehind)),
];

/**
 * Names behind the Ids of other records: with --with-names, where --columns names them, and in tables where a mirror is
 * there. Undefined for records that are shown without. Throws `local` and `profile` when names are asked for and the mirror
 * cannot be read, and what a sync throws.
 */
export async function namedRecords(place: NamingPlace, shown: Shown, format: FormatName): Promise<Named | undefined> {
  const { flags } = place;
  const isAsked = flags['with-names'] === true || asksForNames(columnNames(flags.columns) ?? [], shown.type);
  if (!isAsked && !isUsual(place, shown, format)) return undefined;
  // A card shows names behind Ids, in brackets.
  if (formats[format].layout === 'card' && flags.columns === undefined) return undefined;
  try {
    // The driver of the database is loaded for those alone that need it.
    const { openNames } = await import('./with-names.js');
    const { nameOf, isMirrored, state } = await openNames(place, tablesOfColumns(shown.table));
    const { type, of } = shown;
    return {
      type: withNameFields(type),
      of: (record) => withNames(of(record), type, nameOf),
      table: namesBefore(shown.table, isMirrored),
      state,
    };
  } catch (thrown) {
    if (isAsked) throw thrown;
    await noteMissing(place, thrown);
    return undefined;
  }
}

/** What a card shows behind Ids: names that the profile has, and those of its mirror where there is one. */
export async function namesBehind(
  place: Omit<NamingPlace, 'flags'> & { readonly flags: CommonFlags & LookUpPlace['flags'] },
  columns: readonly Column[],
): Promise<NameOf> {
  const { context, session } = place;
  const isMirrored = columns.some(({ path }) => refersToMirrored(path.at(-1) ?? ''));
  if (!isMirrored || !hasMirror(context, session.profile.name)) return profileNames(context, session);
  try {
    const { openNames } = await import('./with-names.js');
    return (await openNames(place, [])).nameOf;
  } catch (thrown) {
    await noteMissing(place, thrown);
    return profileNames(context, session);
  }
}
