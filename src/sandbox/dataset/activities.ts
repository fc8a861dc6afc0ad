import { PvActivityData, type PvActivityFollowUpData } from '../../contract/records/activity.js';
import type { InputOf } from '../../contract/infer.js';
import { instantKey } from '../../core/text/time/datetime.js';
import {
  entityTypeId,
  entityTypeSeq,
  queueId,
  sbiCodes,
  stepId,
  vatRates,
  workflows,
  workflowSeq,
  type Workflow,
} from './catalogue.js';
import { fieldId, emptyId, knownId } from './known.js';
import { bulkInto } from '../../state/sqlite/open.js';
import { idOf } from './people.js';
import {
  fieldValues,
  type RecordInput,
  indexAdder,
  type Maker,
  type Making,
  type Plan,
  type Writable,
} from './making.js';
import { type Random, words, audit, type Audit, forEver, moment, price } from './random.js';

/** Facts of an activity that other records need, computed from its index alone. */
export interface ActivityFacts {
  readonly workflow: Workflow;
  readonly step: number;
  readonly place: 'Queue' | 'Todo' | 'Closed';
  readonly ownerId: string;
  readonly relationshipIndex: number;
}

type Pairs = Parameters<typeof fieldValues>[0];

const workflowAt = (index: number): Workflow => workflows[index % workflows.length] ?? workflows[0];

/** Steps of the first activities, so that the first user has work to do, in a queue and closed at every size. */
const firstSteps = [3, 3, 2, 4, 2, 5] as const;

/** The facts of the index-th activity. The first belongs to the first person and waits for the first user. */
export function activityFacts(making: Plan, index: number): ActivityFacts {
  const random = making.random('activity/facts', index);
  const workflow = workflowAt(index);
  const drawn = 1 + random.below(workflow.steps.length);
  const step = firstSteps[index] ?? drawn;
  const owner = 1 + random.below(4);
  const type = workflow.steps[step - 1]?.[0];
  return {
    workflow,
    step,
    place: type === 'QueueStep' ? 'Queue' : type === 'EndStep' ? 'Closed' : 'Todo',
    ownerId: knownId('user', index < firstSteps.length ? 1 : owner),
    relationshipIndex: index === 0 ? 1 : random.below(making.counts.relationships),
  };
}

const orderValues = (making: Plan, facts: ActivityFacts, random: Random): Pairs => {
  if (facts.workflow.entityType !== 14 || !random.percent(25)) return [];
  const { relations, relationships } = making.counts;
  const employees = relationships - relations;
  return [
    [fieldId(14, 'Weight'), `${random.below(40)}.${random.below(1000)}`],
    [fieldId(14, 'Parcels'), String(1 + random.below(20))],
    // Near the end of its range, where a double cannot tell two of them apart.
    [fieldId(14, 'Tracking'), String(9_223_372_036_854_770_000n + BigInt(random.below(5000)))],
    [fieldId(14, 'PostalCode'), `${1000 + random.below(9000)} ${random.pick(['AB', 'KX', 'ZW'])}`],
    [fieldId(14, 'Signature'), random.percent(50) ? random.pick(['0x0102FF', '0x']) : undefined],
    [fieldId(14, 'Country'), random.pick(['NL', 'BE', 'DE'])],
    [
      fieldId(14, 'Courier'),
      employees > 0 ? idOf(making, 'relationship', relations + random.below(employees)) : undefined,
    ],
    [fieldId(14, 'Delivery'), String(random.below(3))],
    [fieldId(14, 'Payment'), knownId('systemItem', 301 + random.below(4))],
    [fieldId(14, 'VatRate'), knownId('vat', 1 + random.below(vatRates.length))],
    [fieldId(14, 'Packing'), random.percent(50) ? String(random.below(3)) : undefined],
    [fieldId(14, 'Picked'), random.percent(50) ? moment(random, 2025) : undefined],
    [fieldId(14, 'Insured'), random.pick(['True', 'False'])],
    [fieldId(14, 'Discount'), random.pick(['0.000', '2.50', '12.3456789'])],
    [fieldId(14, 'DeliveryMail'), random.percent(50) ? 'magazijn@mail.example' : ''],
    [fieldId(14, 'TrackingPage'), random.percent(50) ? 'https://volg.example/?z=1&p=2' : undefined],
    [fieldId(14, 'Trade'), knownId('sbiCode', 1 + random.below(sbiCodes.length))],
  ];
};

const values = (facts: ActivityFacts, random: Random, index: number): Pairs => {
  const type = facts.workflow.entityType;
  return [
    [fieldId(type, 'Subject'), random.pick(words.subjects)],
    [fieldId(type, 'Priority'), knownId('datastoreItem', 2401 + random.below(4))],
    [fieldId(type, 'Deadline'), random.percent(60) ? moment(random, 2024 + random.below(3)) : undefined],
    [fieldId(type, 'Amount'), random.percent(40) ? price(random) : undefined],
    [fieldId(type, 'Handler'), random.percent(50) ? facts.ownerId : undefined],
    [fieldId(type, 'Reference'), random.percent(70) ? `REF/${String(index).padStart(7, '0')}` : undefined],
  ];
};

