import { PvRelationshipData } from '../../contract/records/relationship.js';
import { fieldValuesOf, readPage } from '../store/find.js';
import { answered, type Handler } from './handler.js';
import { pageOf } from './paging.js';

/** Interface document, Endpoints, RelationshipGetAll. */
export const RelationshipGetAll: Handler<'RelationshipGetAll'> = ({ store }, input) => {
  const rows = readPage(store, PvRelationshipData, pageOf(input));
  const values = input.includeFields === true ? fieldValuesOf(store, PvRelationshipData, rows) : () => null;
  return answered({ Relationships: rows.map(({ seq, record }) => ({ ...record, FieldValues: values(seq) })) });
};
