import { TabPageType } from '../../contract/enumerations.js';
import type { OutputOf } from '../../contract/infer.js';
import { PvActivityData } from '../../contract/records/activity.js';
import type { PvRelationData } from '../../contract/records/relation.js';
import type { PvCounterData } from '../../contract/records/shared.js';
import type { Store } from './open.js';
import { seqsOf, type Stored } from './rows.js';

/** A counter of a tab page. */
export type Counter = OutputOf<typeof PvCounterData>;

/** Tab pages that are counted, in the order of the columns of the statement. */
const counted = ['Relationship', 'Contacts', 'Activities', 'Marks', 'Lines'] as const;

/** Activities are counted once, also when both their relationships are of the relation. */
const sql = `SELECT r.seq,
  (SELECT count(*) FROM "PvRelationshipData" s WHERE s."ChildRelationId" = r."Id"),
  (SELECT count(*) FROM "PvRelationshipData" s WHERE s."ParentRelationId" = r."Id"),
  (SELECT count(*) FROM (
    SELECT a.seq FROM "PvRelationshipData" s JOIN "PvActivityData" a ON a."Settings_ParentRelationshipId" = s."Id"
      WHERE s."ChildRelationId" = r."Id"
    UNION
    SELECT a.seq FROM "PvRelationshipData" s JOIN "PvActivityData" a ON a."Settings_ChildRelationshipId" = s."Id"
      WHERE s."ChildRelationId" = r."Id")),
  (SELECT count(*) FROM "PvRelationshipData" s JOIN "PvRelationshipMarkData" m ON m."RelationshipId" = s."Id"
    WHERE s."ChildRelationId" = r."Id"),
  (SELECT count(*) FROM "PvRelationshipData" s JOIN "PvLineData" l ON l."RelationshipId" = s."Id"
    WHERE s."ChildRelationId" = r."Id")
FROM "PvRelationData" r WHERE r.seq IN (SELECT value FROM json_each(?))`;

/** Tab pages of activities that are counted, in the order of the columns of the statement. */
const countedOfActivities = ['Lines', 'Involveds', 'Attachments', 'ConnectedActivities'] as const;

const activitySql = `SELECT a.seq,
  (SELECT count(*) FROM "ProductLineData" l WHERE l."ActivityId" = a."Id"),
  (SELECT count(*) FROM "PvInvolvedData" i WHERE i."ActivityId" = a."Id"),
  (SELECT count(*) FROM "Attachment" f WHERE f."ActivityId" = a."Id"),
  (SELECT count(*) FROM "ActivityConnection" c WHERE c."ActivityId" = a."Id")
FROM "PvActivityData" a WHERE a.seq IN (SELECT value FROM json_each(?))`;

/** Counters of many relations or activities with one statement, by seq. */
export function countersOf(
  store: Store,
  record: typeof PvRelationData | typeof PvActivityData,
  rows: readonly Stored<unknown>[],
): (seq: number) => readonly Counter[] {
  const isActivity = record === PvActivityData;
  const pages = isActivity ? countedOfActivities : counted;
  const bySeq = new Map(
    store
      .statement(isActivity ? activitySql : sql)
      .all(seqsOf(rows))
      .map(([seq, ...counts]) => [
        Number(seq),
        pages.map((TabPageType, at) => ({ TabPageType, Value: Number(counts[at] ?? 0) })),
      ]),
  );
  return (seq) => bySeq.get(seq) ?? [];
}

/** A counter for each tab page there is: those given, and 0 for the others. */
export function everyTabPage(some: readonly Counter[]): readonly Counter[] {
  const values = new Map(some.map(({ TabPageType: page, Value }) => [page, Value]));
  return TabPageType.values.map((page) => ({ TabPageType: page, Value: values.get(page) ?? 0 }));
}
