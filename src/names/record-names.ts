import { listedRecord, scalarOf } from '../contract/walk.js';
import { opt, type Field, type Fields, type RecordType, type Type } from '../contract/build.js';
import { PvFieldValueData } from '../contract/records/shared.js';
import { string } from '../contract/scalars.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import { note } from '../kit/host/notes.js';
import { refersToMirrored, tablesOfMember } from '../mirror/names.js';
import { hasColumn, type Column, columnNames } from '../formats/columns.js';
import { formats, type FormatName } from '../formats/writers/index.js';
import type { NameOf } from '../formats/writers/format.js';
import { isList, isRecord, type RecordValue, type Value } from '../core/values/value.js';
import type { CommonFlags } from '../kit/flags/common.js';
import { hasMirror } from './mirror/location.js';
import type { Session } from '../kit/session/session.js';
import type { ResolvedProfile } from '../profiles/resolve.js';
import type { LookUpContext } from './mirror-names.js';
import { profileNames } from './profile-names.js';

const ending = '.Name';

/** What the Id in a member refers to; undefined for the own Id of a record, and for no Id. A field value has that of its field. */
function referredBy(name: string, { fields, name: record }: RecordType): string | undefined {
  const type = Object.hasOwn(fields, name) ? fields[name]?.type : undefined;
  if (scalarOf(type) !== 'guid') return undefined;
  if (name !== 'Id') return name;
  return record === PvFieldValueData.name ? 'FieldId' : undefined;
}

function typeWithNames(type: Type): Type {
  if (type.kind === 'record') return withNameFields(type);
  return type.kind === 'list' && type.item.kind === 'record' ? { ...type, item: withNameFields(type.item) } : type;
}

function fieldsWithNames(type: RecordType): Fields {
  return Object.fromEntries(
    Object.entries(type.fields).flatMap(([name, field]): readonly [string, Field][] => {
      if (referredBy(name, type) === undefined) return [[name, { ...field, type: typeWithNames(field.type) }]];
      return [
        [name, field],
        [`${name}${ending}`, opt(string, `Name of the record that ${name} refers to.`)],
      ];
    }),
  );
}

const withNameFields = (type: RecordType): RecordType => ({ ...type, fields: fieldsWithNames(type) });

function namedValue(value: Value, type: Type | undefined, nameOf: NameOf): Value {
  if (type?.kind === 'record' && isRecord(value)) return withNames(value, type, nameOf);
  const record = listedRecord(type);
  return record === undefined || !isList(value) ? value : value.map((item) => namedValue(item, record, nameOf));
}

function withNames(record: RecordValue, type: RecordType, nameOf: NameOf): RecordValue {
  const named: [string, Value][] = [];
  for (const [name, value] of Object.entries(record)) {
    const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
    named.push([name, namedValue(value, field?.type, nameOf)]);
    const referred = referredBy(name, type);
    const known = referred === undefined || typeof value !== 'string' ? undefined : nameOf(value, referred);
    if (known !== undefined) named.push([`${name}${ending}`, known]);
  }
  // fromEntries defines keys, so that a member named `__proto__` is a member.
  return Object.fromEntries(named);
}

const memberOf = (title: string): string => title.split('.').at(-1) ?? '';

const withNameColumns = (titles: readonly string[], hasName: (member: string) => boolean): readonly string[] =>
  titles.flatMap((title) => (hasName(memberOf(title)) ? [`${title}${ending}`, title] : [title]));

function requestsNames(columns: readonly string[], type: RecordType): boolean {
  const titles = columns
    .map((title) => title.trim())
    .filter((title) => /\.Name$/i.test(title) && !hasColumn(type, title));
  return titles.length > 0 && titles.some((title) => hasColumn(withNameFields(type), title));
}

/** Where names are shown. */
export interface NamingContext extends LookUpContext {
  readonly session: Session;
  readonly flags: LookUpContext['flags'] &
    CommonFlags & {
      readonly columns?: string | undefined;
      readonly explode?: string | undefined;
      readonly 'with-names'?: boolean | undefined;
    };
}

/** Records as they are printed, and the columns of a table of them. */
export interface PrintedRecords {
  readonly type: RecordType;
  readonly of: (record: RecordValue) => RecordValue;
  readonly table: readonly string[];
}

function showsNamesByDefault(
  { context, session, flags }: NamingContext,
  { table }: PrintedRecords,
  format: FormatName,
): boolean {
  const isTable = formats[format].layout === 'table' && flags.columns === undefined;
  // Items that have rows of their own may hold Ids that the columns do not tell of.
  const mayRefer = isTable && (flags.explode !== undefined || table.map(memberOf).some(refersToMirrored));
  return mayRefer && hasMirror(context, session.profile.name);
}

/** Says why names are not shown that nobody asked for: a table is worth more than they are. Throws what is no such reason. */
async function noteMissing(
  { context, flags }: Pick<NamingContext, 'context'> & { flags: CommonFlags },
  thrown: unknown,
): Promise<void> {
  const { kind, message } = RelctlError.from(thrown);
  if (kind !== 'local' && kind !== 'profile') throw thrown;
  await note(context, flags, `relctl does not show names: ${message}`);
}

const tablesOfColumns = (titles: readonly string[]): readonly string[] => [
  ...new Set(titles.map(memberOf).flatMap(tablesOfMember)),
];

/**
 * Names behind the Ids of other records: with --with-names, where --columns names them, and in tables where a mirror is
 * there, with the state of the mirror that they are from. Undefined for records that are shown without. Throws `local` and `profile` when names are asked for and the mirror
 * cannot be read, and what a sync throws.
 */
export async function namedRecords(
  namingContext: NamingContext,
  records: PrintedRecords,
  format: FormatName,
): Promise<(PrintedRecords & { readonly state: string }) | undefined> {
  const { flags } = namingContext;
  const isRequested = flags['with-names'] === true || requestsNames(columnNames(flags.columns) ?? [], records.type);
  if (!isRequested && !showsNamesByDefault(namingContext, records, format)) return undefined;
  // A card shows names behind Ids, in brackets.
  if (formats[format].layout === 'card' && flags.columns === undefined) return undefined;
  try {
    // The driver of the database is loaded for those alone that need it.
    const { openNames } = await import('./mirror-names.js');
    const { nameOf, isMirrored, state } = await openNames(namingContext, tablesOfColumns(records.table));
    const { type, of } = records;
    return {
      type: withNameFields(type),
      of: (record) => withNames(of(record), type, nameOf),
      table: withNameColumns(records.table, isMirrored),
      state,
    };
  } catch (thrown) {
    if (isRequested) throw thrown;
    await noteMissing(namingContext, thrown);
    return undefined;
  }
}

/** See `Names.openColumnNames`: names that the profile has, and those of its mirror where there is one. */
export async function openColumnNames(
  request: LookUpContext & { readonly profile: ResolvedProfile; readonly flags: CommonFlags },
  columns: readonly Column[],
): Promise<NameOf> {
  const { context, profile } = request;
  const isMirrored = columns.some(({ path }) => refersToMirrored(path.at(-1) ?? ''));
  if (!isMirrored || !hasMirror(context, profile.name)) return profileNames(context, { profile });
  try {
    const { openNames } = await import('./mirror-names.js');
    return (await openNames({ ...request, session: { profile } }, [])).nameOf;
  } catch (thrown) {
    await noteMissing(request, thrown);
    return profileNames(context, { profile });
  }
}
