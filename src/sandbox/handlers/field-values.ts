import { PvFieldData } from '../../contract/records/shared.js';
import { writeComplaint, type FieldDescription } from '../../soap/codec/field-rules.js';
import { idOf, isKnown, refuse } from './handler.js';
import {
  PvDatastoreItemDataWithParent_V2,
  PvSbiCodeData,
  PvSystemDatastoreItemData,
} from '../../contract/records/datastore.js';
import { PvRelationshipData } from '../../contract/records/relation.js';
import { findById, recordsWhere } from '../store/records.js';
import type { Store } from '../store/open.js';

/** Decoded field values of a request. */
export type ReceivedValues =
  readonly ({ readonly Id?: string | null; readonly Value?: string | null } | null)[] | null | undefined;

/** A field value with its field; undefined removes the value. */
export interface FieldInput {
  readonly field: FieldDescription;
  readonly id: string;
  readonly value: string | undefined;
}

const no = (description: string): never => refuse('InvalidField', description);

/** The fields of an entity type. */
export const fieldsOf = (store: Store, entityTypeId: string): readonly FieldDescription[] =>
  recordsWhere(store, PvFieldData, { where: '"EntityTypeId" = ?', values: [entityTypeId] });

/** Field values with their fields. Throws `refused` for a field that the entity type lacks, or that is set twice. */
export function readFieldValues(store: Store, entityTypeId: string, received: ReceivedValues): readonly FieldInput[] {
  const fields = new Map(fieldsOf(store, entityTypeId).map((field) => [field.Id, field]));
  const seen = new Set<string>();
  return (received ?? []).map((each): FieldInput => {
    const id = idOf(each?.Id);
    const field = fields.get(id) ?? no(`There is no field ${id} here.`);
    if (seen.has(id)) no(`The field ${field.Name ?? id} is set twice.`);
    seen.add(id);
    return { field, id, value: each?.Value ?? undefined };
  });
}

function isChoice(store: Store, field: FieldDescription, value: string): boolean {
  switch (field.ComboboxValues) {
    case 'Users':
      return isKnown(store, 'User', value);
    case 'Vat':
      return isKnown(store, 'Vat', value);
    case 'SbiCodes':
      return findById(store, PvSbiCodeData, value) !== undefined;
    case 'SystemDatastore':
      return findById(store, PvSystemDatastoreItemData, value) !== undefined;
    case 'Employees':
      return findById(store, PvRelationshipData, value)?.record.IsEmployee === true;
    case 'Datastore':
      return field.Control !== 'PvComboBox' || findById(store, PvDatastoreItemDataWithParent_V2, value) !== undefined;
    default:
      return true;
  }
}

function refusalOf(store: Store, { field, value = '' }: FieldInput): string | undefined {
  const complaint = writeComplaint(field, value);
  if (complaint !== undefined || value === '' || field.Type !== 'UniqueIdentifier') return complaint;
  return isChoice(store, field, value) ? undefined : `has no choice ${value}`;
}

/** Throws `refused` for a value that cannot be written (assumptions.json, "Field values that are written"). */
export function checkWritable(store: Store, inputs: readonly FieldInput[]): void {
  for (const each of inputs) {
    const refusal = refusalOf(store, each);
    if (refusal !== undefined) no(`The field ${each.field.Name ?? each.id} ${refusal}.`);
  }
}

/** Throws `refused` when a required field of the entity type is missing. */
export function checkComplete(store: Store, entityTypeId: string, fieldInputs: readonly FieldInput[]): void {
  const ids = new Set(fieldInputs.map(({ id }) => id));
  const missing = fieldsOf(store, entityTypeId).find((field) => field.IsRequired === true && !ids.has(idOf(field.Id)));
  if (missing !== undefined) no(`The field ${missing.Name ?? ''} is required.`);
}

/** Stored field values after a change: the order stays, new ones are added at the end. */
export function changedValues(
  old: NonNullable<ReceivedValues>,
  inputs: readonly FieldInput[],
): readonly { readonly Id: string; readonly Value: string }[] {
  const values = new Map(old.map((each) => [idOf(each?.Id), each?.Value ?? '']));
  for (const { id, value } of inputs) {
    if (value === undefined) values.delete(id);
    else values.set(id, value);
  }
  return [...values].map(([Id, Value]) => ({ Id, Value }));
}
