import { RelctlError } from '../../core/errors/relctl-error.js';
import type { Context } from '../host/context.js';
import { hasValue, type RecordValue } from '../../core/values/value.js';
import { filledIn, filledKey, type Filled, isStored, ownAddress } from '../../profiles/resolve.js';
import { profileStore } from './profile-store.js';
import type { Session } from './session.js';

/** Finds members that records do have, though the interface document says that their list leaves them nil. */
export interface FilledWatch {
  readonly see: (record: RecordValue) => void;
  /** Looks at records as well, and keeps what was found in the profile: from then on lists may be asked for it. */
  readonly keep: (records: readonly RecordValue[]) => Promise<void>;
}

async function storeFilled(context: Context, { profile }: Session, members: ReadonlySet<string>): Promise<void> {
  const service = ownAddress(profile);
  if (service === undefined || !isStored(profile)) return;
  try {
    await profileStore(context).change(profile.name, (stored) => {
      const filled: Filled = { service, members: [...new Set([...filledIn(stored, service), ...members])] };
      return { ...stored, [filledKey]: filled };
    });
  } catch (thrown) {
    // The records came all the same.
    if (!(thrown instanceof RelctlError)) throw thrown;
  }
}

/**
 * Watches the records of a list; undefined where nothing could be found.
 * @param nil the members that the list leaves nil
 */
export function watchFilled(context: Context, session: Session, nil: readonly string[]): FilledWatch | undefined {
  if (nil.length === 0) return undefined;
  const filled = new Set<string>();
  const see = (record: RecordValue): void => {
    for (const name of nil) if (hasValue(record[name])) filled.add(name);
  };
  return {
    see,
    async keep(records) {
      records.forEach(see);
      const isNew = [...filled].some((name) => !session.seen.has(name));
      for (const name of filled) session.seen.add(name);
      if (isNew) await storeFilled(context, session, session.seen);
    },
  };
}
