import { PvNotificationData, Attachment, PvInvolvedData, ProductLineData } from '../../contract/records/activity.js';
import { PvRelationshipMarkData } from '../../contract/records/relation.js';
import { PvLabelItemData } from '../../contract/records/shared.js';
import { AddressType, type LabelType } from '../../contract/enumerations.js';
import { instantKey } from '../../core/text/time/datetime.js';
import { activityAudit, activityFacts } from './activities.js';
import { entityTypeId, marks, vatRates } from './catalogue.js';
import { fieldId, emptyId, knownId } from './known.js';
import { idOf } from './people.js';
import { type Add, adder, indexAdder, type Maker, type Making, type Plan } from './making.js';
import { type Random, words, moment, unset, price } from './random.js';
import { bond, descriptionOf } from './relationships.js';

/** Numbers of labels are 64-bit: the first ones are near the end of that range, where a double cannot tell them apart. */
const firstLabel = 9_223_372_036_854_770_000n;

type Carriers = readonly (readonly [type: (typeof LabelType)['values'][number], RecordId: string])[];

const labelsOf = (add: Add<typeof PvLabelItemData>): ((field: string, carriers: Carriers, random: Random) => void) => {
  let made = 0n;
  return (FieldId, carriers, random) => {
    const count = 1 + random.below(3);
    for (const [Type, RecordId] of carriers.slice(0, count)) {
      const Id = String(made % 2n === 0n ? firstLabel + made : made);
      made += 1n;
      add({ Id, RecordId, FieldId, DatastoreId: emptyId, Type, Text: random.pick(words.labels) });
    }
  };
};

const attachmentEvery = 8;

const addLabels = (making: Making): void => {
  const label = labelsOf(adder(making, PvLabelItemData));
  for (let index = 0; index < making.counts.activities; index += 4) {
    making.report('labels', index, making.counts.activities);
    const { workflow } = activityFacts(making, index);
    const id = idOf(making, 'activity', index);
    const carriers: Carriers = [
      ['ActivityField', id],
      index % attachmentEvery === 0
        ? ['Attachment', idOf(making, 'attachment', index / attachmentEvery)]
        : ['ActivityField', id],
      ['Activity', id],
    ];
    label(fieldId(workflow.entityType, 'Tags'), carriers, making.random('label/activity', index));
  }
  for (let index = 1; index < making.counts.relationships; index += 5) {
    const tie = bond(making, index);
    if (tie.employee) continue;
    const relationshipId = idOf(making, 'relationship', index);
    const relationId = idOf(making, 'relation', tie.child);
    const carriers: Carriers = [
      ['RelationshipField', relationshipId],
      index % 2 === 0 ? ['Relation', relationId] : ['Relationship', relationshipId],
      ['RelationField', relationId],
    ];
    label(fieldId(3, 'Interests'), carriers, making.random('label/relationship', index));
  }
};

/** So many activities have one party between them, and so many one line. */
const [involvedEvery, lineEvery] = [3, 2];

/** How the index-th party of an activity is made. */
export const involvedMaker: Maker<typeof PvInvolvedData> = {
  record: PvInvolvedData,
  keys: (_, index) => ({ ActivitySeq: index * involvedEvery + 1 }),
  whole: (plan, index) => {
    const activity = index * involvedEvery;
    const random = plan.random('involved', activity);
    const { relationshipIndex } = activityFacts(plan, activity);
    return {
      Id: random.guid(),
      ...(random.percent(90) ? { Type: random.pick(['Uitvoerder', 'Opdrachtgever', 'Contactpersoon & partner']) } : {}),
      EntityTypeId: entityTypeId(bond(plan, relationshipIndex).employee ? 5 : 3),
      ActivityId: idOf(plan, 'activity', activity),
      RelationshipId: idOf(plan, 'relationship', relationshipIndex),
    };
  },
};

