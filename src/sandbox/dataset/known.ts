import data from './data/known-ids.json' with { type: 'json' };

/** Groups of ids that are the same in every data set: second part of the GUID, and where counting starts. */
export type KnownGroup = keyof typeof data.groups;

/** The n-th fixed id of a group, counted from one. Decimal digits only, so that people can read and type it. */
export function knownId(group: KnownGroup, number: number): string {
  const ids = (idsOf[group] ??= []);
  return (ids[number] ??= idIn(group, number));
}

/** Ids that were asked for: there are a few hundred, and each record has some of them. */
const idsOf: Partial<Record<KnownGroup, string[]>> = {};

function idIn(group: KnownGroup, number: number): string {
  const { part, start } = data.groups[group];
  return `00000000-${part}-4000-8000-${String(start + number).padStart(12, '0')}`;
}

/** The id that clients of such services send for "none". */
export const emptyId = '00000000-0000-0000-0000-000000000000';

/** Credentials of the sandbox. They open nothing but the sandbox, so they may stand in examples. */
export const knownCredentials = {
  ApiKey: knownId('credentials', 1),
  DatabaseId: knownId('credentials', 2),
  UserId: knownId('user', 1),
  UserName: 'sandbox',
  // A word that no other text holds, or every message of the sandbox would have it masked.
  Password: 'zandbak',
} as const;

/**
 * Ids that examples and tests may count on, whatever the size and the seed of the data set; known-ids.json says what has
 * them.
 */
export const known = {
  credentials: knownCredentials,
  // Lists of a data file have no types by place.
  ...(Object.fromEntries(
    Object.entries(data.ids).map(([name, [group, number]]) => [name, knownId(group as KnownGroup, number as number)]),
  ) as Readonly<Record<keyof typeof data.ids, string>>),
};
