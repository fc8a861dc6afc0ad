import type { Values } from '../../kit/flags/define.js';
import { fieldOption, idOption } from '../../kit/flags/kinds.js';
import { periodFlags, endOfTime, includeFlags, includesOf } from '../../lists/list-flags.js';
import { fieldFlag, fieldsOfFlag } from '../../lists/fields/field-flags.js';
import type { RecordValue } from '../../core/values/value.js';
import { operations } from '../../contract/service.js';
import { activityColumns } from '../../kit/output/columns.js';
import { type FieldCatalogue, fieldValuesOf } from '../../lists/fields/catalogue.js';
import { withChoices } from '../../lists/fields/choices.js';
import { openCatalogue } from '../../lists/fields/look-up.js';
import type { CommonFlags } from '../../kit/flags/common.js';
import type { ListPlan } from '../../lists/plan.js';
import { readPeriodFlags, timeReader, type Period } from '../../kit/session/times.js';
import { usage } from '../../core/errors/relctl-error.js';
import type { SessionContext } from '../../kit/session/session.js';

/** Flags of `activity search`. */
export const searchFlags = {
  'entity-type': idOption('entity-type')({ required: true, summary: 'Kind of activity to search.' }),
  field: fieldFlag,
  'fields-of': fieldsOfFlag,
  'date-field': fieldOption({ summary: 'Date field that must lie between --from and --to.', helpValue: 'FIELD' }),
  ...periodFlags,
  ...includeFlags,
};

type SearchFlags = Values<typeof searchFlags>;

type SearchContext = SessionContext<SearchFlags & Pick<CommonFlags, 'quiet'>>;

async function periodOfFlags(run: SearchContext): Promise<Period | undefined> {
  const { 'date-field': dateField, from, to } = run.flags;
  if (dateField === undefined && from === undefined && to === undefined) return undefined;
  if (dateField === undefined || from === undefined || to === undefined) {
    const missing = dateField === undefined ? '--date-field' : from === undefined ? '--from' : '--to';
    throw usage(missing, `a period needs --date-field, --from and --to; missing: ${missing}`);
  }
  return readPeriodFlags(run, { from, to });
}

function periodInput(period: Period | undefined, flags: SearchFlags, catalogue: FieldCatalogue): RecordValue {
  const { 'date-field': dateField } = flags;
  if (period === undefined || dateField === undefined) return {};
  return { dateFieldId: catalogue.find(dateField, '--date-field').id, ...period };
}

/** The search by field values, and by a period when one is given. Throws `usage` and what the look-up of fields throws. */
export async function planSearch(run: SearchContext): Promise<ListPlan> {
  const { context, session, flags } = run;
  const within = await periodOfFlags(run);
  const catalogue = await openCatalogue(context, session, {
    ...flags,
    workflow: flags['fields-of'],
    called: 'fields-of',
  });
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

function wordsOf(flags: SearchFlags): readonly string[] {
  const { field = [], 'date-field': dateField, from, to } = flags;
  const period =
    dateField === undefined ? [] : [`${dateField} from ${from ?? ''}`, ...(to === undefined ? [] : [`until ${to}`])];
  return [...field, ...period];
}

/** The search by field values and a period, as a mirror keeps it. Throws `usage`, and as the look-up of fields. */
export async function planMirrored(
  run: SessionContext<SearchFlags & CommonFlags>,
): Promise<{ kind: string; ids: readonly string[]; more: readonly string[]; table: string; input: RecordValue }> {
  const { flags } = run;
  const to = flags.to ?? (flags.from === undefined ? undefined : endOfTime);
  const { input } = await planSearch({ ...run, flags: { ...flags, to } });
  return { kind: 'activities', ids: [flags['entity-type']], more: wordsOf(flags), table: 'activities', input };
}
