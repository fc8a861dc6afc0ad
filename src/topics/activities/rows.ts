import { RowFields } from '../../writes/rows/row-fields.js';
import { withoutMistakes } from '../../writes/rows/read-row.js';
import type { Sent } from '../../state/ledger/outcome.js';
import { defined, type RecordValue } from '../../core/values/value.js';
import { backPlan, comparedAgain, comparedPlan, type Comparing, seenActivity, titleOf } from './compared.js';
import type { BatchContext, RowPlan, RowsText, RowValues, Seen } from '../../writes/rows/rows-text.js';
import { timeReader } from '../../kit/session/times.js';
import { operations } from '../../contract/service.js';
import { usage } from '../../core/errors/relctl-error.js';
import { type CatalogueFlags, openCatalogue } from '../../lists/fields/look-up.js';
import { followUpMembers, followUpOf, type UpdateFlags, type FindingFlags } from './update.js';
import { stalenessMs } from '../../kit/session/session.js';
import { ActivityReader } from './found.js';

/** Gives the search that finds the activity of a row. Throws `RowMistakes` for values that are none of their fields. */
type SearchFor = (row: RowValues) => Promise<RecordValue>;

function checkAlone(flags: FindingFlags, fieldTitles: BatchContext['fieldTitles']): void {
  if (flags['find-by'] === undefined || fieldTitles === undefined) return;
  throw usage('--find-by', '--find-by goes with --entity-type, the kind of activities that are searched');
}

/** How the activities of rows are found by the flags; undefined where these do not say it. Throws `usage`. */
function searchBy(batchContext: BatchContext, fields: RowFields): SearchFor | undefined {
  // The flags are those of the command, whose types a generic hides.
  const flags = batchContext.flags as unknown as FindingFlags;
  const { 'entity-type': activityEntityTypeId } = flags;
  if (activityEntityTypeId === undefined) {
    checkAlone(flags, batchContext.fieldTitles);
    return undefined;
  }
  return async ({ finds = [] }) => {
    const fieldValues = await fields.searchedOf(finds);
    return { activityEntityTypeId, fieldValues: fieldValues.map((each) => ({ ...each })) };
  };
}

/** What activities are compared by: of those that are read only the values of the fields of the file are kept. */
function comparingOf(place: BatchContext, fields: RowFields): Comparing {
  const { fieldTitles } = place;
  let wanted: ReadonlySet<string> | undefined;
  // Titles that stand for no field are told before the first activity is read.
  const neededIds = (): ReadonlySet<string> => {
    const given = fields.constantIds().concat((fieldTitles ?? []).map((title) => fields.finder.idOf(title)));
    return new Set(given.map((id) => id.toLowerCase()));
  };
  const isWanted = (id: string): boolean => fieldTitles === undefined || (wanted ??= neededIds()).has(id);
  return { fields, found: new ActivityReader(place, isWanted), mostMs: stalenessMs(place.session) };
}

interface Activities {
  readonly fields: RowFields;
  readonly readTime: ReturnType<typeof timeReader>;
  /** Where the command line says how they are found. */
  readonly searchFor: SearchFor | undefined;
  readonly comparing: Comparing;
}

const names = Object.keys(followUpMembers);

/** Names that a row, or --nil for a row that does not, means to be empty. */
function nilOf({ values, own }: RowValues): readonly string[] {
  const listed = typeof values['nil'] === 'string' ? values['nil'].split(',').map((each) => each.trim()) : [];
  const emptied = names.filter((name) => values[name] === null);
  // What the command line says stands for rows that say nothing.
  const meant = own.has('nil') ? listed : listed.filter((name) => !own.has(name.toLowerCase()));
  return [...new Set([...meant, ...emptied])];
}

