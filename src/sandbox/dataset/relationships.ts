import { AddressStyle, AddressType } from '../../contract/enumerations.js';
import { PvLineData, PvRelationshipData } from '../../contract/records/relation.js';
import { entityTypeId, titles } from './catalogue.js';
import { fieldId, emptyId, knownId } from './known.js';
import { identity, idOf, isOrganisation, organisationBefore, personBefore, type Identity } from './people.js';
import {
  type Add,
  adder,
  fieldValues,
  type RecordInput,
  indexAdder,
  type Maker,
  type Making,
  type Plan,
  type Writable,
} from './making.js';
import { type Random, words, audit, moment } from './random.js';

/** Who is bound to whom: indexes of relations. */
export interface Bond {
  readonly parent: number;
  readonly child: number;
  readonly employee: boolean;
}

/**
 * The bond of the index-th relationship. The first ones bind each relation to an organisation (an organisation to the
 * root, a person to the organisation it is a contact of); those after them are persons who work for the root.
 */
export function bond(making: Plan, index: number): Bond {
  const { relations } = making.counts;
  if (index >= relations) return { parent: 0, child: personBefore((index - relations) * 10 + 6), employee: true };
  if (isOrganisation(index)) return { parent: 0, child: index, employee: false };
  // The first person belongs to the first organisation beside the root: the known ids promise it.
  if (index === 1) return { parent: 2, child: 1, employee: false };
  return { parent: organisationBefore(making.random('employer', index).below(index)), child: index, employee: false };
}

const drawLetters = (who: Identity, random: Random) => {
  if (who.organisation) return { addressing: who.displayName, opening: 'Geachte dames en heren,' };
  const woman = random.percent(50);
  return {
    addressing: `${woman ? 'Mevrouw' : 'De heer'} ${who.firstName.charAt(0)}. ${who.lastName}\r\n${who.city}`,
    opening: random.percent(85) ? `Geachte ${woman ? 'mevrouw' : 'heer'} ${who.lastName},` : undefined,
  };
};

const valuesOf = (tie: Bond, who: Identity, random: Random): ReturnType<typeof fieldValues> =>
  tie.employee
    ? fieldValues([
        [fieldId(5, 'Department'), random.pick(['Verkoop', 'Techniek & service', 'Administratie'])],
        [fieldId(5, 'Hours'), random.pick(['36', '24.5', '40.00'])],
      ])
    : fieldValues([
        [fieldId(3, 'Function'), who.organisation ? undefined : random.pick(words.functions)],
        [fieldId(3, 'DirectMail'), random.percent(50) ? who.email() : undefined],
      ]);

/** Words about the index-th relationship: who it is about, and with whom. */
export const descriptionOf = (making: Plan, tie: Bond): string =>
  `${identity(making, tie.child).displayName} (${identity(making, tie.parent).displayName})`;

const drawPreferred = (random: Random) => ({
  address: AddressType.values[random.below(AddressType.values.length)] ?? 'PostAddress',
  style: AddressStyle.values[random.below(AddressStyle.values.length)] ?? 'Formal',
});

const titleOf = (who: Identity, random: Random): string | null => {
  if (who.organisation) return null;
  return random.percent(10) ? emptyId : knownId('title', 1 + random.below(titles.length));
};

const wholeAt = (plan: Plan, index: number, withValues: boolean): RecordInput<typeof PvRelationshipData> => {
  const random = plan.random('relationship', index);
  const tie = bond(plan, index);
  const who = identity(plan, tie.child);
  const city = random.percent(90) ? who.city : undefined;
  const preferred = drawPreferred(random);
  const letters = drawLetters(who, random);
  const variant = random.percent(30);
  const record: Writable<RecordInput<typeof PvRelationshipData>> = {
    Id: idOf(plan, 'relationship', index),
    ParentRelationId: idOf(plan, 'relation', tie.parent),
    ChildRelationId: idOf(plan, 'relation', tie.child),
    EntityTypeId: entityTypeId(tie.employee ? 5 : 3),
    Description: descriptionOf(plan, tie),
    DisplayName: who.displayName,
    SortingName: who.sortingName,
    IsContact: !tie.employee && !who.organisation,
    IsEmployee: tie.employee,
    IsOrganisation: who.organisation,
    PreferredAddress: preferred.address,
    AddresStyle: preferred.style,
    Addressing: letters.addressing,
    TittleId: titleOf(who, random),
    AccountManagerId: random.percent(70) ? knownId('user', 1 + random.below(4)) : null,
    IsInactive: random.percent(5),
    OptOut: random.percent(15),
    AuditData: audit(random),
  };
  // Members are added one by one, as of relations.
  if (city !== undefined) record.DisplayCity = city;
  if (letters.opening !== undefined) record.Openening = letters.opening;
  if (variant) {
    record.AddressingVariant = who.displayName;
    record.OpeneningVariant = `Beste ${who.firstName === '' ? 'relatie' : who.firstName},`;
  }
  if (withValues) record.FieldValues = valuesOf(tie, who, random);
  return record;
};

/** How the index-th relationship is made. */
export const relationshipMaker: Maker<typeof PvRelationshipData> = {
  record: PvRelationshipData,
  keys: (plan, index) => {
    const { parent, child } = bond(plan, index);
    return { Id: idOf(plan, 'relationship', index), ParentSeq: parent + 1, ChildSeq: child + 1 };
  },
  whole: wholeAt,
};

const addLine = (making: Making, add: Add<typeof PvLineData>, index: number): void => {
  const random = making.random('line', index);
  const relationship = 1 + index * 8;
  add(
    {
      Id: idOf(making, 'line', index),
      FieldValues: fieldValues([
        [fieldId(4, 'Course'), random.pick(words.courses)],
        [fieldId(4, 'Finished'), random.percent(70) ? moment(random, 2018 + random.below(8)) : undefined],
      ]),
    },
    {
      RelationshipId: idOf(making, 'relationship', relationship),
      RelationshipSeq: relationship + 1,
      EntityTypeId: entityTypeId(4),
      DatastoreId: entityTypeId(23),
    },
  );
};

/** Makes the relationships and the lines on them. */
export function addRelationships(making: Making): void {
  const add = indexAdder(making, relationshipMaker);
  const { relationships } = making.counts;
  for (let index = 0; index < relationships; index += 1) {
    making.report('relationships', index, relationships);
    add(index);
  }
  const addOne = adder(making, PvLineData);
  for (let index = 0; 1 + index * 8 < making.counts.relationships; index += 1) addLine(making, addOne, index);
}
