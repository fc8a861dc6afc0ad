import { assumed, inRole, list, opt, recordWithoutPresence, req, record, nil } from '../build.js';
import { FieldControl, FieldType, ComboboxValues, LabelType, TabPageType } from '../enumerations.js';
import { boolean, dateTime, guid, int, long, short, string, anyType } from '../scalars.js';

/** Interface document, Small shared records. */
export const PvAuditData = recordWithoutPresence(
  'PvAuditData',
  'Who made a record and who changed it last, and when.',
  {
    CreatedAt: req(dateTime, 'When the record was made.'),
    CreatedByUser: req(guid, 'User who made it.'),
    ModifiedAt: req(dateTime, 'When it was changed last.'),
    ModifiedByUser: req(guid, 'User who changed it last.'),
  },
);

/** Interface document, Small shared records. */
export const PvFieldValueData = recordWithoutPresence(
  'PvFieldValueData',
  'The value of one configurable field of a record.',
  {
    Id: req(guid, 'The field, as ActivityGetFields lists it.'),
    Value: opt(string, 'The value as text, whatever the type of the field.'),
  },
);

/** Interface document, Small shared records; the item type is an assumption (docs/assumptions.md). */
export const PvFieldValuesData = recordWithoutPresence(
  'PvFieldValuesData',
  'The values of the configurable fields of a record.',
  {
    Items: assumed('type', opt(list(PvFieldValueData), 'One entry for each field that has a value.')),
  },
);

/** Interface document, Small shared records. */
export const PvCounterData = recordWithoutPresence('PvCounterData', 'How many entries a tab page of a record has.', {
  TabPageType: req(TabPageType, 'The tab page that is counted.'),
  Value: req(int, 'Number of entries.'),
});

/** What lists bring of field values: said once, because it is one assumption (docs/assumptions.md). */
export const fieldValuesWords =
  'Values of its configurable fields; nil in lists, but when includeFields fills them (assumed).';
/** The same of counters. */
export const counterValuesWords =
  'Numbers of entries on its tab pages; nil in lists, but when includeCounters fills them (assumed).';

/** Interface document, Small shared records. */
export const PvTranslationData2 = recordWithoutPresence('PvTranslationData2', 'A text in one language.', {
  CultureCode: opt(string, 'Language and country, for example nl-NL.'),
  Value: opt(string, 'The text in that language.'),
});

/** Interface document, Small shared records. */
export const PvLabelItemData = recordWithoutPresence(
  'PvLabelItemData',
  'A label put on a record or on one of its fields.',
  {
    Id: req(long, 'Identifies the label; a 64-bit number, kept as text.'),
    RecordId: req(guid, 'The record that carries the label.'),
    FieldId: req(guid, 'The field that the label belongs to.'),
    DatastoreId: req(guid, 'The datastore that the label was taken from.'),
    Type: req(LabelType, 'What the label is attached to.'),
    Text: inRole('name', opt(string, 'The words on the label.')),
  },
);

/** Interface document, PvFieldData. */
export const PvFieldData = recordWithoutPresence('PvFieldData', 'The description of a configurable field.', {
  Id: req(guid, 'Identifies the field in field values.'),
  Label: opt(string, 'What the application shows beside the field.'),
  Name: inRole('key', opt(string, 'Technical name of the field.')),
  SortIndex: req(short, 'Place among the fields of its category.'),
  CategoryName: opt(string, 'Category under which the application shows the field.'),
  CategorySortIndex: req(short, 'Place of the category among the categories.'),
  HideAtEntryForm: req(boolean, 'Not shown on the entry form.'),
  UserFriendlyName: opt(string, 'Name meant for people.'),
  IsReadOnly: req(boolean, 'Cannot be written through the service.'),
  Description: opt(string, 'What the field is for.'),
  Control: req(FieldControl, 'The control that shows it.'),
  Type: req(FieldType, 'The type of its values.'),
  Length: req(int, 'Longest value, in characters.'),
  ComboboxValues: req(ComboboxValues, 'Where the list to choose from comes from.'),
  ExtraInfo: opt(string, 'More about the field; the meaning is not documented.'),
  IsRequired: req(boolean, 'Must have a value.'),
});

/** Interface document, Result envelope. */
const PvApiResultDataOfObject = record('PvApiResultDataOfObject', 'Whether a call succeeded, and if not, why.', {
  Succeeded: req(boolean, 'False means that the call failed.'),
  Number: req(int, 'Number of the failure; the catalogue is not documented.'),
  Code: opt(string, 'Code of the failure; the catalogue is not documented.'),
  Description: opt(string, 'What went wrong, in words.'),
});

/** Interface document, Result envelope: the members that results extend. */
export const resultEnvelope = {
  Result: req(PvApiResultDataOfObject, 'Whether the call succeeded.'),
  Data: opt(anyType, 'Untyped; the content is not documented.'),
} as const;

/** Interface document, Authentication. */
const ApiSourceApplication = record('ApiSourceApplication', 'The program that calls.', {
  Name: opt(string, 'Name of the program.'),
  Category: opt(string, 'Kind of program.'),
  Subcategory: opt(string, 'Kind of program, more closely.'),
  Version: opt(string, 'Version of the program.'),
});

/** Interface document, Authentication. How the fields combine is not documented. */
export const ApiCredentials = record('ApiCredentials', 'Who calls: sent first in every request.', {
  ApiKey: req(guid, 'Key of the API; a secret.'),
  DatabaseId: nil(guid, 'The database to work on.'),
  UserId: nil(guid, 'The user to work as.'),
  UserName: opt(string, 'Name of the user.'),
  Password: opt(string, 'Password of the user; a secret.'),
  SourceApplication: opt(ApiSourceApplication, 'The program that calls.'),
});

/** The first child of every request; optional by the service’s own description, always sent by relctl. */
export const credentialsField = opt(ApiCredentials, 'Who calls.');
