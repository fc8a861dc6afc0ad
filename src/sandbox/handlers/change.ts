import { PvActivityData } from '../../contract/records/activity.js';
import { PvRelationshipData } from '../../contract/records/relationship.js';
import type { OutputOf } from '../../contract/infer.js';
import { instantKey } from '../store/instant.js';
import type { Stored } from '../store/rows.js';
import { updateRecord } from '../store/write.js';
import type { Activity } from './activities.js';
import type { Call } from './handler.js';

type Relationship = OutputOf<typeof PvRelationshipData>;

/** Now as a dateTime of the wire, in UTC. */
export const nowText = (call: Call): string =>
  call
    .now()
    .toISOString()
    .replace(/\.?0*Z$/, 'Z');

/** Says who changed a relationship and when (assumptions.ts, "What counts as a change"). */
export function touchRelationship(call: Call, { seq, record }: Stored<Relationship>): void {
  const AuditData = { ...record.AuditData, ModifiedAt: nowText(call), ModifiedByUser: call.userId };
  updateRecord(call.store, PvRelationshipData, { seq, value: { ...record, AuditData } });
}

/** Writes an activity anew and says who changed it and when (assumptions.ts, "What counts as a change"). */
export function saveActivity(call: Call, { seq, record }: Stored<Activity>, lists: readonly string[] = []): void {
  const ModifiedAt = nowText(call);
  const AuditData = { ...record.AuditData, ModifiedAt, ModifiedByUser: call.userId };
  updateRecord(call.store, PvActivityData, {
    seq,
    value: { ...record, AuditData },
    extra: { ModifiedKey: instantKey(ModifiedAt) ?? '' },
    lists,
  });
}
