import {
  PvActivityData,
  type PvActivityAuditData,
  type PvActivityFollowUpData,
} from '../../contract/records/activity.js';
import type { InputOf } from '../../contract/infer.js';
import { instantKey } from '../store/instant.js';
import { audit, authorOf } from './audit.js';
import { entityTypeId, queueId, stepId, workflows, type Workflow } from './catalogue.js';
import { fieldId } from './fields.js';
import { idOf } from './identity.js';
import { emptyId, knownId } from './known.js';
import { adder, fieldValues, type Making } from './making.js';
import { forEver, moment } from './moments.js';
import { subjects } from './names.js';
import { price } from './products.js';
import type { Random } from './random.js';

/** What other parts of the data set need to know of an activity, worked out from its index alone. */
export interface ActivityFacts {
  readonly id: string;
  readonly workflow: Workflow;
  /** Place of the step, from one. */
  readonly step: number;
  readonly place: 'Queue' | 'Todo' | 'Closed';
  readonly ownerId: string;
  readonly relationshipIndex: number;
}

const workflowAt = (index: number): Workflow => workflows[index % workflows.length] ?? workflows[0];

/** The facts of the index-th activity. The first belongs to the first person and waits for the first user. */
export function activityFacts(making: Making, index: number): ActivityFacts {
  const random = making.random('activity/facts', index);
  const workflow = workflowAt(index);
  const drawn = 1 + random.below(workflow.steps.length);
  const step = index === 0 ? 3 : drawn;
  const type = workflow.steps[step - 1]?.[0];
  return {
    id: idOf(making, 'activity', index),
    workflow,
    step,
    place: type === 'QueueStep' ? 'Queue' : type === 'EndStep' ? 'Closed' : 'Todo',
    ownerId: knownId('user', index === 0 ? 1 : 1 + random.below(4)),
    relationshipIndex: index === 0 ? 1 : random.below(making.counts.relationships),
  };
}

const followUp = (facts: ActivityFacts, random: Random): InputOf<typeof PvActivityFollowUpData> => {
  const planned = random.percent(80);
  return {
    Start: planned ? moment(random, 2023 + random.below(3)) : null,
    End: planned ? (random.percent(3) ? forEver : moment(random, 2026)) : null,
    InAgenda: random.percent(90) ? random.percent(50) : null,
    ReminderPeriodInMinutes: random.percent(40) ? random.pick([0, 15, 60, 1440]) : null,
    OwnerUserId: facts.place === 'Queue' ? null : facts.ownerId,
    PlacedInQueueId: facts.place === 'Queue' ? queueId(facts.workflow) : null,
  };
};

const values = (facts: ActivityFacts, random: Random, index: number): ReturnType<typeof fieldValues> => {
  const type = facts.workflow.entityType;
  return fieldValues([
    [fieldId(type, 'Subject'), random.pick(subjects)],
    [fieldId(type, 'Priority'), knownId('datastoreItem', 2401 + random.below(4))],
    [fieldId(type, 'Deadline'), random.percent(60) ? moment(random, 2024 + random.below(3)) : undefined],
    [fieldId(type, 'Amount'), random.percent(40) ? price(random) : undefined],
    [fieldId(type, 'Handler'), random.percent(50) ? facts.ownerId : undefined],
    [fieldId(type, 'Reference'), random.percent(70) ? `REF/${String(index).padStart(7, '0')}` : undefined],
  ]);
};

const closed = (random: Random): InputOf<typeof PvActivityAuditData> => ({
  ClosedAt: moment(random, 2026),
  ClosedByUser: authorOf(random),
});

const addActivity = (making: Making, add: ReturnType<typeof adder<typeof PvActivityData>>, index: number): void => {
  const random = making.random('activity', index);
  const facts = activityFacts(making, index);
  const audited = audit(random);
  const other = random.percent(20) ? idOf(making, 'relationship', random.below(making.counts.relationships)) : null;
  add(
    {
      Id: facts.id,
      ...(random.percent(95) ? { Info: `${random.pick(subjects)} – ${facts.workflow.name}` } : {}),
      Number: String(index + 1).padStart(8, '0'),
      ViewSortingDate: moment(random, 2023 + random.below(4)),
      FollowUp: followUp(facts, random),
      Settings: {
        WorkflowId: knownId('workflow', facts.workflow.number),
        WorkflowStepId: stepId(facts.workflow, facts.step),
        ParentRelationshipId: idOf(making, 'relationship', facts.relationshipIndex),
        ChildRelationshipId: random.percent(2) ? emptyId : other,
      },
      FieldValues: values(facts, random, index),
      AuditData: audited,
      ...(facts.place === 'Closed' ? { ActivityAuditData: closed(random) } : {}),
    },
    { EntityTypeId: entityTypeId(facts.workflow.entityType), ModifiedKey: instantKey(audited.ModifiedAt) ?? '' },
  );
};

const addConnections = (making: Making): void => {
  const connect = making.store.statement(
    'INSERT OR IGNORE INTO "ActivityConnection" (ActivityId, ConnectedId) VALUES (?, ?)',
  );
  const { activities } = making.counts;
  for (let index = 0; index + 1 < activities; index += 6) {
    const other = index + 1 + making.random('connection', index).below(Math.min(5, activities - index - 1));
    connect.run(idOf(making, 'activity', index), idOf(making, 'activity', other));
    connect.run(idOf(making, 'activity', other), idOf(making, 'activity', index));
  }
};

/** Makes the activities and the connections between them. */
export function addActivities(making: Making): void {
  const add = adder(making, PvActivityData);
  for (let index = 0; index < making.counts.activities; index += 1) addActivity(making, add, index);
  addConnections(making);
}
