import data from './data/odd.json' with { type: 'json' };
import { type KnownGroup, knownId } from './known.js';
import type { Plan } from './making.js';
import type { Random } from './random.js';
import { words } from './words.js';

/** The first of each family have fixed ids; the rest are drawn, so that no program can count on their order. */
const fixed = 3;

/** Id of the index-th record of a family, counted from 0. Any part of the data set can name any record of another. */
export function idOf(making: Plan, family: KnownGroup, index: number): string {
  return index < fixed ? knownId(family, index + 1) : making.random(`id/${family}`, index).guid();
}

/** The index of the record of a family that has an id; undefined for an id that no record has, however many there are. */
export function indexOfId(plan: Plan, family: KnownGroup, id: string): number | undefined {
  for (let index = 0; index < fixed; index += 1) if (id === knownId(family, index + 1)) return index;
  const index = plan.indexOf(`id/${family}`, id);
  return index >= fixed && idOf(plan, family, index) === id ? index : undefined;
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

const plainTexts = new Map<string, string>();

/** The letters and digits of a word of a name, for an address. Kept, for there are a few hundred words. */
const plain = (text: string): string => {
  let found = plainTexts.get(text);
  if (found === undefined) {
    found = text
      .normalize('NFD')
      .replace(/[^a-zA-Z0-9]+/g, '')
      .toLowerCase();
    plainTexts.set(text, found);
  }
  return found;
};

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
  /** Has no field values at all. */
  readonly fields?: 'none';
}

const longText = 'Een lange notitie die nergens ophoudt; met “aanhalingstekens”, & en <haken>. '.repeat(450).trimEnd();

/** Relations that show what real data holds, by index: each has made some program fail. */
const oddRelations = { ...data, 12: { Info: longText } } as Readonly<Record<number, OddRelation>>;
