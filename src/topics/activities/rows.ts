import { RowFields } from '../../writes/rows/row-fields.js';
import { withoutMistakes } from '../../writes/rows/read-row.js';
import { hasValue, defined, type RecordValue } from '../../core/values/value.js';
import { type Activities, backPlan, comparedAgain, comparedPlan, seenActivity } from './comparison.js';
import type { BatchContext, RowPlan, RowsText, RowValues } from '../../writes/rows/rows-text.js';
import { timeReader } from '../../kit/session/times.js';
import { operations } from '../../contract/service.js';
import { usage } from '../../core/errors/relctl-error.js';
import { type CatalogueFlags, openCatalogue } from '../../lists/fields/look-up.js';
import { followUpMembers, followUpOf, type UpdateFlags, type FindingFlags } from './update.js';
import { stalenessMs } from '../../kit/session/session.js';
import { ActivityReader } from './reader.js';

/** How the activities of rows are found by the flags; undefined where these do not say it. Throws `usage`. */
function searchBy({ flags, fieldTitles }: BatchContext, fields: RowFields): Activities['searchFor'] {
  // The flags are those of the command, whose types a generic hides.
  const { 'entity-type': activityEntityTypeId, 'find-by': findBy } = flags as unknown as FindingFlags;
  if (activityEntityTypeId !== undefined)
    return async ({ finds = [] }) => {
      const fieldValues = await fields.searchedOf(finds);
      return { activityEntityTypeId, fieldValues: fieldValues.map((each) => ({ ...each })) };
    };
  // An undo has no rows of a file.
  if (findBy === undefined || fieldTitles === undefined) return undefined;
  throw usage('--find-by', '--find-by needs --entity-type, the kind of activities to search');
}

/** Reads activities; of those of a file only the values of its fields are stored. */
function readerOf(batchContext: BatchContext, fields: RowFields): ActivityReader {
  const { fieldTitles } = batchContext;
  let ids: ReadonlySet<string> | undefined;
  // Titles that stand for no field are reported before the first activity is read.
  const neededIds = (titles: readonly string[]): ReadonlySet<string> => {
    const all = [...fields.constantIds(), ...titles.map((title) => fields.finder.idOf(title))];
    return new Set(all.map((id) => id.toLowerCase()));
  };
  const isNeeded = (id: string): boolean => fieldTitles === undefined || (ids ??= neededIds(fieldTitles)).has(id);
  return new ActivityReader(batchContext, isNeeded);
}

const names = Object.keys(followUpMembers);

/** Names that a row, or --nil for a row that does not, means to be empty. */
function nilOf({ values, own }: RowValues): readonly string[] {
  const listed = typeof values['nil'] === 'string' ? values['nil'].split(',').map((each) => each.trim()) : [];
  const emptied = names.filter((name) => values[name] === null);
  // What the command line says stands for rows that say nothing.
  const named = own.has('nil') ? listed : listed.filter((name) => !own.has(name.toLowerCase()));
  return [...new Set([...named, ...emptied])];
}

/** The follow-up of a row, whole; undefined where it says nothing of it. Throws `usage`. */
function followUpIn(row: RowValues, { readTime }: Activities): RecordValue | undefined {
  const { values, own } = row;
  const nil = nilOf(row);
  const says = names.some((name) => values[name] !== undefined) || own.has('nil');
  // --nil alone says nothing of a row that has no follow-up.
  if (!says) return undefined;
  const filled = names.filter((name) => {
    const isEmptied = nil.some((each) => each.toLowerCase() === name) && !own.has(name);
    return hasValue(values[name]) && !isEmptied;
  });
  // The readers of the flags made these values.
  const flags = Object.fromEntries(filled.map((name) => [name, values[name]])) as unknown as UpdateFlags;
  const followUp = followUpOf({ ...flags, nil: nil.length === 0 ? undefined : nil.join(',') }, readTime);
  const { silent = [], value } = followUp ?? {};
  if (silent.length === 0) return value;
  throw usage(
    'nil',
    `the service writes a whole follow-up, and ${silent.join(', ')} have no value: set them, or list them in nil`,
  );
}

async function planRow(row: RowValues, activities: Activities): Promise<RowPlan> {
  const activityId = String(row.values['id']);
  const { followUp, fieldValues, foundBy: searchInput } = await partsOf(row, activities);
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
    ...defined({ foundBy: searchInput }),
    changes,
  };
}

interface Parts {
  followUp?: RecordValue | undefined;
  fieldValues: Awaited<ReturnType<RowFields['valuesOf']>>;
  foundBy?: RecordValue | undefined;
}

async function partsOf(row: RowValues, activities: Activities): Promise<Parts> {
  const parts: Parts = { fieldValues: [] };
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

/** How activities are changed by the rows of a file. */
export const activityRows: RowsText<Activities> = {
  operation: operations.ActivityUpdate,
  does: 'change',
  record: { argument: 'id', members: ['activityId'] },
  members: Object.fromEntries(Object.entries(followUpMembers).map(([flag, member]) => [member, flag])),
  base: 'taken',
  ofAll: ['workflow', 'field'],
  fields: ({ fields }) => fields.finder,
  open: async (batchContext: BatchContext) => {
    const { context, session, flags } = batchContext;
    const fields = new RowFields(batchContext, await openCatalogue(context, session, flags as CatalogueFlags));
    return {
      fields,
      readTime: timeReader(context, session),
      searchFor: searchBy(batchContext, fields),
      reader: readerOf(batchContext, fields),
      mostMs: stalenessMs(session),
    };
  },
  plan: planRow,
  compared: (plan, activities, { base }) => comparedPlan(plan, activities, base),
  again: comparedAgain,
  back: (sent, { fields }) => backPlan(sent, fields),
  looking: {
    refresh: ({ reader }) => {
      reader.forget();
      return Promise.resolve();
    },
    at: seenActivity,
  },
};
