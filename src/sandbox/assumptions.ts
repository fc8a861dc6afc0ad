/** Something that the interface document leaves open, and what the sandbox does. */
export interface Assumption {
  readonly topic: string;
  readonly decision: string;
  readonly why: string;
}

/** Bounds of pages. Used by the handlers and told in the assumptions. */
export const paging = { firstPage: 1, defaultSize: 25, largestSize: 1000 } as const;

/** How the sandbox refuses credentials in results that have an envelope. */
export const invalidCredentials = { number: 401, code: 'InvalidCredentials' } as const;

/** Numbers and codes of refusals. Each operation says them the way it says failures (see "How operations refuse"). */
export const notFound = { number: 404, code: 'NotFound' } as const;
/** A user that is not there. */
export const unknownUser = { number: 404, code: 'UnknownUser' } as const;
/** A period or a follow-up that ends before it begins. */
export const badPeriod = { number: 400, code: 'InvalidPeriod' } as const;
/** A field value that cannot be written or searched for. */
export const invalidField = { number: 400, code: 'InvalidField' } as const;
/** A file without a name, or whose content is not base64. */
export const invalidFile = { number: 400, code: 'InvalidFile' } as const;
/** A product whose unit does not exist. */
export const invalidProduct = { number: 400, code: 'InvalidProduct' } as const;
/** A line for a period on an activity that is no subscription. */
export const notASubscription = { number: 400, code: 'NotASubscription' } as const;

