/** Something that the interface document leaves open, and what the sandbox does. */
export interface Assumption {
  readonly topic: string;
  readonly decision: string;
  readonly why: string;
  /** Addresses of public source code of clients of deployed instances, which shows it. Without any it is a guess. */
  readonly sources?: readonly string[];
}

const pagekit = 'https://github.com/malles/pagekit-perfectview_api/blob';
const types = `${pagekit}/4f41c4e44237af96d19027d3a0572b31fdb55c5a/src/SoapTypes`;

/** Public clients of deployed instances, by what they show. */
const clients = {
  relations: `${pagekit}/5a95220eac39e69b15cc738c361c4241d3cdefcd/src/ApiTrait/RelationApiTrait.php`,
  credentials: `${pagekit}/449801027cf0e6a97200f5f5ae5abf85e6ecbaac/src/PerfectviewApi.php`,
  notifications: `${pagekit}/172b6f3f564bfaf3eba9d5da2a2f42221d0d8e0d/src/SoapTypes/NotificationsGetResult.php`,
  ruby: 'https://github.com/forecastxl/perfectview-ruby/blob/00e9fba2b9e5d87a8451acfa4aec62b20a82df8b/lib/perfectview_api/client.rb',
} as const;

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
    why: 'Public clients ask for page 1 first; .NET services that skip (pageNumber - 1) * pageSize rows give the first page for less.',
    sources: [clients.relations, clients.ruby],
  },
  {
    topic: 'Page size',
    decision: `A pageSize of 0 or less means ${paging.defaultSize}; more than ${paging.largestSize} means ${paging.largestSize}, and pages begin by that size: --fault page-cap=${paging.largestSize},offset=asked has them begin by the size that was asked for.`,
    why: 'Public clients ask for 25 and for 50. A silent upper bound is what a client has to survive, so the sandbox has one.',
    sources: [clients.relations, clients.ruby],
  },
  {
    topic: 'Order of lists',
    decision: 'Relations and relationships come in the order in which they were made, and stay in it.',
    why: 'The document names no order. A stable one lets a client prove that it saw each record once.',
  },
  {
    topic: 'End of a list',
    decision:
      'A page behind the last is an empty list, not an error; like every empty list it is nil. --fault list-end=absent shows services that leave the list out there.',
    why: 'It is the only end that a client can see without a total.',
  },
  {
    topic: 'Rejected credentials',
    decision: `Results with an envelope say Succeeded=false, Number ${invalidCredentials.number}, Code ${invalidCredentials.code}; other operations answer a SOAP fault with the code ${invalidCredentials.code}.`,
    why: 'The document gives neither. Both forms occur in such services, so a client has to understand both.',
  },
  {
    topic: 'How credentials combine',
    decision:
      'ApiKey must be right. DatabaseId is nil or right. UserId is nil or a user of the database. UserName and Password are both absent or both right.',
    why: 'One public client sends ApiKey, DatabaseId and UserId without a user name, another ApiKey, user name and password, with DatabaseId when it has one.',
    sources: [clients.credentials, clients.ruby],
  },
  {
    topic: 'Credentials left out',
    decision: 'A request without credentials is refused like one with wrong ones.',
    why: 'The element is optional by the service’s own description, but nothing says that it opens anything.',
  },
  {
    topic: 'includeFields and includeCounters',
    decision:
      'includeFields fills FieldValues of each record, and includeCounters CounterValues, in lists as in single results; without them both are nil. The other nested members of activities are nil in lists. Relationships in RelationshipGetAll have AuditData. `--fault nested=nil` is the other reading of the document: nil, whatever is asked for.',
    why: 'The document has FieldValues and CounterValues nil in lists of activities, and does not say what the flags fill. A public client reads the field values of a list that it has asked for with includeFields.',
    sources: [clients.relations],
  },
  {
    topic: 'Counters',
    decision:
      'CounterValues of a relation are Relationship, Contacts, Activities, Marks and Lines; those of an activity are Lines, Involveds, Attachments and ConnectedActivities. Counters of RelationGet has every tab page, with 0 for those of which the sandbox keeps nothing.',
    why: 'The document does not say which counters there are. These can be counted from what the sandbox keeps.',
  },
  {
    topic: 'What is empty',
    decision:
      'Lists, nested records and results that hold nothing carry xsi:nil="true"; an empty text does not. `--fault nested=empty` has empty elements instead.',
    why: 'The document says so of nested elements; it does not say that a text is one.',
  },
  {
    topic: 'Shapes that the document does not show',
    decision:
      'Items of FieldValues holds PvFieldValueData. NotificationsGet has its list in Notifications. A TelephoneBookEntry has a PvRelationData and a list of PvTelephoneNumberData (Id, Type, Name, Description, Field, Value). RelationGetTelephoneBook_V2 takes and gives what RelationGetTelephoneBook does.',
    why: 'The types that a public client made from the description of a deployed instance have these shapes.',
    sources: [
      `${types}/PvFieldValuesData.php`,
      clients.notifications,
      `${types}/TelephoneBookEntry.php`,
      `${types}/PvTelephoneNumberData.php`,
      `${types}/RelationGetTelephoneBook_V2.php`,
    ],
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
      'Results with an envelope say Succeeded=false with Number, Code and Description. Results with ErrorInformation say it there, and nothing else. All other operations answer a SOAP fault whose code, such as NotFound, is a name in the namespace of the service: the faultcode of SOAP 1.1, the Subcode behind Sender in SOAP 1.2. Nothing is written then.',
    why: 'The document gives the first two forms to the operations that have them, and no form to the others. .NET services write codes of their own so; strict SOAP stacks drop a fault whose subcode has no namespace, and WS-I Basic Profile (R1031) asks for no codes with dots.',
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
    why: 'The document names the parameters only. A public client says that relations are matched loosely and compares again; such a client gets the same rows from an exact match.',
    sources: [clients.relations],
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
      'ActivityUpdate, product lines and attachments set ModifiedAt (UTC) and ModifiedByUser (the UserId of the credentials) of the activity, lines those of the relationship. The Modified operations compare ModifiedAt of activities and Date of marks; both ends of the period belong to it. An activity that was never changed has year 1 there.',
    why: 'AuditData is the only date of change that the document shows; marks have one date.',
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
    topic: 'Notifications',
    decision:
      'An activity has at most one notification, and it is of its owner. It stands in Closed when the activity was closed, in Queue when it is placed in a queue, otherwise in Todo. When ActivityUpdate writes the follow-up, the notification goes to the new owner, or is made for one; in a queue without an owner it stays with the user who had it; with neither it goes away.',
    why: 'The document shows no more than the three locations.',
  },
  {
    topic: 'Labels',
    decision:
      'Type says what RecordId identifies. ActivityGetLabels gives the labels of a field on the activity and on its attachments, RelationshipFieldGetLabels those on the relationship and on its relation.',
    why: 'The label types name activities, attachments, relations and relationships, and no other operation gives labels.',
  },
  {
    topic: 'What is not enforced',
    decision:
      'IsDivisible, AllowChangePrice, AllowChangeDescription, AllowChangeVat and AutoEnableEdit of a product forbid nothing. Neither does IsInactive: what is inactive is listed, and can be written and referred to. A closed activity can be changed, and stays closed. No operation of the document closes an activity or moves it to another step.',
    why: 'The document shows these members and no rule about them.',
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
      'The mode strict refuses what is not by the letter. By 415: a content type that is not that of the version of the envelope, and any charset but utf-8, also none. By a fault: in SOAP 1.1 a SOAPAction that is missing, not in quotes, or not that of the operation in the Body and its namespace, in SOAP 1.2 an action parameter that is another one; processing instructions; order, unknown and missing elements, lexical forms; xsi:nil on anything but the members that the document calls Nil (not on items of lists, though the schema of such services allows it on records there), in an element that holds something, or in another form than that of a boolean; an xsi:type that is not the type of the contract; attributes besides these. The mode asmx takes what .NET .asmx services take: any order, the first of two elements (of a list the items of both), nothing for unknown ones, zero for missing values, a year, a month or a time of today for a dateTime, GUIDs in each form of .NET; it routes by SOAPAction, reads text/xml without a charset as ASCII, and refuses a body of more than 4 MB.',
    why: 'A strict service finds the mistakes of a client; a lenient one shows what they do on a real service.',
  },
  {
    topic: 'Zone of the server',
    decision:
      'In the mode asmx a dateTime with an offset is converted to the time of Europe/Amsterdam, before 1941 to its standard time, and kept between the first and the last moment that .NET has.',
    why: '.NET services convert to the local time of their server, and one fixed zone with summer time shows it on any machine.',
  },
  {
    topic: 'Headers that must be understood',
    decision:
      'The mode asmx carries the operation out and then answers MustUnderstand; the mode strict passes headers over.',
    why: '.NET services look at the headers of a request when they write its answer, so that a fault does not mean that nothing was done.',
  },
];
