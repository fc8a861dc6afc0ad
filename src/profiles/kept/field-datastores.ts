import { RelctlError } from '../../errors/relctl-error.js';
import { isGuid, sameGuid } from '../../lexical/values/guid.js';
import { isObject } from '../../plain/object.js';

/** Setting of a profile that holds the datastores that fields choose from, by the id of the field. */
const datastoresSetting = 'fieldDatastores';

/** Ids of datastores by ids of fields. */
export type FieldDatastores = Readonly<Record<string, string>>;

/** The datastores that a profile keeps. Throws `profile` when they are not readable. */
export function fieldDatastoresOf(profile: Readonly<Record<string, unknown>>): FieldDatastores {
  const found = profile[datastoresSetting] ?? {};
  if (isObject(found) && Object.values(found).every((id) => typeof id === 'string' && isGuid(id)))
    return found as FieldDatastores;
  throw new RelctlError('profile', `the setting ${datastoresSetting} has no usable value`, {
    facts: { path: datastoresSetting },
  });
}

/** The datastore of a field; undefined where the profile keeps none. */
export const datastoreOf = (known: FieldDatastores, fieldId: string): string | undefined =>
  Object.entries(known).find(([id]) => sameGuid(id, fieldId))?.[1];

/** What a profile keeps, with the datastore of a field; null takes it away. Throws `profile`. */
export function withFieldDatastore(
  profile: Readonly<Record<string, unknown>>,
  fieldId: string,
  datastoreId: string | null,
): Readonly<Record<string, unknown>> {
  const others = Object.entries(fieldDatastoresOf(profile)).filter(([id]) => !sameGuid(id, fieldId));
  const added: [string, string][] = datastoreId === null ? [] : [[fieldId, datastoreId]];
  return { ...profile, [datastoresSetting]: Object.fromEntries([...others, ...added]) };
}
