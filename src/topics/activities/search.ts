import type { Values } from '../../cli/flags/define.js';
import { fieldOption, idOption } from '../../cli/flags/kinds.js';
import { periodFlags } from '../../cli/flags/lists/period.js';
import { fieldFlag, workflowFlag } from '../../cli/flags/values/field.js';
import type { RecordValue } from '../../plain/value.js';
import { operations } from '../../contract/service.js';
import { activityColumns } from '../../cli/output/columns.js';
import type { FieldCatalogue } from '../../fields/catalogue.js';
import { withChoices } from '../../fields/choices.js';
import { openCatalogue } from '../../fields/look-up.js';
import { fieldValuesOf } from '../../fields/values.js';
import type { CommonFlags } from '../../cli/flags/output.js';
import { includeFlags, includesOf } from '../../cli/flags/include.js';
import type { ListPlan, ListRun } from '../../lists/plan.js';
import { periodOf, timeReader, type Period } from '../../cli/session/times.js';
import { usage } from '../../errors/usage.js';

/** Flags of `activity search`. */
export const searchFlags = {
  'entity-type': idOption('entity-type')({ required: true, summary: 'Kind of activity to search.' }),
  field: fieldFlag,
  workflow: workflowFlag,
  'date-field': fieldOption({ summary: 'Date field that must lie between --from and --to.', helpValue: 'FIELD' }),
  ...periodFlags,
  ...includeFlags,
};

/** Values of those flags. */
export type SearchFlags = Values<typeof searchFlags>;

/** Where a search is planned. */
interface SearchPlace extends Pick<ListRun, 'context' | 'session'> {
  readonly flags: SearchFlags & Pick<CommonFlags, 'quiet'>;
}

/** The period of the search; undefined when none is given. Throws `usage` when only part of it is. */
async function periodGiven(run: SearchPlace): Promise<Period | undefined> {
  const { 'date-field': dateField, from, to } = run.flags;
  if (dateField === undefined && from === undefined && to === undefined) return undefined;
  if (dateField === undefined || from === undefined || to === undefined) {
    const missing = dateField === undefined ? '--date-field' : from === undefined ? '--from' : '--to';
    throw usage(missing, `a period needs --date-field, --from and --to; there is no ${missing}`);
  }
  return periodOf(run, { from, to });
}

function periodInput(period: Period | undefined, flags: SearchFlags, catalogue: FieldCatalogue): RecordValue {
  const { 'date-field': dateField } = flags;
  if (period === undefined || dateField === undefined) return {};
  return { dateFieldId: catalogue.find(dateField, '--date-field').id, ...period };
}

/** The search by field values, and by a period when one is given. Throws `usage` and what the look-up of fields throws. */
export async function planSearch(run: SearchPlace): Promise<ListPlan> {
  const { context, session, flags } = run;
  const within = await periodGiven(run);
  const catalogue = await openCatalogue(context, session, flags);
  const readTime = timeReader(context, session);
  const { texts } = await withChoices({ context, session }, flags.field, { catalogue, use: 'search' });
  const fieldValues = fieldValuesOf(texts, { catalogue, use: 'search', readTime });
  const more = { activityEntityTypeId: flags['entity-type'], fieldValues, ...includesOf(flags) };
  const { ActivitySearchByField, ActivitySearchByFieldInPeriodExact } = operations;
  return {
    operation: within === undefined ? ActivitySearchByField : ActivitySearchByFieldInPeriodExact,
    input: { ...more, ...periodInput(within, flags, catalogue) },
    shows: 'Activities',
    table: activityColumns,
    catalogue: () => Promise.resolve(catalogue),
  };
}
