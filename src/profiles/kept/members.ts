import { RelctlError } from '../../errors/relctl-error.js';
import { isObject } from '../../plain/object.js';

/** Setting of a profile that holds names of members beyond the contract, by record type. */
export const membersSetting = 'membersSeen';

/** Dotted names of members that records showed though the contract does not know them, by the name of their type. */
export type Members = Readonly<Record<string, readonly string[]>>;

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

/** The members that a stored profile has. Throws `profile` when they are not readable. */
export function membersOf(profile: Readonly<Record<string, unknown>>): Members {
  const found = profile[membersSetting];
  if (found === undefined) return {};
  if (isObject(found) && Object.values(found).every(isNames))
    return Object.fromEntries(Object.entries(found as Members));
  throw new RelctlError('profile', `the setting ${membersSetting} has no usable value`, {
    facts: { path: membersSetting },
  });
}

/** Both, each name once, in order. */
export function mergedMembers(known: Members, found: Members): Members {
  const types = [...new Set([...Object.keys(known), ...Object.keys(found)])].toSorted();
  return Object.fromEntries(
    types.map((type) => [type, [...new Set([...(known[type] ?? []), ...(found[type] ?? [])])].toSorted()]),
  );
}
