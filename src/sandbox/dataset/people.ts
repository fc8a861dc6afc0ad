import { type KnownGroup, fieldId, knownId } from './known.js';
import {
  type RecordInput,
  type Maker,
  type Making,
  type Plan,
  type Writable,
  fieldValues,
  indexAdder,
} from './making.js';
import { type Random, words, moment } from './random.js';
import { PvRelationData, PvTelephoneNumberData } from '../../contract/records/relation.js';
import { entityTypeId, sbiCodes } from './catalogue.js';
import data from './data/odd.json' with { type: 'json' };

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

const numbersOf = (relation: number, random: Random): number =>
  // The first person always has some: the known ids promise it.
  relation === 1 ? mostNumbers : random.below(mostNumbers + 1);

type TelephoneNumber = RecordInput<typeof PvTelephoneNumberData>;

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
    let number = telephoneNumber(random);
    for (let at = index % mostNumbers; at > 0; at -= 1) number = telephoneNumber(random);
    return number;
  },
};

/** How the index-th relation is made. */
export const relationMaker: Maker<typeof PvRelationData> = {
  record: PvRelationData,
  keys: (plan, index) => ({ Id: idOf(plan, 'relation', index) }),
  whole: (plan, index, withValues) => {
    const random = plan.random('relation', index);
    const who = identity(plan, index);
    const { odd } = who;
    const info = oddOr(odd.Info, random.percent(20) ? 'Relatie sinds de beurs; zie dossier.' : null);
    const importKey = oddOr(odd.ImportKey, random.percent(60) ? String(100_000 + index) : null);
    // Members are added one by one: spreads cost more than all the rest, for every relation of a page.
    const record: Writable<RecordInput<typeof PvRelationData>> = {
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
    making.report('relations', index, making.counts.relations);
    addRelation(index);
    const count = numbersOf(index, making.random('telephone', index));
    for (let at = 0; at < count; at += 1) addNumber(index * mostNumbers + at);
  }
}

/** The first of each family have fixed ids; the rest are drawn, so that no program can count on their order. */
const fixed = 3;

/** Id of the index-th record of a family, counted from 0. Any part of the data set can name any record of another. */
export function idOf(making: Plan, family: KnownGroup, index: number): string {
  return index < fixed ? knownId(family, index + 1) : making.random(`id/${family}`, index).guid();
}

/** What a relation is: three persons to two organisations; the first is the organisation that owns the database. */
export const isOrganisation = (index: number): boolean => index === 0 || index % 5 === 2 || index % 5 === 4;

/** The organisation at an index, or the nearest one before it. */
export const organisationBefore = (index: number): number => {
  let at = index;
  while (!isOrganisation(at)) at -= 1;
  return at;
};

/** The person at an index, or the nearest one before it; 1 is the first. */
export const personBefore = (index: number): number => {
  let at = Math.max(index, 1);
  while (isOrganisation(at) && at > 1) at -= 1;
  return at;
};

/** The names of a relation. */
export interface Identity {
  readonly organisation: boolean;
  readonly displayName: string;
  readonly sortingName: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Made when it is asked for: most uses of an identity are for a name. */
  readonly email: () => string;
  readonly city: string;
  readonly odd: OddRelation;
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[^a-zA-Z0-9]+/g, '')
    .toLowerCase();

const organisation = (random: Random, index: number): Identity => {
  const odd = oddRelations[index] ?? {};
  const drawn = [random.pick(words.tradeNames), random.pick(words.trades), random.pick(words.legalForms)];
  const parts = index === 0 ? ['Sandbox & Zonen B.V.'] : drawn.filter((part) => part !== '');
  const name = parts.join(' ');
  return {
    organisation: true,
    displayName: odd.DisplayName ?? name,
    sortingName: odd.SortingName ?? name.toUpperCase(),
    firstName: '',
    lastName: name,
    email: () => `info@${parts.map(plain).join('')}-${index}.example`,
    city: random.pick(words.cities),
    odd,
  };
};

const person = (random: Random, index: number): Identity => {
  const odd = oddRelations[index] ?? {};
  const firstName = random.pick(words.firstNames);
  const prefix = random.pick(words.prefixes);
  const family = random.pick(words.lastNames);
  const lastName = prefix === '' ? family : `${prefix} ${family}`;
  return {
    organisation: false,
    displayName: odd.DisplayName ?? `${firstName} ${lastName}`,
    sortingName: odd.SortingName ?? `${family}${prefix === '' ? '' : `, ${prefix}`}, ${firstName}`,
    firstName,
    lastName,
    email: () => `${plain(firstName)}.${plain(family)}.${index}@mail.example`,
    city: random.pick(words.cities),
    odd,
  };
};

/** Who the index-th relation is; the same each time, so that relationships can name it without looking it up. */
export function identity(making: Plan, index: number): Identity {
  const random = making.random('identity', index);
  return isOrganisation(index) ? organisation(random, index) : person(random, index);
}

/** What is odd about a relation: members that replace the usual ones. null: the member is left out. */
interface OddRelation {
  readonly DisplayName?: string;
  readonly SortingName?: string;
  readonly Info?: string | null;
  readonly ImportKey?: string | null;
  readonly IsDummy?: true;
  readonly IsInactive?: true;
  readonly fields?: 'none';
}

const longText = 'Een lange notitie die nergens ophoudt; met “aanhalingstekens”, & en <haken>. '.repeat(450).trimEnd();

/** Relations that show what real data holds, by index: each has made some program fail. */
const oddRelations = { ...data, 12: { Info: longText } } as Readonly<Record<number, OddRelation>>;
