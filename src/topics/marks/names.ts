import { hasMirror } from '../../names/mirror/location.js';
import type { Session } from '../../kit/session/session.js';
import { formatFor } from '../../kit/output/record-output.js';
import { wholeListIn } from '../../client/list-answer.js';
import { inRole, opt, recordWithoutPresence, type RecordType } from '../../contract/build.js';
import { PvMarkData, PvRelationshipMarkData } from '../../contract/records/relation.js';
import { string } from '../../contract/scalars.js';
import { operations } from '../../contract/service.js';
import type { Kind } from '../../core/errors/kinds.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { note } from '../../kit/host/notes.js';
import { itemType, readablePlan, type ListPlan, type ListRun } from '../../lists/plan.js';
import { allOthers, columnNames } from '../../formats/columns.js';
import { formats } from '../../formats/writers/index.js';
import type { RecordValue, Value } from '../../core/values/value.js';

const operation = operations.MarkGetAll;

/** Member that holds what a mark is called: rows of marks have its Id alone. */
const member = 'Mark';
/** Member that --with-names adds. */
const nameBesideId = 'MarkId.Name';

const NamedMark = recordWithoutPresence('NamedMark', PvMarkData.doc, {
  Name: inRole('name', opt(string, 'Name of the mark, as MarkGetAll lists it.')),
});

type NameOfMark = (id: string) => string | undefined;

const noName: NameOfMark = () => undefined;

async function readNames({ client }: Session): Promise<NameOfMark> {
  const { result } = await client.call(operation, {});
  wholeListIn({ operation, shows: 'Marks' }, result, true);
  const marks = (result.Marks ?? []).filter((mark) => mark !== null);
  const names = new Map(marks.flatMap(({ Id, Name }) => (Id && Name ? [[Id.toLowerCase(), Name] as const] : [])));
  return (id) => names.get(id.toLowerCase());
}

/** What a service may answer while it still lists the marks of a relation. */
const bearable: ReadonlySet<Kind> = new Set(['refused', 'not-found', 'bad-answer']);

/** The names, or none when the service does not give them and nobody asked for them: a table is worth more than they are. */
async function namesFor({ context, session, flags }: ListRun, isRequested: boolean): Promise<NameOfMark> {
  try {
    return await readNames(session);
  } catch (thrown) {
    const { kind, message } = RelctlError.from(thrown);
    if (isRequested || !bearable.has(kind)) throw thrown;
    await note(context, flags, `relctl does not show the names of marks: ${message}`);
    return noName;
  }
}

/** The type of rows of marks with what each mark is called. */
export const withNames = (type: RecordType): RecordType => ({
  ...type,
  fields: { [member]: opt(NamedMark, NamedMark.doc), ...type.fields },
});

type RowNaming = (plan: ListPlan) => ListPlan;

const names = (column: string): boolean =>
  column === allOthers || column.toLowerCase().startsWith(`${member.toLowerCase()}.`);

/** What a table and a card show of a mark: its Id with the name of the mirror. */
const byMirror: RowNaming = (plan) => {
  const others = plan.table.filter((title) => title !== `${member}.Name` && title !== 'MarkId');
  return { ...plan, table: others.flatMap((title) => (title === 'RelationshipId' ? [title, 'MarkId'] : [title])) };
};

async function markNamesInMirror({ context, session, flags }: ListRun): Promise<NameOfMark | undefined> {
  if (!hasMirror(context, session.profile.name)) return undefined;
  const { openNames } = await import('../../names/mirror-names.js');
  try {
    const { nameOf, isSynced } = await openNames({ context, session, flags }, ['marks']);
    return isSynced('marks') ? (id) => nameOf(id, 'MarkId') : undefined;
  } catch (thrown) {
    const { kind } = RelctlError.from(thrown);
    // What is wrong with the mirror is reported where its names are shown.
    if (kind === 'local' || kind === 'profile') return undefined;
    throw thrown;
  }
}

interface NameRequest {
  /** As `Mark.Name`. */
  readonly inMember: boolean;
  /** As `MarkId.Name`. */
  readonly besideId: boolean;
  readonly isAsked: boolean;
}

function namedMark(
  row: RecordValue,
  nameOf: NameOfMark,
  { inMember, besideId }: Omit<NameRequest, 'isAsked'>,
): RecordValue {
  const { MarkId: id } = row;
  const Name = typeof id === 'string' ? nameOf(id) : undefined;
  if (Name === undefined) return row;
  const entries = Object.entries(row).flatMap((entry): readonly (readonly [string, Value])[] =>
    besideId && entry[0] === 'MarkId' ? [entry, [nameBesideId, Name]] : [entry],
  );
  // fromEntries defines keys, so that a member named `__proto__` is a member.
  return Object.fromEntries(inMember ? [...entries, [member, { Name }]] : entries);
}

function namesRequest({ context, session, flags }: ListRun): NameRequest {
  const chosen = columnNames(flags.columns);
  const format = formatFor(context, session, { flags, record: PvRelationshipMarkData, shape: 'list' });
  const isUsual = chosen === undefined && formats[format].audience !== 'programs';
  const inMember = isUsual || chosen?.some(names) === true;
  const isNamed = chosen?.some((column) => column.toLowerCase() === nameBesideId.toLowerCase()) === true;
  const besideId = !isUsual && (isNamed || flags['with-names'] === true);
  return { inMember, besideId, isAsked: !isUsual };
}

/**
 * Gives plans of lists of marks their names. A mirror that has them gives them, beside the Ids, and with --with-names to
 * `Mark.Name` where --columns names it. Else they are read once, by a call of their own: to `Mark.Name` in tables and cards, to `MarkId.Name`
 * where names beside Ids are asked for. Throws what the call throws where names are asked for, else when there is no answer.
 */
export async function markNaming(run: ListRun): Promise<RowNaming> {
  const { inMember, besideId, isAsked: isRequested } = namesRequest(run);
  if (!inMember && !besideId) return (plan) => plan;
  const mirrored = await markNamesInMirror(run);
  const isMirrored = mirrored !== undefined;
  if (isMirrored && !isRequested) return byMirror;
  if (isMirrored && !inMember) return (plan) => plan;
  const isCallFree = isMirrored && run.flags['with-names'] === true;
  const called = (): Promise<NameOfMark> | NameOfMark => (run.flags.envelope ? noName : namesFor(run, isRequested));
  const known = isCallFree ? mirrored : await called();
  const request = { inMember, besideId: besideId && !isMirrored };
  return (plan) => {
    const type = itemType(readablePlan(run.session, plan));
    return {
      ...plan,
      printed: { type: inMember ? withNames(type) : type, of: (row) => namedMark(row, known, request) },
    };
  };
}
