import type { Lots } from '../disk.js';
import { idOf } from '../schedule.js';
import { escaped } from '../soap.js';

/** A record as the service sends it, and as NDJSON has it. */
export interface Sent {
  readonly id: string;
  readonly xml: string;
  readonly json: string;
}

/** What a member may be: `undefined` is absent. */
type Member = string | boolean | number | null | undefined;

const element = (name: string, value: Member): string => {
  if (value === undefined) return '';
  return value === null
    ? `<${name} xsi:nil="true" />`
    : `<${name}>${escaped(String(value)).replaceAll('"', '&quot;')}</${name}>`;
};

const xmlOf = (members: Readonly<Record<string, Member>>): string =>
  Object.entries(members)
    .map(([name, value]) => element(name, value))
    .join('');

/** A text member in one of the ways in which a service may send it; some have letters that an index has to fold. */
function textOf(lots: Lots, usual: string): Member {
  const all: readonly Member[] = [usual, usual, `${usual} & <b>`, `Zoë ﬁ ${usual} 😀`, '', null, undefined];
  return all[lots(all.length)];
}

interface Item {
  readonly xml: string;
  readonly json: string;
}

const itemOf = (name: string, members: Readonly<Record<string, Member>>): Item => ({
  xml: `<${name}>${xmlOf(members)}</${name}>`,
  json: JSON.stringify(members),
});

/** Adds a list as the last member of a record. */
function withList(members: Readonly<Record<string, Member>>, path: readonly string[], items: readonly Item[]): Item {
  const wrap = (name: string, content: string): string => `<${name}>${content}</${name}>`;
  const xml = path.reduceRight((content, name) => wrap(name, content), items.map((item) => item.xml).join(''));
  const all = `[${items.map((item) => item.json).join(',')}]`;
  const json = path.reduceRight((content, name) => `{${JSON.stringify(name)}:${content}}`, all);
  const own = JSON.stringify(members);
  const joined = own === '{}' ? json : `${own.slice(0, -1)},${json.slice(1)}`;
  return { xml: xmlOf(members) + xml, json: joined };
}

/** Makes a record of a list: of the same number and version it may be another each time. */
export type Make = (number: number, version: number, lots: Lots) => Sent;

const relationId = (number: number): string => idOf(40, number);

const relationMembers = (number: number, version: number, lots: Lots): Record<string, Member> => ({
  Id: relationId(number),
  EntityTypeId: idOf(1, 1 + lots(2)),
  Info: textOf(lots, `info ${version}`),
  SortingName: textOf(lots, `name ${number}`),
  DisplayName: `Name ${number}.${version}`,
  IsRoot: lots(2) === 0,
  IsDummy: false,
  ImportKey: `0${number}`,
  IsInactive: false,
});

/** A relation; one that changes may have fewer values of fields than before. */
export const relation: Make = (number, version, lots) => {
  const members = relationMembers(number, version, lots);
  const items = Array.from({ length: lots(3) }, (_, at) =>
    itemOf('PvFieldValueData', { Id: idOf(2, at + 1), Value: textOf(lots, `value ${version}`) }),
  );
  const { xml, json } = withList(members, ['FieldValues', 'Items'], items);
  return { id: relationId(number), xml: `<PvRelationData>${xml}</PvRelationData>`, json };
};

/** An entry of a telephone book: two numbers have the same relation. */
export const entry: Make = (number, version, lots) => {
  const id = relationId(Math.floor(number / 2));
  const members = { ...relationMembers(number, version, lots), Id: id };
  const items = Array.from({ length: lots(3) }, (_, at) =>
    itemOf('PvTelephoneNumberData', { Id: idOf(3, at + 1), Value: `+31 20 555 ${1000 + number}${version % 10}` }),
  );
  const numbers = withList({}, ['TelephoneNumbers'], items);
  const xml = `<TelephoneBookEntry><relation>${xmlOf(members)}</relation>${numbers.xml}</TelephoneBookEntry>`;
  return { id, xml, json: `{"relation":${JSON.stringify(members)},${numbers.json.slice(1)}` };
};

/** A mark; some have no Id, and are told apart by their content. */
export const mark: Make = (number, version, lots) => {
  const id = number % 5 === 4 ? undefined : idOf(50, number);
  const members = {
    ...{ Id: id, Category: textOf(lots, 'kind'), Name: `Mark ${number}.${version}` },
    ...{ ExternalDescription: textOf(lots, `words ${version}`), IsInactive: lots(2) === 0, Type: lots(3) },
  };
  return { id: id ?? '', xml: `<PvMarkData>${xmlOf(members)}</PvMarkData>`, json: JSON.stringify(members) };
};

/** A mark of a relation, which shows its version. */
export const relationMark = (of: string, number: number, version: number): Sent => {
  const id = idOf(60, Number(of.slice(-6)) * 10 + number);
  const members = { Id: id, RelationshipDescription: `version ${version}`, MarkId: idOf(50, number) };
  const text = xmlOf(members);
  return {
    id,
    xml: `<PvRelationshipMarkData>${text}</PvRelationshipMarkData>`,
    json: JSON.stringify(members),
  };
};
