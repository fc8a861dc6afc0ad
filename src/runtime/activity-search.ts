import { operations } from '../contract/service.js';
import { RelctlError } from '../errors/relctl-error.js';
import type { RecordValue } from '../soap/values.js';
import { activityColumns } from './columns.js';
import type { Context } from './context.js';
import { withFieldColumns } from './fields/columns.js';
import type { FieldBook } from './fields/book.js';
import { openBook } from './fields/look-up.js';
import { fieldValuesOf } from './fields/values.js';
import { guidOf } from './flags/guid.js';
import { includesOf } from './flags/include.js';
import { runList, type ListFlags } from './run-list.js';
import { openSession, type Session } from './session.js';
import { periodOf, timeOf } from './times.js';

/** Flags of `activity search`, as given. */
export interface SearchFlags extends ListFlags {
  readonly 'entity-type': string;
  readonly field?: readonly string[] | undefined;
  readonly workflow?: string | undefined;
  readonly 'date-field'?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly 'include-fields': boolean;
  readonly 'include-counters': boolean;
}

/** The period of the search; undefined when none is given. Throws `usage` when only part of it is. */
function periodInput(
  context: Context,
  { session, book }: { session: Session; book: FieldBook },
  flags: SearchFlags,
): RecordValue | undefined {
  const { 'date-field': dateField, from, to } = flags;
  if (dateField === undefined && from === undefined && to === undefined) return undefined;
  if (dateField === undefined || from === undefined || to === undefined) {
    const missing = dateField === undefined ? '--date-field' : from === undefined ? '--from' : '--to';
    throw new RelctlError('usage', `a period needs --date-field, --from and --to; there is no ${missing}`, {
      facts: { path: missing },
    });
  }
  return { dateFieldId: book.find(dateField, '--date-field').id, ...periodOf(context, session, { from, to }) };
}

/** Searches activities by field values, and by a period when one is given. Throws what the calls throw. */
export async function searchActivities(context: Context, flags: SearchFlags): Promise<void> {
  const activityEntityTypeId = guidOf(flags['entity-type'], '--entity-type');
  const session = await openSession(context, flags);
  const book = await openBook(context, session, flags);
  const readTime = (text: string, flag: string): string => timeOf(context, session, { text, flag });
  const fieldValues = fieldValuesOf(flags.field, { book, use: 'search', readTime });
  const period = periodInput(context, { session, book }, flags);
  const operation =
    period === undefined ? operations.ActivitySearchByField : operations.ActivitySearchByFieldInPeriodExact;
  const input = { activityEntityTypeId, fieldValues, ...period, ...includesOf(flags) };
  const plan = { operation, input, shows: 'Activities', table: activityColumns };
  await runList({ context, session, flags }, withFieldColumns(plan, { book, flags }));
}
