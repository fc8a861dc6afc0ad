import { defineOperations, list, opt, req } from '../build.js';
import { PvLineData, PvRelationshipData } from '../records/relationship.js';
import { PvLabelItemData } from '../records/shared.js';
import { guid } from '../scalars.js';
import { ErrorInformation, fieldId, fieldValues, includeFields, pageNumber, pageSize } from './parameters.js';

/** Interface document, Endpoints, Relations and relationships. */
export const relationshipOperations = defineOperations({
  RelationshipGetAll: {
    doc: 'Lists all relationships.',
    access: 'read',
    parameters: { pageNumber, pageSize, includeFields },
    result: { Relationships: opt(list(PvRelationshipData), 'One page of the relationships.') },
    paged: 'Relationships',
  },
  RelationshipFieldGetLabels: {
    doc: 'Lists the labels on a field of a relationship.',
    access: 'read',
    parameters: { relationshipId: req(guid, 'The relationship.'), fieldId },
    result: { Labels: opt(list(PvLabelItemData), 'The labels on that field.') },
  },
  // RelationshipId has a capital R.
  RelationshipAddLine: {
    doc: 'Adds a line with field values to a relationship.',
    access: 'add',
    parameters: {
      RelationshipId: req(guid, 'The relationship.'),
      entityTypeId: req(guid, 'The kind of line.'),
      datastoreId: req(guid, 'The datastore that the line belongs to.'),
      fieldValues,
    },
    result: { LineData: opt(PvLineData, 'The line that was added.'), ErrorInformation },
  },
});