const money = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** How the index-th product line is made. */
export const lineMaker: Maker<typeof ProductLineData> = {
  record: ProductLineData,
  keys: (_, index) => ({ ActivitySeq: index * lineEvery + 1 }),
  extra: (plan, index) => ({ ActivityId: idOf(plan, 'activity', index * lineEvery) }),
  whole: (plan, index) => {
    const activity = index * lineEvery;
    const random = plan.random('productLine', activity);
    const whole = 1 + random.below(20);
    const cents = 1 + random.below(50_000);
    return {
      Id: random.guid(),
      Quantity: `${whole}.000`,
      Amount: money(cents),
      TotalAmount: money(whole * cents),
      PurchaseAmount: price(random),
      VatId: knownId('vat', 1 + random.below(vatRates.length)),
      ProductId: idOf(plan, 'product', random.below(plan.counts.products)),
      ...(random.percent(50) ? { Description: 'Volgens offerte <A&B>' } : {}),
      Period: activityFacts(plan, activity).workflow.number === 3 ? random.pick([0, 1, 12]) : 0,
    };
  },
};

const addAttachment = (making: Making, add: Add<typeof Attachment>, index: number): void => {
  const random = making.random('attachment', index);
  const { CreatedAt, ModifiedAt } = activityAudit(making, index * attachmentEvery);
  const FileName = index === 0 ? words.fileNames[0] : random.pick(words.fileNames);
  const content = index === 0 ? words.fileTexts[0] : random.pick(words.fileTexts);
  add(
    {
      Id: idOf(making, 'attachment', index),
      CreationDate: CreatedAt,
      // A file that is added changes its activity.
      ModificationDate: ModifiedAt === unset ? CreatedAt : ModifiedAt,
      FileName,
      ...(random.percent(50) ? { Description: 'Toegevoegd door de klant' } : {}),
      Version: '1.0',
      Extension: '.txt',
      ExternalDmsType: 0,
      ...(random.percent(10) ? { ExternalDmsId: '' } : {}),
      Base64EncodedFile: Buffer.from(content, 'utf8').toString('base64'),
    },
    {
      ActivityId: idOf(making, 'activity', index * attachmentEvery),
      ActivitySeq: index * attachmentEvery + 1,
    },
  );
};

const marked = (plan: Plan, index: number, random: Random) => ({
  relationship: index === 0 ? 1 : random.below(plan.counts.relationships),
  day: moment(random, 2020 + random.below(6)),
});

/** How the index-th mark of a relationship is made. */
export const markMaker: Maker<typeof PvRelationshipMarkData> = {
  record: PvRelationshipMarkData,
  keys: (plan, index) => {
    const { relationship, day } = marked(plan, index, plan.random('relationshipMark', index));
    return { DateKey: instantKey(day) ?? '', RelationshipSeq: relationship + 1 };
  },
  whole: (plan, index) => {
    const random = plan.random('relationshipMark', index);
    const { relationship, day } = marked(plan, index, random);
    return {
      Id: random.guid(),
      RelationshipId: idOf(plan, 'relationship', relationship),
      RelationshipDescription: descriptionOf(plan, bond(plan, relationship)),
      MarkId: knownId('mark', 1 + random.below(marks.length)),
      PreferredAddress: AddressType.values[random.below(AddressType.values.length)] ?? 'PostAddress',
      Date: day,
    };
  },
};

/** So many first activities all have a notification, so that each location has some at every size. */
const firstReported = 6;

const addNotifications = (making: Making): void => {
  const add = adder(making, PvNotificationData);
  const { activities } = making.counts;
  for (let index = 0; index < activities; index += index < firstReported ? 1 : 4) {
    const { place: ActivityLocation, ownerId: UserId } = activityFacts(making, index);
    add(
      { Id: making.random('notification', index).guid(), ActivityLocation },
      { ActivityId: idOf(making, 'activity', index), UserId, ActivitySeq: index + 1 },
    );
  }
};

/** Makes the records that belong to activities and relationships. */
export function addAttached(making: Making): void {
  const { activities } = making.counts;
  const involved = indexAdder(making, involvedMaker);
  const line = indexAdder(making, lineMaker);
  const attachment = adder(making, Attachment);
  for (let index = 0; index < activities; index += 1) {
    making.report('lines and parties of activities', index, activities);
    if (index % involvedEvery === 0) involved(index / involvedEvery);
    if (index % lineEvery === 0) line(index / lineEvery);
  }
  for (let index = 0; index * attachmentEvery < activities; index += 1) addAttachment(making, attachment, index);
  addLabels(making);
  const mark = indexAdder(making, markMaker);
  for (let index = 0; index < making.counts.relationshipMarks; index += 1) {
    making.report('marks', index, making.counts.relationshipMarks);
    mark(index);
  }
  addNotifications(making);
}
