import { assumed, assumedRecord, inRole, list, opt, recordWithoutPresence, req, nil, record } from '../build.js';
import { boolean, guid, string, dateTime, short } from '../scalars.js';
import { counterValuesWords, fieldValuesWords, PvCounterData, PvFieldValuesData, PvAuditData } from './shared.js';
import { AddressType, AddressStyle } from '../enumerations.js';

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

/** Interface document, Small shared records. */
export const PvMarkData = recordWithoutPresence('PvMarkData', 'A mark that can be put on relationships.', {
  Id: req(guid, 'Identifies the mark.'),
  Category: opt(string, 'Category that it belongs to.'),
  Name: inRole('name', opt(string, 'Name of the mark.')),
  ExternalDescription: opt(string, 'Words meant for people outside.'),
  IsInactive: req(boolean, 'No longer in use.'),
  Type: req(short, 'Kind of mark; the values are not documented.'),
});

/** Interface document, Small shared records. */
export const PvRelationshipMarkData = recordWithoutPresence('PvRelationshipMarkData', 'A mark put on a relationship.', {
  Id: req(guid, 'Identifies the mark on this relationship.'),
  RelationshipId: req(guid, 'The relationship that carries the mark.'),
  RelationshipDescription: opt(string, 'Words about that relationship.'),
  MarkId: req(guid, 'The mark.'),
  PreferredAddress: req(AddressType, 'The address to use for it.'),
  Date: req(dateTime, 'When it was put on.'),
});

/** Interface document, PvRelationshipData. AddresStyle, Openening, OpeneningVariant and TittleId are spelled exactly so. */
export const PvRelationshipData = record(
  'PvRelationshipData',
  'A relationship between two relations, with how to address it.',
  {
    Id: req(guid, 'Identifies the relationship.'),
    EntityTypeId: req(guid, 'The kind of relationship; decides which configurable fields it has.'),
    ParentRelationId: req(guid, 'The relation on the parent side, such as the organisation.'),
    ChildRelationId: req(guid, 'The relation on the child side, such as the person.'),
    Description: opt(string, 'What the one is to the other.'),
    DisplayCity: opt(string, 'City as it is shown.'),
    DisplayName: inRole('name', opt(string, 'Name as it is shown.')),
    SortingName: opt(string, 'Name by which lists are sorted.'),
    IsContact: req(boolean, 'The child is a contact of the parent.'),
    IsEmployee: req(boolean, 'The child is an employee of the parent.'),
    IsOrganisation: req(boolean, 'The child is an organisation.'),
    PreferredAddress: req(AddressType, 'The address to use.'),
    AddresStyle: req(AddressStyle, 'How letters address it.'),
    Addressing: opt(string, 'First lines of the address on a letter.'),
    Openening: opt(string, 'The salutation that opens a letter.'),
    AddressingVariant: opt(string, 'Another form of the addressing.'),
    OpeneningVariant: opt(string, 'Another form of the salutation.'),
    TittleId: nil(guid, 'The title of the person.'),
    AccountManagerId: nil(guid, 'The user who looks after the relationship.'),
    IsInactive: req(boolean, 'No longer in use.'),
    OptOut: req(boolean, 'Does not want mailings.'),
    AuditData: opt(PvAuditData, 'Who made and changed it, and when.'),
    FieldValues: opt(PvFieldValuesData, 'Values of its configurable fields.'),
  },
);

/** Interface document, RelationshipAddLine: LineData. The document gives it no name; this one is ours. */
export const PvLineData = assumedRecord(
  'name',
  recordWithoutPresence('PvLineData', 'A line added to a relationship; the name of the record is ours.', {
    Id: req(guid, 'Identifies the new line.'),
    FieldValues: opt(PvFieldValuesData, 'The values that the line now has.'),
  }),
);