/** The follow-up of a row, whole; undefined where it says nothing of it. Throws `usage`. */
function followUpIn(row: RowValues, { readTime }: Activities): RecordValue | undefined {
  const { values, own } = row;
  const nil = nilOf(row);
  const says = names.some((name) => values[name] !== undefined) || own.has('nil');
  // --nil alone says nothing of a row that has no follow-up.
  if (!says) return undefined;
  const given = names.filter((name) => {
    const isMeantEmpty = nil.some((each) => each.toLowerCase() === name) && !own.has(name);
    return values[name] !== undefined && values[name] !== null && !isMeantEmpty;
  });
  // The readers of the flags made these values.
  const flags = Object.fromEntries(given.map((name) => [name, values[name]])) as unknown as UpdateFlags;
  const followUp = followUpOf({ ...flags, nil: nil.length === 0 ? undefined : nil.join(',') }, readTime);
  const { silent = [], value } = followUp ?? {};
  if (silent.length === 0) return value;
  throw usage(
    'nil',
    `the service writes a follow-up whole, and nothing is said of ${silent.join(', ')}: give them, or name them in nil`,
  );
}

async function planRow(row: RowValues, activities: Activities): Promise<RowPlan> {
  const activityId = String(row.values['id']);
  const { followUp, fieldValues, foundBy } = await partsOf(row, activities);
  const fields = fieldValues.map(({ Id, Value }) => ({ name: activities.fields.nameOf(Id), to: Value }));
  const members = Object.entries(followUp ?? {}).map(([name, to]) => ({ name, to }));
  const changes = [...fields, ...members];
  const input = {
    activityId,
    ...(followUp === undefined ? {} : { followUp }),
    ...(fieldValues.length === 0 ? {} : { fieldValues: fieldValues.map((each) => ({ ...each })) }),
  };
  return {
    key: activityId.toLowerCase(),
    title: `activity ${activityId}`,
    input,
    ...defined({ foundBy }),
    changes,
  };
}

interface Parts {
  readonly followUp: RecordValue | undefined;
  readonly fieldValues: Awaited<ReturnType<RowFields['valuesOf']>>;
  /** The search that finds its activity. */
  readonly foundBy: RecordValue | undefined;
}

async function partsOf(row: RowValues, activities: Activities): Promise<Parts> {
  const parts: { -readonly [N in keyof Parts]: Parts[N] } = {
    followUp: undefined,
    fieldValues: [],
    foundBy: undefined,
  };
  await withoutMistakes([
    () => {
      parts.followUp = followUpIn(row, activities);
    },
    async () => {
      parts.fieldValues = await activities.fields.valuesOf(row.fields);
    },
    async () => {
      parts.foundBy = await activities.searchFor?.(row);
    },
  ]);
  return parts;
}

function seenRow(sent: Sent, { comparing }: Activities): Promise<Seen> {
  if (sent.foundBy !== undefined) return seenActivity(sent, sent.foundBy, comparing);
  const how = 'nothing says how its activity is found: --entity-type does, and --find-by with a column of the file';
  const words = `${how}; else look at ${titleOf(sent.input)} in the CRM`;
  return Promise.resolve({ is: 'unclear', words });
}

/** How activities are changed by the rows of a file. */
export const activityRows: RowsText<Activities> = {
  operation: operations.ActivityUpdate,
  does: 'change',
  record: { argument: 'id', members: ['activityId'] },
  members: Object.fromEntries(Object.entries(followUpMembers).map(([flag, member]) => [member, flag])),
  hasFields: true,
  base: 'taken',
  ofAll: ['workflow', 'field'],
  fields: ({ fields }) => fields.finder,
  open: async (place: BatchContext) => {
    const { context, session, flags } = place;
    const catalogue = await openCatalogue(context, session, flags as CatalogueFlags);
    const fields = new RowFields(place, catalogue);
    return {
      fields,
      readTime: timeReader(context, session),
      searchFor: searchBy(place, fields),
      comparing: comparingOf(place, fields),
    };
  },
  plan: planRow,
  compared: (plan, { comparing }, { base }) => comparedPlan(plan, comparing, base),
  again: (plan, { comparing }) => comparedAgain(plan, comparing),
  back: (sent, { fields }) => backPlan(sent, fields),
  looking: {
    refresh: ({ comparing }) => {
      comparing.found.forget();
      return Promise.resolve();
    },
    at: seenRow,
  },
};
