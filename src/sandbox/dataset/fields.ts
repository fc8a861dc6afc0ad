import type { ComboboxValues, FieldControl, FieldType } from '../../contract/enumerations.js';
import data from './data/fields.json' with { type: 'json' };
import { emptyId, knownId } from './known.js';

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
  /** The last part is what differs from the kind. */
  readonly fields: readonly (readonly [name: string, label: string, kind: string, own?: Partial<FieldText>])[];
}

const { kinds, groups } = data as unknown as Readonly<{ kinds: Record<string, Kind>; groups: readonly Group[] }>;

/** Fields by entity type, in the order of their SortIndex; together they have every type and source that there is. */
export const fields: readonly FieldText[] = groups.flatMap(({ entityTypes, behind = 0, fields: texts }) =>
  entityTypes.flatMap((entityType) =>
    texts.map(([name, label, kind, own], at): FieldText => {
      const number = entityType * 100 + behind + at + 1;
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
