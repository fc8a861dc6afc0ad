import { isObject } from '../core/values/value.js';
import type { StoredProfile } from './store/store.js';

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
