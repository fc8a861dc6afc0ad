import type { BulkPlace, RowValues } from '../../bulk/rows-text.js';
import { stalenessMs } from '../../cli/session/session.js';
import type { RowFields } from '../../bulk/row-fields.js';
import { usage } from '../../errors/usage.js';
import type { RecordValue } from '../../plain/value.js';
import type { Comparing } from './compared.js';
import type { FindingFlags } from './finding-flags.js';
import { FoundActivities } from './found.js';

/** Gives the search that finds the activity of a row. Throws `RowMistakes` for values that are none of their fields. */
export type SearchFor = (row: RowValues) => Promise<RecordValue>;

/** Throws `usage` for flags that need --entity-type. */
function checkAlone(flags: FindingFlags, fieldTitles: BulkPlace['fieldTitles']): void {
  // Rows that were planned before say themselves how they are found.
  if (flags['find-by'] === undefined || fieldTitles === undefined) return;
  throw usage('--find-by', '--find-by goes with --entity-type, the kind of activities that are searched');
}

/** How the activities of rows are found by the flags; undefined where these do not say it. Throws `usage`. */
export function searchBy(place: BulkPlace, fields: RowFields): SearchFor | undefined {
  // The flags are those of the command, whose types a generic hides.
  const flags = place.flags as unknown as FindingFlags;
  const { 'entity-type': activityEntityTypeId } = flags;
  if (activityEntityTypeId === undefined) {
    checkAlone(flags, place.fieldTitles);
    return undefined;
  }
  return async ({ finds = [] }) => {
    const fieldValues = await fields.searchedOf(finds);
    return { activityEntityTypeId, fieldValues: fieldValues.map((each) => ({ ...each })) };
  };
}

/** What activities are compared by: of those that are read only the values of the fields of the file are kept. */
export function comparingOf(place: BulkPlace, fields: RowFields): Comparing {
  const { fieldTitles } = place;
  let wanted: ReadonlySet<string> | undefined;
  // Titles that stand for no field are told before the first activity is read.
  const wantedIds = (): ReadonlySet<string> => {
    const given = fields.constantIds().concat((fieldTitles ?? []).map((title) => fields.finder.idOf(title)));
    return new Set(given.map((id) => id.toLowerCase()));
  };
  const isWanted = (id: string): boolean => fieldTitles === undefined || (wanted ??= wantedIds()).has(id);
  return { fields, found: new FoundActivities(place, isWanted), mostMs: stalenessMs(place.session) };
}
