import type { ComboboxValues, FieldControl, FieldType } from '../../contract/enumerations.js';
import fieldData from './data/fields.json' with { type: 'json' };
import data from './data/known-ids.json' with { type: 'json' };

/** Groups of ids that are the same in every data set: second part of the GUID, and where counting starts. */
export type KnownGroup = keyof typeof data.groups;

const knownIds: Partial<Record<KnownGroup, string[]>> = {};

/** The n-th fixed id of a group, counted from one. Decimal digits only, so that people can read and type it. */
export function knownId(group: KnownGroup, number: number): string {
  // Each record names several, of a few hundred that there are.
  const made = (knownIds[group] ??= []);
  const { part, start } = data.groups[group];
  return (made[number] ??= `00000000-${part}-4000-8000-${String(start + number).padStart(12, '0')}`);
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

/** Ids that examples and tests may count on, whatever size and seed; known-ids.json says what has them. */
export const known = {
  credentials: knownCredentials,
  // Lists of a data file have no types by place.
  ...(Object.fromEntries(
    Object.entries(data.ids).map(([name, [group, number]]) => [name, knownId(group as KnownGroup, number as number)]),
  ) as Readonly<Record<keyof typeof data.ids, string>>),
};

/** A field of an entity type, as the catalogue writes it down. */
export interface FieldText {
  readonly number: number;
  readonly entityType: number;
  readonly name: string;
  readonly label: string;
  readonly type: (typeof FieldType)['values'][number];
  readonly control: (typeof FieldControl)['values'][number];
  readonly source?: (typeof ComboboxValues)['values'][number];
  /** Entity type of the datastore that a combo box offers. */
  readonly datastore?: number;
  readonly length?: number;
  readonly required?: true;
  readonly readOnly?: true;
}

type Kind = Pick<FieldText, 'type' | 'control'> & Partial<FieldText>;

/** Fields that some entity types share. Some are numbered after others, so that the numbers of those do not change. */
interface Group {
  readonly entityTypes: readonly number[];
  readonly behind?: number;
  readonly fields: readonly (readonly [name: string, label: string, kind: string, own?: Partial<FieldText>])[];
}

const { kinds, groups } = fieldData as unknown as Readonly<{ kinds: Record<string, Kind>; groups: readonly Group[] }>;

/** Fields by entity type, in the order of their SortIndex; together they have every type and source that there is. */
export const fields: readonly FieldText[] = groups.flatMap(({ entityTypes, behind: after = 0, fields: texts }) =>
  entityTypes.flatMap((entityType) =>
    texts.map(([name, label, kind, own], at): FieldText => {
      const number = entityType * 100 + after + at + 1;
      return { number, entityType, name, label, ...(kinds[kind] as Kind), ...own };
    }),
  ),
);

const ids = new Map<number, Map<string, string>>();
for (const { entityType, name, number } of fields) {
  ids.set(entityType, (ids.get(entityType) ?? new Map<string, string>()).set(name, knownId('field', number)));
}

/** Id of a field by entity type and name; the empty id for a field that the catalogue does not have. */
export const fieldId = (entityType: number, name: string): string => ids.get(entityType)?.get(name) ?? emptyId;