/** Who made and changed an activity, and when, from the beginning of its stream: closing is the last change. */
const auditOf = ({ place: state }: ActivityFacts, random: Random): Audit =>
  audit(random, state === 'Closed' ? 'changed' : undefined);

/** The same for the index-th activity, to whoever needs it before it is made. */
export const activityAudit = (making: Plan, index: number): Audit =>
  auditOf(activityFacts(making, index), making.random('activity', index));

type Written = Writable<RecordInput<typeof PvActivityData>>;

const followUpOf = (
  { place: state, workflow, ownerId }: ActivityFacts,
  random: Random,
): InputOf<typeof PvActivityFollowUpData> => {
  const planned = random.percent(80);
  const Start = planned ? moment(random, 2023 + random.below(3)) : null;
  const never = planned && random.percent(3);
  const End = planned && !never ? moment(random, 2026) : null;
  const InAgenda = random.percent(90) ? random.percent(50) : null;
  return {
    Start,
    End: never ? forEver : End,
    InAgenda,
    ReminderPeriodInMinutes: random.percent(40) ? random.pick([0, 15, 60, 1440]) : null,
    OwnerUserId: state === 'Queue' ? null : ownerId,
    PlacedInQueueId: state === 'Queue' ? queueId(workflow) : null,
  };
};

const drawn = (plan: Plan, index: number, random: Random) => {
  const facts = activityFacts(plan, index);
  const AuditData = auditOf(facts, random);
  const other = random.percent(20) ? random.below(plan.counts.relationships) : undefined;
  const second = other === facts.relationshipIndex ? undefined : other;
  const subject = random.percent(95) ? random.pick(words.subjects) : undefined;
  const ViewSortingDate = moment(random, 2023 + random.below(4));
  const FollowUp = followUpOf(facts, random);
  // The empty id stands in the place of some.
  const pair = random.percent(2) ? ('none' as const) : second;
  return { facts, AuditData, subject, ViewSortingDate, FollowUp, second: pair };
};

const settingsOf = (plan: Plan, { facts, second }: ReturnType<typeof drawn>): NonNullable<Written['Settings']> => ({
  WorkflowId: knownId('workflow', facts.workflow.number),
  WorkflowStepId: stepId(facts.workflow, facts.step),
  ParentRelationshipId: idOf(plan, 'relationship', facts.relationshipIndex),
  ChildRelationshipId: second === 'none' ? emptyId : second === undefined ? null : idOf(plan, 'relationship', second),
});

/** How the index-th activity is made. */
export const activityMaker: Maker<typeof PvActivityData> = {
  record: PvActivityData,
  keys: (plan, index) => {
    const { facts, AuditData, second } = drawn(plan, index, plan.random('activity', index));
    return {
      Id: idOf(plan, 'activity', index),
      ModifiedKey: instantKey(AuditData.ModifiedAt) ?? '',
      EntityTypeSeq: entityTypeSeq(facts.workflow.entityType),
      WorkflowSeq: workflowSeq(facts.workflow),
      ParentSeq: facts.relationshipIndex + 1,
      ChildSeq: typeof second === 'number' ? second + 1 : null,
    };
  },
  extra: (_, index) => ({ EntityTypeId: entityTypeId(workflowAt(index).entityType) }),
  whole: (plan, index, withValues) => {
    const random = plan.random('activity', index);
    const activity = drawn(plan, index, random);
    const { facts, AuditData, subject, ViewSortingDate, FollowUp } = activity;
    const record: Written = {
      Id: idOf(plan, 'activity', index),
      Number: String(index + 1).padStart(8, '0'),
      ViewSortingDate,
      FollowUp,
      Settings: settingsOf(plan, activity),
      AuditData,
    };
    if (subject !== undefined) record.Info = `${subject} – ${facts.workflow.name}`;
    if (withValues)
      record.FieldValues = fieldValues([...values(facts, random, index), ...orderValues(plan, facts, random)]);
    if (facts.place === 'Closed')
      record.ActivityAuditData = { ClosedAt: AuditData.ModifiedAt, ClosedByUser: AuditData.ModifiedByUser };
    return record;
  },
};

const addConnections = (making: Making): void => {
  // Ids are only for whoever looks into the database.
  const ids = making.inOutline ? [] : ['ActivityId', 'ConnectedId'];
  const columns = ['ActivitySeq', 'ConnectedSeq', ...ids];
  const rows = bulkInto(making.store, 'ActivityConnection', { columns });
  const connect = (from: number, to: number): void => {
    const row = [from + 1, to + 1];
    rows.add(making.inOutline ? row : [...row, idOf(making, 'activity', from), idOf(making, 'activity', to)]);
  };
  const { activities } = making.counts;
  for (let index = 0; index + 1 < activities; index += 6) {
    const other = index + 1 + making.random('connection', index).below(Math.min(5, activities - index - 1));
    connect(index, other);
    connect(other, index);
  }
  rows.flush();
};

/** Makes the activities and the connections between them. */
export function addActivities(making: Making): void {
  const add = indexAdder(making, activityMaker);
  const { activities } = making.counts;
  for (let index = 0; index < activities; index += 1) {
    making.report('activities', index, activities);
    add(index);
  }
  addConnections(making);
}
