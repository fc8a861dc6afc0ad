import { PvFieldData } from '../../contract/records/shared.js';
import type { OutputOf } from '../../contract/infer.js';
import { isDateTime } from '../../lexical/datetime.js';
import { isDecimal } from '../../lexical/decimal.js';
import { isGuid } from '../../lexical/guid.js';
import { isInteger } from '../../lexical/integer.js';
import { invalidField } from '../assumptions.js';
import { PvDatastoreItemDataWithParent_V2 } from '../../contract/records/datastore.js';
import { findById, readWhere } from '../store/find.js';
import type { Store } from '../store/open.js';
import { refuse } from './handler.js';
import { idOf, isKnown } from './known.js';

type Field = OutputOf<typeof PvFieldData>;

/** Field values as they came. */
export type ReceivedValues =
  readonly ({ readonly Id?: string | null; readonly Value?: string | null } | null)[] | null | undefined;

/** A field value whose field is known; no value takes it away. */
export interface GivenValue {
  readonly field: Field;
  readonly id: string;
  readonly value: string | undefined;
}

const no = (description: string): never => refuse({ ...invalidField, description });

/** The fields of an entity type. */
export const fieldsOf = (store: Store, entityTypeId: string): readonly Field[] =>
  readWhere(store, PvFieldData, { where: '"EntityTypeId" = ?', values: [entityTypeId] }).map(({ record }) => record);

/** Field values with their fields. Refuses a field that the entity type does not have, and one that comes twice. */
export function givenValues(store: Store, entityTypeId: string, received: ReceivedValues): readonly GivenValue[] {
  const fields = new Map(fieldsOf(store, entityTypeId).map((field) => [field.Id, field]));
  const seen = new Set<string>();
  return (received ?? []).map((each): GivenValue => {
    const id = idOf(each?.Id);
    const field = fields.get(id) ?? no(`There is no field ${id} here.`);
    if (seen.has(id)) no(`The field ${field.Name ?? id} is given twice.`);
    seen.add(id);
    return { field, id, value: each?.Value ?? undefined };
  });
}

const fits: Readonly<Record<string, (text: string) => boolean>> = {
  Datetime: isDateTime,
  Datetime2: isDateTime,
  Bit: (text) => /^(?:true|false|1|0)$/i.test(text),
  Int: (text) => isInteger(text, 'int'),
  Decimal: isDecimal,
  Currency: isDecimal,
  UniqueIdentifier: isGuid,
};

/** What a choice may be taken from. */
function isChoice(store: Store, field: Field, value: string): boolean {
  switch (field.ComboboxValues) {
    case 'Users':
      return isKnown(store, 'User', value);
    case 'Datastore':
      return field.Control !== 'PvComboBox' || findById(store, PvDatastoreItemDataWithParent_V2, value) !== undefined;
    default:
      return true;
  }
}

const isTooLong = ({ Length }: Field, value: string): boolean =>
  typeof Length === 'number' && Length > 0 && Array.from(value).length > Length;

/** What is wrong with a text for a field; undefined when nothing is. */
function complaint(store: Store, field: Field, value: string): string | undefined {
  const type = field.Type ?? '';
  if (isTooLong(field, value)) return `takes at most ${String(field.Length)} characters`;
  if (fits[type]?.(value) === false) return `takes a ${type}, not '${value}'`;
  return type === 'UniqueIdentifier' && !isChoice(store, field, value) ? `has no choice ${value}` : undefined;
}

function refusalOf(store: Store, { field, value = '' }: GivenValue): string | undefined {
  if (field.IsReadOnly === true) return 'cannot be written';
  if (field.Type === 'Label') return 'holds labels, which are not written as a value';
  if (value === '') return field.IsRequired === true ? 'is required' : undefined;
  return complaint(store, field, value);
}

/** Refuses what cannot be written (assumptions.ts, "Field values that are written"). */
export function checkWritable(store: Store, given: readonly GivenValue[]): void {
  for (const each of given) {
    const found = refusalOf(store, each);
    if (found !== undefined) no(`The field ${each.field.Name ?? each.id} ${found}.`);
  }
}

/** Refuses a record without its required fields. */
export function checkComplete(store: Store, entityTypeId: string, given: readonly GivenValue[]): void {
  const ids = new Set(given.map(({ id }) => id));
  const missing = fieldsOf(store, entityTypeId).find((field) => field.IsRequired === true && !ids.has(idOf(field.Id)));
  if (missing !== undefined) no(`The field ${missing.Name ?? ''} is required.`);
}

/** Kept field values after a change: the order stays, new ones come behind. */
export function changedValues(
  old: readonly ({ readonly Id?: string | null; readonly Value?: string | null } | null)[],
  given: readonly GivenValue[],
): readonly { readonly Id: string; readonly Value: string }[] {
  const values = new Map(old.map((each) => [idOf(each?.Id), each?.Value ?? '']));
  for (const { id, value } of given) {
    if (value === undefined) values.delete(id);
    else values.set(id, value);
  }
  return [...values].map(([Id, Value]) => ({ Id, Value }));
}
