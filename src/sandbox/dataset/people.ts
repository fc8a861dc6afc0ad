import { PvRelationData, PvTelephoneNumberData } from '../../contract/records/relation.js';
import { entityTypeId, sbiCodes } from './catalogue.js';
import { fieldId } from './fields.js';
import { identity, idOf, type Identity, indexOfId } from './identity.js';
import { knownId } from './known.js';
import { fieldValues, type Given, indexAdder, type Maker, type Making, type Writable } from './making.js';
import { moment } from './moments.js';
import type { Random } from './random.js';
import { words } from './words.js';

const personFields = (who: Identity, random: Random): ReturnType<typeof fieldValues> =>
  fieldValues([
    [fieldId(1, 'FirstName'), who.firstName],
    [fieldId(1, 'LastName'), who.lastName],
    [fieldId(1, 'Email'), random.percent(90) ? who.email() : undefined],
    [fieldId(1, 'BirthDate'), random.percent(40) ? moment(random, 1940 + random.below(65)) : undefined],
    [fieldId(1, 'City'), who.city],
    [fieldId(1, 'Newsletter'), random.percent(50) ? random.pick(['True', 'False']) : undefined],
  ]);

const organisationFields = (who: Identity, random: Random): ReturnType<typeof fieldValues> =>
  fieldValues([
    [fieldId(2, 'Name'), who.displayName],
    [fieldId(2, 'Email'), random.percent(80) ? who.email() : undefined],
    [fieldId(2, 'Website'), random.percent(50) ? `https://www.${who.email().slice(5)}/?a=1&b=2` : undefined],
    [fieldId(2, 'Industry'), knownId('datastoreItem', 2101 + random.below(10))],
    [fieldId(2, 'SbiCode'), knownId('sbiCode', 1 + random.below(sbiCodes.length))],
    [fieldId(2, 'Employees'), random.percent(60) ? String(random.below(5000)) : undefined],
    [fieldId(2, 'City'), who.city],
  ]);

const fieldsOf = (who: Identity, random: Random): ReturnType<typeof fieldValues> =>
  who.organisation ? organisationFields(who, random) : personFields(who, random);

/** What is odd about a member, or what is usual; null: there is none. */
const oddOr = (odd: string | null | undefined, usual: string | null): string | null =>
  odd === undefined ? usual : odd;

/** A relation has so many telephone numbers at most; they are counted as if each had as many. */
const mostNumbers = 2;

/** How many telephone numbers a relation has, from the beginning of their stream. */
const numbersOf = (relation: number, random: Random): number =>
  // The first person always has some: the known ids promise it.
  relation === 1 ? mostNumbers : random.below(mostNumbers + 1);

type TelephoneNumber = Given<typeof PvTelephoneNumberData>;

const telephoneNumber = (random: Random): TelephoneNumber => {
  const mobile = random.percent(50);
  const Id = random.guid();
  const described = random.percent(30);
  const number: Writable<TelephoneNumber> = {
    Id,
    Type: mobile ? 'Mobile' : 'Phone',
    Name: mobile ? 'Mobiel' : 'Telefoon',
    Field: mobile ? 'MobileNumber' : 'PhoneNumber',
    Value: random.pick(words.telephoneNumbers),
  };
  if (described) number.Description = 'Alleen ’s ochtends';
  return number;
};

/** How the index-th telephone number is made; not every index has one. */
export const numberMaker: Maker<typeof PvTelephoneNumberData> = {
  record: PvTelephoneNumberData,
  keys: (_, index) => ({ RelationSeq: Math.floor(index / mostNumbers) + 1 }),
  extra: (plan, index) => ({ RelationId: idOf(plan, 'relation', Math.floor(index / mostNumbers)) }),
  whole: (plan, index) => {
    const relation = Math.floor(index / mostNumbers);
    const random = plan.random('telephone', relation);
    numbersOf(relation, random);
    let found = telephoneNumber(random);
    for (let at = index % mostNumbers; at > 0; at -= 1) found = telephoneNumber(random);
    return found;
  },
};

/** How the index-th relation is made. */
export const relationMaker: Maker<typeof PvRelationData> = {
  record: PvRelationData,
  keys: () => ({}),
  indexOf: (plan, id) => indexOfId(plan, 'relation', id),
  whole: (plan, index, withValues) => {
    const random = plan.random('relation', index);
    const who = identity(plan, index);
    const { odd } = who;
    const info = oddOr(odd.Info, random.percent(20) ? 'Relatie sinds de beurs; zie dossier.' : null);
    const importKey = oddOr(odd.ImportKey, random.percent(60) ? String(100_000 + index) : null);
    // Members are added one by one: spreads cost more than all the rest, for every relation of a page.
    const record: Writable<Given<typeof PvRelationData>> = {
      Id: idOf(plan, 'relation', index),
      EntityTypeId: entityTypeId(who.organisation ? 2 : 1),
      SortingName: who.sortingName,
      DisplayName: who.displayName,
      IsRoot: index === 0,
      IsDummy: odd.IsDummy ?? false,
      IsInactive: odd.IsInactive ?? random.percent(5),
    };
    if (info !== null) record.Info = info;
    if (importKey !== null) record.ImportKey = importKey;
    if (withValues && odd.fields !== 'none') record.FieldValues = fieldsOf(who, random);
    return record;
  },
};

/** Makes the relations and their telephone numbers. */
export function addRelations(making: Making): void {
  const addRelation = indexAdder(making, relationMaker);
  const addNumber = indexAdder(making, numberMaker);
  for (let index = 0; index < making.counts.relations; index += 1) {
    making.tell('relations', index, making.counts.relations);
    addRelation(index);
    const count = numbersOf(index, making.random('telephone', index));
    for (let at = 0; at < count; at += 1) addNumber(index * mostNumbers + at);
  }
}
