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

/** How the sandbox says, in results that have an envelope, that it does not know a user. */
export const unknownUser = { number: 404, code: 'UnknownUser' } as const;

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
    decision: `Results with an envelope say Succeeded=false, Number ${invalidCredentials.number}, Code ${invalidCredentials.code}; other operations answer a SOAP fault "Client".`,
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
      'Fills CounterValues of relations, and Counters of RelationGet, with Relationship, Contacts, Activities and Marks; without it they are nil.',
    why: 'The document does not say which counters there are. These four can be counted from what the sandbox keeps.',
  },
  {
    topic: 'Nested members of lists',
    decision: 'Activities in lists have their nested members nil. Relationships in RelationshipGetAll have AuditData.',
    why: 'The document says it of activities only.',
  },
  {
    topic: 'Unknown relation',
    decision: 'RelationGet answers with Relation nil and Counters nil; it is not a fault.',
    why: 'Nothing is said of failures here, and the member may be nil.',
  },
  {
    topic: 'Unknown user',
    decision: `NotificationGetCount of a user that is not there says Succeeded=false, Number ${unknownUser.number}, Code ${unknownUser.code}.`,
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
    topic: 'Operations that are not built yet',
    decision: 'Answer a SOAP fault "Server" that names the operation.',
    why: 'An empty result would look like a true one.',
  },
  {
    topic: 'Other methods, paths and content types',
    decision:
      '405 for methods but GET and POST, 404 for other paths, 415 for content types that are not SOAP, all without SOAP.',
    why: 'This is what such services answer.',
  },
];
