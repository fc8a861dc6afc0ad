import { PvLineData, PvRelationshipData } from '../../contract/records/relationship.js';
import { PvFieldData, PvLabelItemData } from '../../contract/records/shared.js';
import { fieldValuesOf, readPage, readWhere } from '../store/find.js';
import { insertRecord } from '../store/write.js';
import { changedValues, checkComplete, checkWritable, givenValues } from './field-values.js';
import { answered, type Handler } from './handler.js';
import { checkEntityType, idOf, known } from './known.js';
import { pageOf } from './paging.js';

/** Interface document, Endpoints, RelationshipGetAll. */
export const RelationshipGetAll: Handler<'RelationshipGetAll'> = ({ store }, input) => {
  const rows = readPage(store, PvRelationshipData, pageOf(input));
  const values = input.includeFields === true ? fieldValuesOf(store, PvRelationshipData, rows) : () => null;
  return answered({ Relationships: rows.map(({ seq, record }) => ({ ...record, FieldValues: values(seq) })) });
};

/** Interface document, Endpoints, RelationshipFieldGetLabels. */
export const RelationshipFieldGetLabels: Handler<'RelationshipFieldGetLabels'> = ({ store }, input) => {
  known(store, PvRelationshipData, { id: input.relationshipId, what: 'relationship' });
  known(store, PvFieldData, { id: input.fieldId, what: 'field' });
  const values = [idOf(input.relationshipId), idOf(input.fieldId)];
  const rows = readWhere(store, PvLabelItemData, { where: '"RecordId" = ? AND "FieldId" = ?', values });
  return answered({ Labels: rows.map(({ record }) => record) });
};

/** Interface document, Endpoints, RelationshipAddLine. */
export const RelationshipAddLine: Handler<'RelationshipAddLine'> = ({ store, newId }, input) => {
  known(store, PvRelationshipData, { id: input.RelationshipId, what: 'relationship' });
  checkEntityType(store, input.entityTypeId, 'Line');
  checkEntityType(store, input.datastoreId, 'Datastore');
  const EntityTypeId = idOf(input.entityTypeId);
  const given = givenValues(store, EntityTypeId, input.fieldValues);
  checkWritable(store, given);
  checkComplete(store, EntityTypeId, given);
  const LineData = { Id: newId(), FieldValues: { Items: changedValues([], given) } };
  insertRecord(store, PvLineData, {
    value: LineData,
    extra: { RelationshipId: idOf(input.RelationshipId), EntityTypeId, DatastoreId: idOf(input.datastoreId) },
  });
  return answered({ LineData });
};
