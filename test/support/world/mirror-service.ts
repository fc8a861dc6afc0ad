import type { Lots } from './disk.js';
import { idOf } from './schedule.js';
import {
  escaped,
  drawnFate,
  type Answer,
  type Fate,
  type Service,
  busyAnswer,
  elementIn,
  operationIn,
  refusal,
  resultOf,
} from './network.js';

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
type Make = (number: number, version: number, lots: Lots) => Sent;

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
const relation: Make = (number, version, lots) => {
  const members = relationMembers(number, version, lots);
  const items = Array.from({ length: lots(3) }, (_, at) =>
    itemOf('PvFieldValueData', { Id: idOf(2, at + 1), Value: textOf(lots, `value ${version}`) }),
  );
  const { xml, json } = withList(members, ['FieldValues', 'Items'], items);
  return { id: relationId(number), xml: `<PvRelationData>${xml}</PvRelationData>`, json };
};

/** An entry of a telephone book: two numbers have the same relation. */
const entry: Make = (number, version, lots) => {
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
const mark: Make = (number, version, lots) => {
  const id = number % 5 === 4 ? undefined : idOf(50, number);
  const members = {
    ...{ Id: id, Category: textOf(lots, 'kind'), Name: `Mark ${number}.${version}` },
    ...{ ExternalDescription: textOf(lots, `words ${version}`), IsInactive: lots(2) === 0, Type: lots(3) },
  };
  return { id: id ?? '', xml: `<PvMarkData>${xmlOf(members)}</PvMarkData>`, json: JSON.stringify(members) };
};

/** A mark of a relation, which shows its version. */
const relationMark = (of: string, number: number, version: number): Sent => {
  const id = idOf(60, Number(of.slice(-6)) * 10 + number);
  const members = { Id: id, RelationshipDescription: `version ${version}`, MarkId: idOf(50, number) };
  const text = xmlOf(members);
  return {
    id,
    xml: `<PvRelationshipMarkData>${text}</PvRelationshipMarkData>`,
    json: JSON.stringify(members),
  };
};

/** A list as it was from one change to the next. */
export interface Moment {
  readonly records: readonly Sent[];
  /** How often rows were taken out or moved until then: a reading of pages may miss others. */
  readonly moved: number;
  /** How often an answer did not show what is there. */
  readonly odd: number;
}

interface Row {
  readonly number: number;
  readonly version: number;
  readonly sent: Sent;
}

/** A list that changes, with all that it ever was. */
class ModelList {
  readonly #make: Make;
  readonly #lots: Lots;
  #rows: Row[] = [];
  #gone: Row[] = [];
  #made = 0;
  #moved = 0;
  #odd = 0;
  readonly history: Moment[] = [];
  /** Where its history was when its first page was sent last. */
  readFrom = 0;

  constructor(make: Make, lots: Lots, most: number) {
    this.#make = make;
    this.#lots = lots;
    for (let count = lots(most); count > 0; count -= 1) this.#insert();
    this.#keep();
  }

  get records(): readonly Sent[] {
    return this.history.at(-1)?.records ?? [];
  }

  #insert(): void {
    const back = this.#lots(2) === 0 ? this.#gone.pop() : undefined;
    if (back === undefined) this.#made += 1;
    const row = back ?? { number: this.#made, version: 1, sent: this.#make(this.#made, 1, this.#lots) };
    this.#rows.splice(this.#lots(this.#rows.length + 1), 0, row);
  }

  #keep(): void {
    this.history.push({ records: this.#rows.map(({ sent }) => sent), moved: this.#moved, odd: this.#odd });
  }

  /** An answer does not show what is there. */
  hide(): void {
    this.#odd += 1;
    this.#keep();
  }

  /** A row comes, goes, moves or changes; one that went may come again. Gives what happened in words. */
  change(): string {
    const lots = this.#lots;
    const at = lots(Math.max(1, this.#rows.length));
    const row = this.#rows[at];
    const act = row === undefined ? 0 : lots(5);
    if (row === undefined || act === 0) {
      this.#insert();
    } else if (act === 1 || act === 2) {
      this.#rows.splice(at, 1);
      this.#moved += 1;
      if (act === 1) this.#gone.push(row);
      else this.#rows.splice(lots(this.#rows.length + 1), 0, row);
    } else {
      const version = row.version + 1;
      this.#rows[at] = { ...row, version, sent: this.#make(row.number, version, lots) };
    }
    this.#keep();
    return ['a row comes', 'a row goes', 'a row moves', 'a row changes', 'a row changes'][act] ?? '';
  }
}

/** What a service is like in a run: of a hundred calls so many meet with something. */
export interface Weather {
  readonly faults: number;
  readonly busy: number;
  readonly refusals: number;
  /** A list is changed just before a call is answered. */
  readonly changes: number;
  /** An answer is no list, or an empty one. */
  readonly odd: number;
  /** A request may come after its client has given it up. */
  readonly isLate: boolean;
}

/** Weather in which nothing goes wrong. */
export const calm: Weather = { faults: 0, busy: 0, refusals: 0, changes: 0, odd: 0, isLate: false };

/** Tables of lists that are swapped whole. */
export const listed = ['relations', 'telephone_book', 'marks'] as const;

/** A table of those. */
export type Listed = (typeof listed)[number];

/** Where the list of a table comes from. */
const listOf: Readonly<Record<string, readonly [Listed, string]>> = {
  RelationGetAll: ['relations', 'Relations'],
  RelationGetTelephoneBook_V2: ['telephone_book', 'TelephoneBookEntries'],
  MarkGetAll: ['marks', 'Marks'],
};

/** Lists of the plan that have nothing here, by their operation. */
const empty: Readonly<Record<string, string>> = {
  RelationshipGetAll: 'Relationships',
  ProductGetAll_V2: 'Products',
  CampaignMarkGetAll: 'Marks',
  DatastoreGetSbiCodes: 'SbiCodes',
  SystemDatastoreGetItems: 'DatastoreItems',
};

const succeeded = '<Result><Succeeded>true</Succeeded><Number>0</Number></Result>';

/** A mark of a relation, which changes, and never goes. */
interface Marked {
  readonly of: string;
  readonly number: number;
  version: number;
  stampMs: number;
}

/** A service whose lists are mirrored, with a memory of all that they ever were. */
export class MirroredService implements Service {
  readonly #lots: Lots;
  readonly #tell: (line: string) => void;
  readonly lists: Readonly<Record<Listed, ModelList>>;
  readonly #marked: Marked[] = [];
  /** All marks of relations that were ever sent or there, as JSON. */
  readonly everMarked = new Set<string>();
  readonly #aheadMs: number;
  weather: Weather = calm;
  /** Milliseconds since 1970. */
  nowMs: () => number = () => 0;
  /** Calls that read a list. */
  calls = 0;

  constructor(lots: Lots, tell: (line: string) => void) {
    this.#lots = lots;
    this.#tell = tell;
    this.lists = {
      relations: new ModelList(relation, lots, 16),
      telephone_book: new ModelList(entry, lots, 14),
      marks: new ModelList(mark, lots, 8),
    };
    this.#aheadMs = [0, 0, -5000, 90_000][lots(4)] ?? 0;
  }

  /** The marks of a relation, by Id. */
  marksOf(of: string): readonly (Sent & { readonly version: number })[] {
    return this.#marked
      .filter((each) => each.of === of)
      .map(({ number, version }) => ({ ...relationMark(of, number, version), version }));
  }

  /** Changes a list, or a mark of a relation. */
  change(): void {
    const lots = this.#lots;
    const table = listed[lots(listed.length + 1)];
    if (table !== undefined) {
      this.#tell(`  ${table}: ${this.lists[table].change()}`);
      return;
    }
    const { records } = this.lists.relations;
    const of = records[lots(Math.max(1, records.length))]?.id;
    if (of === undefined) return;
    const number = 1 + lots(3);
    const found = this.#marked.find((each) => each.of === of && each.number === number);
    const row = found ?? { of, number, version: 0, stampMs: 0 };
    if (found === undefined) this.#marked.push(row);
    row.version += 1;
    row.stampMs = this.nowMs() + this.#aheadMs;
    this.everMarked.add(relationMark(of, number, row.version).json);
    this.#tell(`  mark ${number} of ${of.slice(-2)} is v${row.version}`);
  }

  fateOf(body: string, isKept: boolean): Fate {
    const { faults, isLate } = this.weather;
    const fates = ['refused', 'lost', 'unanswered', 'torn', ...(isLate ? (['silent'] as const) : [])] as const;
    const fate = drawnFate(this.#lots, { percent: faults, fates, isKept });
    const page = elementIn(body, 'pageNumber');
    if (fate !== 'answered') this.#tell(`  ${operationIn(body)} ${page}: ${fate}`);
    return fate;
  }

  answer(body: string): Answer {
    const lots = this.#lots;
    const busy = busyAnswer(lots, this.weather.busy, body);
    if (busy !== undefined) return busy;
    if (lots(100) < this.weather.changes) this.change();
    if (lots(100) < this.weather.refusals) return refusal(lots(2) === 0 ? body : '');
    this.calls += 1;
    const answer = this.#read(operationIn(body), body);
    const date = new Date(this.nowMs() + this.#aheadMs).toUTCString();
    return { ...answer, headers: { date, ...answer.headers } };
  }

  /** What is no list, or not the one that is there. */
  #odd(operation: string, member: string): Answer {
    switch (this.#lots(4)) {
      case 0:
        return resultOf(operation, '');
      case 1:
        return resultOf(operation, `<${member} xsi:nil="true" />`);
      case 2:
        return { status: 200, headers: { 'content-type': 'text/html' }, body: '<html><body>maintenance</body></html>' };
      default:
        return resultOf(operation, `<${member} />`);
    }
  }

  #read(operation: string, body: string): Answer {
    const [table, member] = listOf[operation] ?? [];
    if (table === undefined || member === undefined) return this.#readOther(operation, body);
    const list = this.lists[table];
    const number = elementIn(body, 'pageNumber');
    if (this.#lots(100) < this.weather.odd) {
      this.#tell(`  ${table} ${number}: an odd answer`);
      list.hide();
      return this.#odd(operation, member);
    }
    const size = number === '' ? list.records.length : Number(elementIn(body, 'pageSize'));
    const from = number === '' ? 0 : (Number(number) - 1) * size;
    const page = list.records.slice(from, from + size);
    if (from === 0 && number !== '0') list.readFrom = list.history.length - 1;
    this.#tell(`  ${table} ${number}: ${page.map(({ id, json }) => `${id.slice(-2)}${nameIn(json)}`).join(' ')}`);
    return resultOf(operation, `<${member}>${page.map(({ xml }) => xml).join('')}</${member}>`);
  }

  #readOther(operation: string, body: string): Answer {
    if (operation === 'RelationGetMarksModified') return this.#marks(operation, body);
    const member = empty[operation];
    if (member === undefined) throw new Error(`nobody asks for ${operation}`);
    return resultOf(operation, `${operation === 'SystemDatastoreGetItems' ? succeeded : ''}<${member} />`);
  }

  #marks(operation: string, body: string): Answer {
    const of = elementIn(body, 'relationId');
    const [from, to] = ['from', 'to'].map((name) => Date.parse(`${elementIn(body, name).replace(/Z$/, '')}Z`));
    const found = this.#marked.filter(
      (each) => each.of === of && each.stampMs >= (from ?? Number.NaN) && each.stampMs <= (to ?? Number.NaN),
    );
    const texts = found.map(({ number, version }) => relationMark(of, number, version).xml);
    this.#tell(
      `  marks of ${of.slice(-2)} from ${elementIn(body, 'from')}: ${found.map(({ version }) => `v${version}`).join(' ')}`,
    );
    return resultOf(operation, `<RelationshipMarks>${texts.join('')}</RelationshipMarks>`);
  }

  delivered(): void {
    // Reading changes nothing.
  }
}

/** The version that a record shows, for a story. */
const nameIn = (json: string): string => /Name":"\w+ \d+(\.\d+)"/.exec(json)?.[1] ?? '';
