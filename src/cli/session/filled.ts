import { RelctlError } from '../../errors/relctl-error.js';
import type { Context } from '../../host/context.js';
import type { RecordValue } from '../../plain/value.js';
import { filledIn, filledKey } from '../../profiles/kept/filled.js';
import { isStored, type ResolvedProfile } from '../../profiles/resolve.js';
import { profileStore } from './profile-store.js';

/** Finds members that records do have, though the interface document says that their list leaves them nil. */
export interface FilledWatch {
  readonly see: (record: RecordValue) => void;
  /** Looks at records as well, and keeps what was found in the profile: from then on lists may be asked for it. */
  readonly keep: (records: readonly RecordValue[]) => Promise<void>;
}

/**
 * Watches the records of a list; undefined where nothing could be found, or kept.
 * @param nil the members that the list leaves nil
 */
export function watchFilled(
  context: Context,
  profile: ResolvedProfile,
  nil: readonly string[],
): FilledWatch | undefined {
  if (nil.length === 0 || !isStored(profile)) return undefined;
  const found = new Set<string>();
  const see = (record: RecordValue): void => {
    for (const name of nil) if ((record[name] ?? null) !== null) found.add(name);
  };
  return {
    see,
    async keep(records) {
      records.forEach(see);
      if (found.size === 0) return;
      try {
        await profileStore(context).change(profile.name, (kept) => ({
          ...kept,
          [filledKey]: [...new Set([...filledIn(kept), ...found])],
        }));
      } catch (thrown) {
        // The records came all the same.
        if (!(thrown instanceof RelctlError)) throw thrown;
      }
    },
  };
}
