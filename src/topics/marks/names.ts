import type { Session } from '../../cli/session.js';
import { formatFor } from '../../cli/output/record-output.js';
import { wholeListIn } from '../../client/list-answer.js';
import { inRole, opt, recordWithoutPresence, type RecordType } from '../../contract/build.js';
import { PvMarkData, PvRelationshipMarkData } from '../../contract/records/mark.js';
import { string } from '../../contract/scalars.js';
import { operations } from '../../contract/service.js';
import type { Kind } from '../../errors/kinds.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { note } from '../../host/notes.js';
import { itemType, type ListPlan, type ListRun } from '../../lists/plan.js';
import { allOthers, columnNames } from '../../output/column-words.js';
import { formats } from '../../output/formats/index.js';
import type { RecordValue } from '../../plain/value.js';

const operation = operations.MarkGetAll;

/** Member that holds what a mark is called: rows of marks have its Id alone. */
const member = 'Mark';

const NamedMark = recordWithoutPresence('NamedMark', PvMarkData.doc, {
  Name: inRole('name', opt(string, 'Name of the mark, as MarkGetAll lists it.')),
});

type NamesById = ReadonlyMap<string, string>;

async function readNames({ client }: Session): Promise<NamesById> {
  const { result } = await client.call(operation, {});
  wholeListIn({ operation, shows: 'Marks' }, result, true);
  const marks = (result.Marks ?? []).filter((mark) => mark !== null);
  return new Map(marks.flatMap(({ Id, Name }) => (Id && Name ? [[Id.toLowerCase(), Name] as const] : [])));
}

/** What a service may answer while it still lists the marks of a relation. */
const bearable: ReadonlySet<Kind> = new Set(['refused', 'not-found', 'bad-answer']);

/** The names, or none when the service does not give them and nobody asked for them: a table is worth more than they are. */
async function namesFor({ context, session, flags }: ListRun, isAsked: boolean): Promise<NamesById> {
  try {
    return await readNames(session);
  } catch (thrown) {
    const { kind, message } = RelctlError.from(thrown);
    if (isAsked || !bearable.has(kind)) throw thrown;
    await note(context, flags, `the names of marks are not shown: ${message}`);
    return new Map();
  }
}

/** The type of rows of marks with what each mark is called. */
export const withNames = (type: RecordType): RecordType => ({
  ...type,
  fields: { [member]: opt(NamedMark, NamedMark.doc), ...type.fields },
});

/** How rows of marks get a member with the name. */
type Naming = (plan: ListPlan) => ListPlan;

const names = (column: string): boolean =>
  column === allOthers || column.toLowerCase().startsWith(`${member.toLowerCase()}.`);

/**
 * Gives plans of lists of marks the column `Mark.Name`: in tables and cards, and where --columns names it. The names are
 * read once, by a call of their own. Throws what the call throws where --columns names it, else when there is no answer.
 */
export async function markNaming(run: ListRun): Promise<Naming> {
  const { context, session, flags } = run;
  const chosen = columnNames(flags.columns);
  const format = formatFor(context, session, { flags, record: PvRelationshipMarkData, shape: 'list' });
  if (chosen === undefined && formats[format].audience === 'programs') return (plan) => plan;
  const isAsked = chosen?.some(names) === true;
  const isRead = (isAsked || chosen === undefined) && !flags['dry-run'];
  const known: NamesById = isRead ? await namesFor(run, isAsked) : new Map();
  const named = (record: RecordValue): RecordValue => {
    const { MarkId: id } = record;
    const Name = typeof id === 'string' ? known.get(id.toLowerCase()) : undefined;
    return Name === undefined ? record : { ...record, [member]: { Name } };
  };
  return (plan) => {
    return { ...plan, printed: { type: withNames(itemType(plan)), of: named } };
  };
}
