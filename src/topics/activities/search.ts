import type { Values } from '../../cli/flags/define.js';
import { guidOption, textOption } from '../../cli/flags/kinds.js';
import type { CommonFlags } from '../../cli/flags/output.js';
import { periodFlags } from '../../cli/flags/period.js';
import { pagedListFlags } from '../../cli/flags/shared.js';
import { fieldFlag, workflowFlag } from '../../cli/flags/values/field.js';
import type { RecordValue } from '../../plain/value.js';
import { operations } from '../../contract/service.js';
import { activityColumns } from '../../cli/output/columns.js';
import type { Context } from '../../host/context.js';
import type { FieldCatalogue } from '../../fields/catalogue.js';
import { openCatalogue } from '../../fields/look-up.js';
import { fieldValuesOf } from '../../fields/values.js';

import { includeFlags, includesOf } from '../../cli/flags/include.js';
import type { ListPlan, ListRun } from '../../lists/plan.js';
import { runList } from '../../lists/run.js';
import { openSession } from '../../cli/session.js';
import { checkSince } from '../../lists/since/period.js';
import { sinceLast, type Period } from '../../lists/since/since-last.js';
import { periodOf, timeReader } from '../../cli/times.js';
import { usage } from '../../errors/usage.js';

/** Flags of `activity search`. */
export const searchFlags = {
  'entity-type': guidOption({ required: true, summary: 'Kind of activity to search.' }),
  field: fieldFlag,
  workflow: workflowFlag,
  'date-field': textOption({ summary: 'Date field that must lie between --from and --to.', helpValue: 'FIELD' }),
  ...periodFlags,
  ...includeFlags,
  ...pagedListFlags,
};

type SearchFlags = Values<typeof searchFlags> & CommonFlags;

/** Throws `usage` for a bookmark without the field that it goes by. */
function checkDateField(flags: SearchFlags): void {
  checkSince(flags);
  if (flags['since-last'] === undefined || flags['date-field'] !== undefined) return;
  throw usage('--date-field', '--since-last needs --date-field, the field that says when an activity changed');
}

/** The period of the search; undefined when none is given. Throws `usage` when only part of it is. */
async function periodGiven(place: Omit<ListRun, 'flags'>, flags: SearchFlags): Promise<Period | undefined> {
  const { 'date-field': dateField, from, to } = flags;
  if (dateField === undefined && from === undefined && to === undefined) return undefined;
  if (dateField === undefined || from === undefined || to === undefined) {
    const missing = dateField === undefined ? '--date-field' : from === undefined ? '--from' : '--to';
    throw usage(missing, `a period needs --date-field, --from and --to; there is no ${missing}`);
  }
  return periodOf({ ...place, flags }, { from, to });
}

function periodInput(period: Period | undefined, flags: SearchFlags, catalogue: FieldCatalogue): RecordValue {
  const { 'date-field': dateField } = flags;
  if (period === undefined || dateField === undefined) return {};
  return { dateFieldId: catalogue.find(dateField, '--date-field').id, ...period };
}

/** Searches activities by field values, and by a period when one is given. Throws what the calls throw. */
export async function searchActivities(context: Context, flags: SearchFlags): Promise<void> {
  const activityEntityTypeId = flags['entity-type'];
  checkDateField(flags);
  const session = await openSession(context, flags);
  const name = flags['since-last'];
  const period = name === undefined ? await periodGiven({ context, session }, flags) : undefined;
  const catalogue = await openCatalogue(context, session, flags);
  const readTime = timeReader(context, session);
  const fieldValues = fieldValuesOf(flags.field, { catalogue, use: 'search', readTime });
  const more = { activityEntityTypeId, fieldValues, ...includesOf(flags) };
  const { ActivitySearchByField, ActivitySearchByFieldInPeriodExact } = operations;
  const planFor = (within: Period | undefined): ListPlan => ({
    operation: within === undefined ? ActivitySearchByField : ActivitySearchByFieldInPeriodExact,
    input: { ...more, ...periodInput(within, flags, catalogue) },
    shows: 'Activities',
    table: activityColumns,
    catalogue: () => Promise.resolve(catalogue),
  });
  const place = { context, session, flags };
  const plan = name === undefined ? planFor(period) : await sinceLast(place, { ...flags, 'since-last': name }, planFor);
  await runList(place, plan);
}
