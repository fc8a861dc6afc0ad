import { operations } from '../contract/service.js';
import { RelctlError } from '../errors/relctl-error.js';
import type { RecordValue } from '../soap/values.js';
import { activityColumns } from './columns.js';
import type { Context } from './context.js';
import type { FieldBook } from './fields/book.js';
import { openBook } from './fields/look-up.js';
import { fieldValuesOf } from './fields/values.js';
import { guidOf } from './flags/guid.js';
import { includesOf } from './flags/include.js';
import { pagingOf } from './flags/paging.js';
import { formatOf } from './output-choice.js';
import type { ListFlags } from './list-plan.js';
import { runList } from './run-list.js';
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

interface Period {
  readonly dateField: string;
  readonly from: string;
  readonly to: string;
}

/** The period of the search; undefined when none is given. Throws `usage` when only part of it is. */
function periodGiven(context: Context, session: Session, flags: SearchFlags): Period | undefined {
  const { 'date-field': dateField, from, to } = flags;
  if (dateField === undefined && from === undefined && to === undefined) return undefined;
  if (dateField === undefined || from === undefined || to === undefined) {
    const missing = dateField === undefined ? '--date-field' : from === undefined ? '--from' : '--to';
    throw new RelctlError('usage', `a period needs --date-field, --from and --to; there is no ${missing}`, {
      facts: { path: missing },
    });
  }
  return { dateField, ...periodOf(context, session, { from, to }) };
}

function periodInput(period: Period | undefined, book: FieldBook): RecordValue {
  if (period === undefined) return {};
  const { dateField, from, to } = period;
  return { dateFieldId: book.find(dateField, '--date-field').id, from, to };
}

/** Searches activities by field values, and by a period when one is given. Throws what the calls throw. */
export async function searchActivities(context: Context, flags: SearchFlags): Promise<void> {
  const activityEntityTypeId = guidOf(flags['entity-type'], '--entity-type');
  formatOf(flags, undefined);
  pagingOf(flags);
  const session = await openSession(context, flags);
  const period = periodGiven(context, session, flags);
  const book = await openBook(context, session, flags);
  const readTime = (text: string, flag: string): string => timeOf(context, session, { text, flag });
  const fieldValues = fieldValuesOf(flags.field, { book, use: 'search', readTime });
  const operation =
    period === undefined ? operations.ActivitySearchByField : operations.ActivitySearchByFieldInPeriodExact;
  const input = { activityEntityTypeId, fieldValues, ...periodInput(period, book), ...includesOf(flags) };
  const plan = { operation, input, shows: 'Activities', table: activityColumns, book: () => Promise.resolve(book) };
  await runList({ context, session, flags }, plan);
}
