import { inRole, opt, recordWithoutPresence, req, type RecordType } from '../../contract/build.js';
import { boolean, guid, string } from '../../contract/scalars.js';

/** Something that is looked for in the mirror and had better not be there. */
export interface Check {
  readonly name: string;
  /** What its rows are. */
  readonly meaning: string;
  /** Tables that it reads. */
  readonly needs: readonly string[];
  /** Its rows. */
  readonly record: RecordType;
  /** Columns of a table of them. */
  readonly columns: readonly string[];
  /** Gives the members of its record as columns. */
  readonly sql: string;
  /** It reads the temporary table of telephone numbers. */
  readonly usesNumbers?: boolean;
}

const relationId = req(guid, 'The relation.');
const displayName = inRole('name', opt(string, 'Name as it is shown.'));
const isInactive = opt(boolean, 'No longer in use.');
const relationshipIds = {
  RelationshipId: req(guid, 'The relationship.'),
  ParentRelationId: opt(guid, 'The relation on the parent side.'),
  ChildRelationId: opt(guid, 'The relation on the child side.'),
};

const spaces = "' ' || char(9, 10, 13, 160)";
const isBlank = (column: string): string => `trim(coalesce("${column}", ''), ${spaces}) = ''`;
const isMissing = (column: string): string =>
  `coalesce(lower("${column}"), '') NOT IN (SELECT lower("Id") FROM "relations" WHERE "Id" IS NOT NULL)`;

/** The checks, in the order in which they are shown. */
export const checks: readonly Check[] = [
  {
    name: 'import-keys',
    meaning: 'relations whose import key another relation has too',
    needs: ['relations'],
    record: recordWithoutPresence('DoubleImportKey', 'A relation whose import key another relation has too.', {
      ImportKey: inRole('key', req(string, 'The import key.')),
      RelationId: relationId,
      DisplayName: displayName,
      IsInactive: isInactive,
    }),
    columns: ['ImportKey', 'DisplayName', 'RelationId', 'IsInactive'],
    sql: `SELECT "ImportKey", "Id" AS "RelationId", "DisplayName", "IsInactive" FROM "relations" WHERE "ImportKey" IN
      (SELECT "ImportKey" FROM "relations" WHERE NOT (${isBlank('ImportKey')}) GROUP BY "ImportKey" HAVING count(*) > 1)
      ORDER BY "ImportKey", "RelationId"`,
  },
  {
    name: 'telephone-numbers',
    meaning: 'telephone numbers that another relation has too',
    needs: ['telephone_book'],
    record: recordWithoutPresence('DoubleTelephoneNumber', 'A telephone number that another relation has too.', {
      Digits: inRole('key', req(string, 'What is the same: the digits without the country and the 0 before them.')),
      Value: req(string, 'The number as it was typed.'),
      RelationId: relationId,
      DisplayName: displayName,
    }),
    columns: ['Digits', 'Value', 'DisplayName', 'RelationId'],
    // A number that does not say its country may be of any.
    sql: `SELECT n.own AS "Digits", n.value AS "Value", n.relation AS "RelationId", n.name AS "DisplayName" FROM numbers n
      WHERE EXISTS (SELECT 1 FROM numbers o WHERE o.own = n.own AND lower(o.relation) <> lower(n.relation)
        AND (o.country = n.country OR o.country = '' OR n.country = ''))
      ORDER BY n.own, n.relation, n.seq`,
    usesNumbers: true,
  },
  {
    name: 'missing-relations',
    meaning: 'relationships whose parent or child is no relation',
    needs: ['relations', 'relationships'],
    record: recordWithoutPresence('MissingRelation', 'A relationship whose parent or child is no relation.', {
      ...relationshipIds,
      DisplayName: displayName,
      Missing: req(string, 'What is missing: parent, child or both.'),
      IsInactive: isInactive,
    }),
    columns: ['RelationshipId', 'DisplayName', 'Missing', 'ParentRelationId'],
    sql: `SELECT *, CASE WHEN "noParent" AND "noChild" THEN 'both' WHEN "noParent" THEN 'parent' ELSE 'child' END AS "Missing"
      FROM (SELECT "Id" AS "RelationshipId", "ParentRelationId", "ChildRelationId", "DisplayName", "IsInactive",
        ${isMissing('ParentRelationId')} AS "noParent", ${isMissing('ChildRelationId')} AS "noChild" FROM "relationships")
      WHERE "noParent" OR "noChild" ORDER BY "RelationshipId"`,
  },
  {
    name: 'salutations',
    meaning: 'relationships without a salutation that mailings go to',
    needs: ['relationships'],
    record: recordWithoutPresence(
      'MissingSalutation',
      'A relationship that mailings go to and that has no salutation.',
      {
        ...relationshipIds,
        DisplayName: displayName,
        Addressing: opt(string, 'First lines of the address on a letter.'),
        OpeneningVariant: opt(string, 'Another form of the salutation.'),
        DisplayCity: opt(string, 'City as it is shown.'),
      },
    ),
    columns: ['DisplayName', 'DisplayCity', 'RelationshipId'],
    sql: `SELECT "Id" AS "RelationshipId", "ParentRelationId", "ChildRelationId", "DisplayName", "Addressing",
      "OpeneningVariant", "DisplayCity" FROM "relationships"
      WHERE ${isBlank('Openening')} AND "OptOut" = 0 AND "IsInactive" = 0 ORDER BY "SortingName", "RelationshipId"`,
  },
  {
    name: 'without-number',
    meaning: 'relations in use that have no telephone number',
    needs: ['relations', 'telephone_book'],
    record: recordWithoutPresence('RelationWithoutNumber', 'A relation in use that has no telephone number.', {
      RelationId: relationId,
      DisplayName: displayName,
      ImportKey: inRole('key', opt(string, 'Key of the relation in the system that it was imported from.')),
    }),
    columns: ['DisplayName', 'ImportKey', 'RelationId'],
    sql: `SELECT "Id" AS "RelationId", "DisplayName", "ImportKey" FROM "relations"
      WHERE "IsInactive" = 0 AND lower("Id") NOT IN (SELECT lower(relation) FROM numbers)
      ORDER BY "SortingName", "RelationId"`,
    usesNumbers: true,
  },
];

/** Names of the checks. */
export const checkNames: readonly string[] = checks.map(({ name }) => name);
