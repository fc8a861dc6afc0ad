import { inRole, opt, recordWithoutPresence, req } from '../build.js';
import { AddressType } from '../enumerations.js';
import { boolean, dateTime, guid, short, string } from '../scalars.js';

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
