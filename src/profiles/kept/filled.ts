import type { StoredProfile } from '../store/store.js';

/** Key under which a profile keeps what lists did give that the interface document has nil in them. */
export const filledKey = 'filled';

/** Members that records of a list did have, though the interface document says that lists leave them nil. */
export function filledIn(profile: StoredProfile): readonly string[] {
  const found = profile[filledKey];
  return Array.isArray(found) ? found.filter((name) => typeof name === 'string') : [];
}
