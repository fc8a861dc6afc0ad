import { assumed, assumedRecord, inRole, list, opt, recordWithoutPresence, req } from '../build.js';
import { boolean, guid, string } from '../scalars.js';
import { counterValuesWords, fieldValuesWords, PvCounterData, PvFieldValuesData } from './shared.js';

/** Interface document, PvRelationData. */
export const PvRelationData = recordWithoutPresence('PvRelationData', 'A relation: a person or an organisation.', {
  Id: req(guid, 'Identifies the relation.'),
  EntityTypeId: req(guid, 'The kind of relation; decides which configurable fields it has.'),
  Info: opt(string, 'Free text about the relation.'),
  SortingName: opt(string, 'Name by which lists are sorted.'),
  DisplayName: inRole('name', opt(string, 'Name as it is shown.')),
  IsRoot: req(boolean, 'The root of the database’s own organisation; the exact meaning is not documented.'),
  IsDummy: req(boolean, 'A placeholder rather than a real relation; the exact meaning is not documented.'),
  ImportKey: inRole('key', opt(string, 'Key of the relation in the system that it was imported from.')),
  IsInactive: req(boolean, 'No longer in use.'),
  FieldValues: opt(PvFieldValuesData, fieldValuesWords),
  CounterValues: opt(list(PvCounterData), counterValuesWords),
});

/** An assumption: the interface document does not show it (docs/assumptions.md). */
export const PvTelephoneNumberData = assumedRecord(
  'whole',
  recordWithoutPresence('PvTelephoneNumberData', 'A telephone number of a relation.', {
    Id: req(guid, 'Identifies the number.'),
    Type: opt(string, 'Kind of number.'),
    Name: opt(string, 'Name of the field that holds it.'),
    Description: opt(string, 'Words about the number.'),
    Field: opt(string, 'The field that it was taken from.'),
    Value: inRole('key', opt(string, 'The number as it was typed.')),
  }),
);

/** Interface document, Small shared records; the inner shapes are an assumption (docs/assumptions.md). */
export const TelephoneBookEntry = recordWithoutPresence(
  'TelephoneBookEntry',
  'A relation with its telephone numbers.',
  {
    relation: assumed('type', opt(PvRelationData, 'Whose numbers they are.')),
    TelephoneNumbers: inRole('key', assumed('type', opt(list(PvTelephoneNumberData), 'Its numbers.'))),
  },
);