/** Every decision about what the interface document does not show. docs/assumptions.md is made from it. */
export const assumptions: readonly Assumption[] = [
  {
    topic: 'First page',
    decision: `Pages are numbered from ${paging.firstPage}; a smaller pageNumber gives the first page.`,
    why: 'Clients of deployed instances ask for page 1 first; .NET services that skip (pageNumber - 1) * pageSize rows give the first page for less.',
  },
  {
    topic: 'Page size',
    decision: `A pageSize of 0 or less means ${paging.defaultSize}; more than ${paging.largestSize} means ${paging.largestSize}.`,
    why: 'Clients were seen to ask for 25 to 50. A silent upper bound is what a client has to survive, so the sandbox has one.',
  },
  {
    topic: 'Order of lists',
    decision: 'Relations and relationships come in the order in which they were made, and stay in it.',
    why: 'The document names no order. A stable one lets a client prove that it saw each record once.',
  },
  {
    topic: 'End of a list',
    decision: 'A page behind the last is an empty list, not an error.',
    why: 'It is the only end that a client can see without a total.',
  },
  {
    topic: 'Rejected credentials',
    decision: `Results with an envelope say Succeeded=false, Number ${invalidCredentials.number}, Code ${invalidCredentials.code}; other operations answer a SOAP fault "Client.${invalidCredentials.code}".`,
    why: 'The document gives neither. Both forms occur in such services, so a client has to understand both.',
  },
  {
    topic: 'How credentials combine',
    decision:
      'ApiKey must be right. DatabaseId is nil or right. UserId is nil or a user of the database. UserName and Password are both absent or both right.',
    why: 'Deployed instances were seen to take ApiKey, DatabaseId and UserId with and without user name and password.',
  },
  {
    topic: 'Credentials left out',
    decision: 'A request without credentials is refused like one with wrong ones.',
    why: 'The element is optional by the service’s own description, but nothing says that it opens anything.',
  },
  {
    topic: 'includeFields',
    decision: 'Fills FieldValues (an empty list when there are none); without it FieldValues is nil.',
    why: 'The name says so; the document does not say which members the flag fills.',
  },
  {
    topic: 'includeCounters',
    decision:
      'Fills CounterValues, and Counters of RelationGet; of relations with Relationship, Contacts, Activities and Marks; without it they are nil.',
    why: 'The document does not say which counters there are. These four can be counted from what the sandbox keeps.',
  },
  {
    topic: 'Nested members of lists',
    decision: 'Activities in lists have their nested members nil. Relationships in RelationshipGetAll have AuditData.',
    why: 'The document says it of activities only.',
  },
  {
    topic: 'Unknown user',
    decision: `NotificationGetCount and NotificationsGet of a user that is not there say Succeeded=false, Number ${unknownUser.number}, Code ${unknownUser.code}.`,
    why: 'The result has an envelope for failures, and a count of 0 would hide a mistyped id.',
  },
  {
    topic: 'What is an activity of a relation',
    decision: 'One whose parent or child relationship has the relation on its child side.',
    why: 'The parent side is the organisation that a relationship is looked at from; the root would own every activity.',
  },
  {
    topic: 'A nested record whose members are all nil',
    decision: 'Is the same as a nil record.',
    why: 'It says nothing more, and the store keeps members in columns.',
  },
  {
    topic: 'dateTime without a zone',
    decision: 'Is compared as if it were UTC, and given back as it was written.',
    why: 'The zone of the server is not documented.',
  },
  {
    topic: 'UnitType and Unit',
    decision: 'Unit is the place of the unit in the UnitType enumeration, counted from 0.',
    why: '.NET numbers the values of an enumeration so.',
  },
  {
    topic: 'How operations refuse',
    decision:
      'Results with an envelope say Succeeded=false with Number, Code and Description. Results with ErrorInformation say it there, and nothing else. All other operations answer a SOAP fault "Client" with the code behind it: Client.NotFound, in SOAP 1.2 a Subcode. Nothing is written then.',
    why: 'The document gives the first two forms to the operations that have them, and no form to the others.',
  },
  {
    topic: 'Unknown ids',
    decision:
      'RelationGet, RelationGetMarksModified and AttachmentGet answer with nil for a record that is not there. Everything else that is given an id under which nothing is refuses with NotFound.',
    why: 'An empty list under a mistyped id would look like a true answer.',
  },
  {
    topic: 'Searching by field',
    decision:
      'An activity is found when every field value given is its own, to the letter; GUIDs in any case of letters; an empty value finds activities without one. An unknown field, or one given twice, is refused. The period includes both its ends.',
    why: 'The document names the parameters only. Deployed instances were seen to match loosely; clients that compare again get the same rows from an exact match.',
  },
  {
    topic: 'Field values that are written',
    decision:
      'Only the fields named change. An empty value is kept as empty; a field value without Value takes the value away. Read-only fields, labels, text over the length, values of another type, unknown choices and emptied required fields are refused with InvalidField.',
    why: 'Field descriptions say all of this about a field; services enforce what they describe.',
  },
  {
    topic: 'followUp',
    decision:
      'Left out, the follow-up stays as it is. Given, it is written whole: a nil member clears that member. The owner and the queue must exist, and it must not end before it starts.',
    why: 'Such services cannot tell a nil member from an absent one, so one of the two meanings has to be chosen.',
  },
  {
    topic: 'What counts as a change',
    decision:
      'ActivityUpdate, product lines and attachments set ModifiedAt (UTC) and ModifiedByUser (the UserId of the credentials) of the activity. The Modified operations compare ModifiedAt of activities and Date of marks; both ends of the period belong to it. An activity that was never changed has year 1 there.',
    why: 'AuditData is the only date of change that the document shows; marks have one date.',
  },
  {
    topic: 'Counters of activities',
    decision: 'Lines, Involveds, Attachments and ConnectedActivities.',
    why: 'The document does not say which counters there are. These four can be counted from what the sandbox keeps.',
  },
  {
    topic: 'Product lines',
    decision:
      'TotalAmount is Quantity times Amount with all digits of the product. SubscriptionAddProductLine takes activities of the workflow Abonnement only. A line without a period has Period 0.',
    why: 'Nothing is said of rounding, and an exact product can be rounded by whoever reads it.',
  },
  {
    topic: 'Attachments',
    decision:
      'The name is kept as it is given, paths and all; the content must be base64 and is kept to the character. ActivityAddAttachment answers without the content.',
    why: 'A client must survive any name. Sending a file back that was just received says nothing new.',
  },
  {
    topic: 'Lines of relationships',
    decision: 'entityTypeId is an entity type of lines, datastoreId the entity type of a datastore.',
    why: 'The document says no more than that both are GUIDs.',
  },
  {
    topic: 'Entries of datastores',
    decision:
      'The fields Description (required), Code, IsDefault, IsInactive and Parent make the entry; translations have a language such as nl-NL, each once.',
    why: 'The result shows these members, and field values are the only way to give them.',
  },
  {
    topic: 'Telephone book',
    decision:
      'Lists relations that have a telephone number, in the order in which they were made. The older operation and the newer one give the same.',
    why: 'The document says only that one replaces the other.',
  },
  {
    topic: 'Campaign marks',
    decision: 'MarkGetAll lists them too; CampaignMarkGetAll lists nothing else.',
    why: 'They are marks by the wording of the document.',
  },
  {
    topic: 'Other methods, paths and content types',
    decision:
      '405 for methods but GET and POST, 404 for other paths, 415 for content types that are not SOAP, all without SOAP.',
    why: 'This is what such services answer.',
  },
  {
    topic: 'Two ways of taking requests',
    decision:
      'The mode strict faults what is not by the letter: order, unknown and missing elements, lexical forms. The mode asmx takes what .NET .asmx services take: any order, the first of two elements, nothing for unknown ones, zero for missing values; it routes by SOAPAction, reads text/xml without a charset as ASCII, and refuses a body of more than 4 MB.',
    why: 'A strict service finds the mistakes of a client; a lenient one shows what they do on a real service.',
  },
  {
    topic: 'Zone of the server',
    decision: 'In the mode asmx a dateTime with an offset is converted to the time of Europe/Amsterdam.',
    why: '.NET services convert to the local time of their server, and one fixed zone with summer time shows it on any machine.',
  },
  {
    topic: 'Headers that must be understood',
    decision:
      'The mode asmx carries the operation out and then answers MustUnderstand; the mode strict passes headers over.',
    why: '.NET services look at the headers of a request when they write its answer, so that a fault does not mean that nothing was done.',
  },
];
