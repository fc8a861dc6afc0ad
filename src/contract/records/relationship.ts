import { assumedRecord, inRole, nil, opt, record, recordWithoutPresence, req } from '../build.js';
import { AddressStyle, AddressType } from '../enumerations.js';
import { boolean, guid, string } from '../scalars.js';
import { PvAuditData, PvFieldValuesData } from './shared.js';

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
