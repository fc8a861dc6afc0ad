import { PvInvolvedData, ProductLineData } from '../../contract/records/activity.js';
import { Attachment } from '../../contract/records/attachment.js';
import { PvRelationshipMarkData } from '../../contract/records/mark.js';
import { PvNotificationData } from '../../contract/records/notification.js';
import { PvLabelItemData } from '../../contract/records/shared.js';
import { AddressType } from '../../contract/enumerations.js';
import { instantKey } from '../store/instant.js';
import { activityFacts } from './activities.js';
import { entityTypeId, vatRates } from './catalogue.js';
import { fieldId } from './fields.js';
import { identity, idOf } from './identity.js';
import { emptyId, knownId } from './known.js';
import { adder, type Making } from './making.js';
import { marks } from './marks.js';
import { moment } from './moments.js';
import { price, productIdOf } from './products.js';
import type { Random } from './random.js';
import { bond } from './relationships.js';

const words = ['VIP', 'Let op', 'Nabellen', 'R&D', 'Łatwe', '2e keus', 'Spoed!'] as const;

/** Numbers of labels are 64-bit: the first ones are near the end of that range, where a double cannot tell them apart. */
const firstLabel = 9_223_372_036_854_770_000n;

type AddLabel = ReturnType<typeof adder<typeof PvLabelItemData>>;

const labelsOf = (
  add: AddLabel,
): ((
  label: { readonly RecordId: string; readonly FieldId: string; readonly random: Random },
  type: 'ActivityField' | 'RelationshipField',
) => void) => {
  let made = 0n;
  return ({ RecordId, FieldId, random }, Type) => {
    for (let count = 1 + random.below(3); count > 0; count -= 1) {
      const Id = String(made % 2n === 0n ? firstLabel + made : made);
      made += 1n;
      add({ Id, RecordId, FieldId, DatastoreId: emptyId, Type, Text: random.pick(words) });
    }
  };
};

const addLabels = (making: Making): void => {
  const label = labelsOf(adder(making, PvLabelItemData));
  for (let index = 0; index < making.counts.activities; index += 4) {
    const facts = activityFacts(making, index);
    const random = making.random('label/activity', index);
    label({ RecordId: facts.id, FieldId: fieldId(facts.workflow.entityType, 'Tags'), random }, 'ActivityField');
  }
  for (let index = 1; index < making.counts.relationships; index += 5) {
    const random = making.random('label/relationship', index);
    label(
      { RecordId: idOf(making, 'relationship', index), FieldId: fieldId(3, 'Interests'), random },
      'RelationshipField',
    );
  }
};

const addInvolved = (making: Making, add: ReturnType<typeof adder<typeof PvInvolvedData>>, index: number): void => {
  const random = making.random('involved', index);
  const facts = activityFacts(making, index);
  add({
    Id: random.guid(),
    ...(random.percent(90) ? { Type: random.pick(['Uitvoerder', 'Opdrachtgever', 'Contactpersoon & partner']) } : {}),
    EntityTypeId: entityTypeId(3),
    ActivityId: facts.id,
    RelationshipId: idOf(making, 'relationship', facts.relationshipIndex),
  });
};

const addProductLine = (making: Making, add: ReturnType<typeof adder<typeof ProductLineData>>, index: number): void => {
  const random = making.random('productLine', index);
  const whole = 1 + random.below(20);
  const cents = 1 + random.below(50_000);
  const total = whole * cents;
  const money = (amount: number): string => `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;
  add(
    {
      Id: random.guid(),
      Quantity: `${whole}.000`,
      Amount: money(cents),
      TotalAmount: money(total),
      PurchaseAmount: price(random),
      VatId: knownId('vat', 1 + random.below(vatRates.length)),
      ProductId: productIdOf(making, random.below(making.counts.products)),
      ...(random.percent(50) ? { Description: 'Volgens offerte <A&B>' } : {}),
      Period: random.pick([0, 1, 12]),
    },
    { ActivityId: idOf(making, 'activity', index) },
  );
};

const texts = ['Notulen van het overleg.\r\n', 'a;b;c\r\n1;2;3\r\n', '', '\u{1F4CE} bijlage\n'] as const;
const fileNames = [
  'notulen.txt',
  'Offerte (definitief) ëï.txt',
  'leeg.txt',
  '../../etc/passwd.txt',
  'CON.txt',
] as const;

const addAttachment = (making: Making, add: ReturnType<typeof adder<typeof Attachment>>, index: number): void => {
  const random = making.random('attachment', index);
  const FileName = index === 0 ? 'notulen.txt' : random.pick(fileNames);
  const content = index === 0 ? texts[0] : random.pick(texts);
  add(
    {
      Id: idOf(making, 'attachment', index),
      CreationDate: moment(random, 2022),
      ModificationDate: moment(random, 2024),
      FileName,
      ...(random.percent(50) ? { Description: 'Toegevoegd door de klant' } : {}),
      Version: '1.0',
      Extension: '.txt',
      ExternalDmsType: 0,
      ...(random.percent(10) ? { ExternalDmsId: '' } : {}),
      Base64EncodedFile: Buffer.from(content, 'utf8').toString('base64'),
    },
    { ActivityId: idOf(making, 'activity', index * 8) },
  );
};

const addRelationshipMarks = (making: Making): void => {
  const add = adder(making, PvRelationshipMarkData);
  for (let index = 0; index < making.counts.relationshipMarks; index += 1) {
    const random = making.random('relationshipMark', index);
    const relationship = index === 0 ? 1 : random.below(making.counts.relationships);
    const day = moment(random, 2019 + random.below(7));
    add(
      {
        Id: random.guid(),
        RelationshipId: idOf(making, 'relationship', relationship),
        RelationshipDescription: identity(making, bond(making, relationship).child).displayName,
        MarkId: knownId('mark', 1 + random.below(marks.length)),
        PreferredAddress: AddressType.values[random.below(AddressType.values.length)] ?? 'PostAddress',
        Date: day,
      },
      { DateKey: instantKey(day) ?? '' },
    );
  }
};

/** The first activities are spread over the three locations of the first user, so that each has some at every size. */
const locations = ['Queue', 'Todo', 'Closed'] as const;

const addNotifications = (making: Making): void => {
  const add = adder(making, PvNotificationData);
  const { activities } = making.counts;
  for (let index = 0; index < activities; index += index < 6 ? 1 : 4) {
    const facts = activityFacts(making, index);
    const ActivityLocation = index < 6 ? (locations[index % 3] ?? 'Todo') : facts.place;
    const UserId = index < 6 ? knownId('user', 1) : facts.ownerId;
    add({ Id: making.random('notification', index).guid(), ActivityLocation }, { ActivityId: facts.id, UserId });
  }
};

/** Makes what hangs on activities and relationships. */
export function addAttached(making: Making): void {
  const { activities } = making.counts;
  const involved = adder(making, PvInvolvedData);
  const line = adder(making, ProductLineData);
  const attachment = adder(making, Attachment);
  for (let index = 0; index < activities; index += 3) addInvolved(making, involved, index);
  for (let index = 0; index < activities; index += 2) addProductLine(making, line, index);
  for (let index = 0; index * 8 < activities; index += 1) addAttachment(making, attachment, index);
  addLabels(making);
  addRelationshipMarks(making);
  addNotifications(making);
}
