import { inRole, list, nil, opt, record, recordWithoutPresence, req } from '../build.js';
import { boolean, guid, string } from '../scalars.js';
import { PvTranslationData2 } from './shared.js';

/** Interface document, Small shared records. */
export const PvSystemDatastoreItemData = record(
  'PvSystemDatastoreItemData',
  'An entry of a lookup list that the system keeps.',
  {
    Id: req(guid, 'Identifies the entry.'),
    Description: inRole('name', opt(string, 'Words of the entry.')),
    Code: inRole('key', opt(string, 'Short code of the entry.')),
  },
);

/** Interface document, Small shared records. */
export const PvDatastoreItem = recordWithoutPresence('PvDatastoreItem', 'An entry of a lookup list, as it was made.', {
  Id: req(guid, 'Identifies the entry.'),
  Code: inRole('key', opt(string, 'Short code of the entry.')),
  Description: inRole('name', opt(string, 'Words of the entry.')),
  IsInactive: req(boolean, 'No longer in use.'),
  IsDefault: req(boolean, 'Chosen when nothing else is.'),
  Translations: opt(list(PvTranslationData2), 'The words in other languages.'),
});

/** Interface document, Small shared records. ParentId is nil when the item has no parent datastore. */
export const PvDatastoreItemDataWithParent_V2 = recordWithoutPresence(
  'PvDatastoreItemDataWithParent_V2',
  'An entry of a lookup list, with the entry above it.',
  {
    Id: req(guid, 'Identifies the entry.'),
    ParentId: nil(guid, 'The entry above it in the parent datastore.'),
    Description: inRole('name', opt(string, 'Words of the entry.')),
    IsInactive: req(boolean, 'No longer in use.'),
    IsDefault: req(boolean, 'Chosen when nothing else is.'),
    Translations: opt(list(PvTranslationData2), 'The words in other languages.'),
  },
);

/** Interface document, Small shared records. */
export const PvSbiCodeData = recordWithoutPresence(
  'PvSbiCodeData',
  'A code of the standard classification of businesses.',
  {
    Id: req(guid, 'Identifies the code.'),
    Code: inRole('key', opt(string, 'The code; may begin with zeros.')),
    Section: opt(string, 'Section of the classification.'),
    Description: inRole('name', opt(string, 'The branch of business.')),
  },
);
