import { RowFields } from '../../writes/rows/row-fields.js';
import type { RowsText } from '../../writes/rows/rows-text.js';
import { operations } from '../../contract/service.js';
import { usage } from '../../core/errors/relctl-error.js';
import { aliasCatalogue } from '../../lists/fields/look-up.js';

/** How lines are added to relationships by the rows of a file. */
export const relationshipLineRows: RowsText<RowFields> = {
  operation: operations.RelationshipAddLine,
  does: 'add',
  record: { argument: 'id', members: ['RelationshipId'] },
  members: { entityTypeId: 'entity-type', datastoreId: 'datastore' },
  ofAll: ['field'],
  fields: (fields) => fields.finder,
  open: (batchContext) =>
    Promise.resolve(new RowFields(batchContext, aliasCatalogue(batchContext.context, batchContext.session))),
  plan: async ({ values, fields: own }, fields) => {
    const RelationshipId = String(values['id']);
    const fieldValues = (await fields.valuesOf(own)).map((each) => ({ ...each }));
    if (fieldValues.length === 0) throw usage(undefined, 'has no value of a field');
    return {
      key: RelationshipId.toLowerCase(),
      title: `a line on relationship ${RelationshipId}`,
      input: {
        RelationshipId,
        entityTypeId: String(values['entity-type']),
        datastoreId: String(values['datastore']),
        fieldValues,
      },
      changes: fieldValues.map(({ Id, Value }) => ({ name: fields.nameOf(Id), to: Value })),
    };
  },
};
