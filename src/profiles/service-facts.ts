import { isObject } from '../core/values/value.js';
import type { StoredProfile } from './store/store.js';

/** Key under which a profile keeps what calibration found, beside its settings. */
export const calibrationKey = 'calibration';

/** What calibration found about a service. */
export interface StoredCalibration {
  readonly day: string | undefined;
  /** Rows to ask for on a page of a whole list; undefined when nothing is known. */
  readonly pageSize: number | undefined;
}

/** What a profile keeps of its calibration; nothing where it has none, or none that can be read. */
export function calibrationOf(profile: StoredProfile): StoredCalibration {
  const found = profile[calibrationKey];
  const { date, pageSize } = isObject(found) ? found : {};
  const isSize = typeof pageSize === 'number' && Number.isInteger(pageSize) && pageSize > 0;
  return {
    day: typeof date === 'string' ? date.slice(0, 10) : undefined,
    pageSize: isSize ? pageSize : undefined,
  };
}

/** Key under which a profile keeps what lists did give that the interface document has nil in them. */
export const filledKey = 'filled';

/** Members that records of lists did have, though the interface document says that lists leave them nil. */
export interface Filled {
  /** The address of the service that gave them: another one may not. */
  readonly service: string;
  readonly members: readonly string[];
}

/** The members that lists of a service did give, as a profile keeps them; none where it keeps those of another service. */
export function filledIn(profile: StoredProfile, service: string): readonly string[] {
  const found = profile[filledKey];
  const { service: of, members } = isObject(found) ? found : {};
  return of === service && Array.isArray(members) ? members.filter((name) => typeof name === 'string') : [];
}
