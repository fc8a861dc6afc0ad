import { profileStore } from '../cli/session/profile-store.js';
import type { Session } from '../cli/session/session.js';
import { RelctlError } from '../errors/relctl-error.js';
import { fieldsSeenBy } from '../fields/cache.js';
import type { Context } from '../host/context.js';
import type { FieldNames } from '../mirror/fields/plan.js';
import { namesOf } from '../profiles/kept/names.js';

/** The names of fields and entity types that the profile of a session keeps; none where they are not readable. */
function keptNames(context: Context, { profile }: Pick<Session, 'profile'>) {
  try {
    const names = namesOf(profileStore(context).kept(profile.name));
    return { aliases: Object.entries(names.field), entityTypes: Object.entries(names['entity-type']) };
  } catch (thrown) {
    // Rows are worth more than names for their columns.
    if (thrown instanceof RelctlError) return { aliases: [], entityTypes: [] };
    throw thrown;
  }
}

/** What is known of names of fields and entity types beside a mirror: fields that were looked up, aliases, names of Ids. */
export function fieldNamesOf(context: Context, session: Session): FieldNames {
  const { aliases, entityTypes } = keptNames(context, session);
  const fields = new Map<string, readonly string[]>();
  const add = (id: unknown, name: unknown): void => {
    if (typeof id !== 'string' || typeof name !== 'string') return;
    const names = fields.get(id.toLowerCase()) ?? [];
    if (!names.includes(name)) fields.set(id.toLowerCase(), [...names, name]);
  };
  const seen = fieldsSeenBy(context, session.profile.name).map(({ Id, Name }) => [Id, Name ?? ''] as const);
  // The order of files in a folder says nothing.
  for (const [id, name] of seen.toSorted(([, one], [, other]) => (one < other ? -1 : 1))) add(id, name);
  for (const [alias, id] of aliases) add(id, alias);
  return { fields, entityTypes: new Map(entityTypes.map(([name, id]) => [id.toLowerCase(), name])) };
}
