import type { Session } from '../../cli/session/session.js';
import { endOfTime } from '../../cli/flags/lists/period.js';
import type { Context } from '../../host/context.js';
import type { RecordValue } from '../../plain/value.js';
import type { CommonFlags } from '../../cli/flags/output.js';
import { planSearch, type SearchFlags } from './search.js';

/** A search for activities that a mirror keeps. */
interface MirroredSearch {
  readonly kind: string;
  readonly ids: readonly string[];
  readonly more: readonly string[];
  readonly table: string;
  readonly input: RecordValue;
}

/** Flags of a search that is kept. */
type Flags = SearchFlags & CommonFlags;

/** What is asked for beside the entity type, in words that name the search. */
function wordsOf(flags: Flags): readonly string[] {
  const { field = [], 'date-field': dateField, from, to } = flags;
  const period =
    dateField === undefined ? [] : [`${dateField} from ${from ?? ''}`, ...(to === undefined ? [] : [`until ${to}`])];
  return [...field, ...period];
}

/** The search by field values and a period, as a mirror keeps it. Throws `usage`, and as the look-up of fields. */
export async function planMirrored(run: {
  readonly context: Context;
  readonly session: Session;
  readonly flags: Flags;
}): Promise<MirroredSearch> {
  const { flags } = run;
  const to = flags.to ?? (flags.from === undefined ? undefined : endOfTime);
  const { input } = await planSearch({
    ...run,
    flags: { ...flags, to },
  });
  return { kind: 'activities', ids: [flags['entity-type']], more: wordsOf(flags), table: 'activities', input };
}
