import { defineOperations, list, opt, req } from '../build.js';
import { SystemDatastoreType } from '../enumerations.js';
import {
  PvDatastoreItem,
  PvDatastoreItemDataWithParent_V2,
  PvSbiCodeData,
  PvSystemDatastoreItemData,
} from '../records/datastore.js';
import { PvTranslationData2 } from '../records/shared.js';
import { boolean, guid } from '../scalars.js';
import { ErrorInformation, fieldValues } from './parameters.js';

const entityTypeId = req(guid, 'The datastore, by its entity type.');

/** Interface document, Endpoints, Datastores. */
export const datastoreOperations = defineOperations({
  DatastoreCreateItem_V3: {
    doc: 'Makes an entry in a lookup list.',
    access: 'add',
    parameters: {
      entityTypeId,
      fieldValues,
      translations: opt(list(PvTranslationData2), 'The words of the entry by language.'),
    },
    result: { DatastoreItem: opt(PvDatastoreItem, 'The entry that was made.'), ErrorInformation },
  },
  // See also Additional rules, 2.
  DatastoreGetWithParentItems_V2: {
    doc: 'Lists the entries of a lookup list, with the entries above them.',
    access: 'read',
    parameters: { entityTypeId, includeTranslations: req(boolean, 'Bring the words in other languages along.') },
    result: { DatastoreItems: opt(list(PvDatastoreItemDataWithParent_V2), 'The entries.') },
  },
  DatastoreGetSbiCodes: {
    doc: 'Lists the codes of the standard classification of businesses.',
    access: 'read',
    parameters: {},
    result: { SbiCodes: opt(list(PvSbiCodeData), 'The codes.') },
  },
  SystemDatastoreGetItems: {
    doc: 'Lists the entries of a lookup list that the system keeps.',
    access: 'read',
    parameters: { systemDatastoreType: req(SystemDatastoreType, 'The list.') },
    result: { DatastoreItems: opt(list(PvSystemDatastoreItemData), 'Its entries.') },
    envelope: true,
  },
});
