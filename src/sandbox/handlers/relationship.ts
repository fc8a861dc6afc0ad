import { PvLineData, PvRelationshipData } from '../../contract/records/relationship.js';
import { PvFieldData, PvLabelItemData } from '../../contract/records/shared.js';
import { insertRecord, readPage, recordsWhere } from '../store/records.js';
import { touchRelationship } from './change.js';
import { changedValues, checkComplete, checkWritable, givenValues } from './field-values.js';
import { checkEntityType, type Handler, idOf, known } from './handler.js';
import { pageOf } from './handler.js';

/** Interface document, Endpoints, RelationshipGetAll. */
export const RelationshipGetAll: Handler<'RelationshipGetAll'> = ({ store }, input) => ({
  Relationships: readPage(store, PvRelationshipData, { ...pageOf(input), withFields: input.includeFields === true }),
});

/** Labels of a field, on a relationship or on its relation (assumptions.json, "Labels"). */
const labelled = '"FieldId" = ? AND "RecordId" IN (?, ?)';

/** Interface document, Endpoints, RelationshipFieldGetLabels. */
export const RelationshipFieldGetLabels: Handler<'RelationshipFieldGetLabels'> = ({ store }, input) => {
  const { record } = known(store, PvRelationshipData, { id: input.relationshipId, what: 'relationship' });
  known(store, PvFieldData, { id: input.fieldId, what: 'field' });
  const values = [idOf(input.fieldId), idOf(record.Id), idOf(record.ChildRelationId)];
  return { Labels: recordsWhere(store, PvLabelItemData, { where: labelled, values }) };
};

/** Interface document, Endpoints, RelationshipAddLine. */
export const RelationshipAddLine: Handler<'RelationshipAddLine'> = (call, input) => {
  const { store, newId } = call;
  const relationship = known(store, PvRelationshipData, { id: input.RelationshipId, what: 'relationship' });
  checkEntityType(store, input.entityTypeId, 'Line');
  checkEntityType(store, input.datastoreId, 'Datastore');
  const EntityTypeId = idOf(input.entityTypeId);
  const given = givenValues(store, EntityTypeId, input.fieldValues);
  checkWritable(store, given);
  checkComplete(store, EntityTypeId, given);
  const LineData = { Id: newId(), FieldValues: { Items: changedValues([], given) } };
  insertRecord(store, PvLineData, {
    value: LineData,
    extra: {
      RelationshipId: idOf(input.RelationshipId),
      EntityTypeId,
      DatastoreId: idOf(input.datastoreId),
      RelationshipSeq: relationship.seq,
    },
  });
  touchRelationship(call, relationship);
  return { LineData };
};
