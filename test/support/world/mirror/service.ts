import type { Lots } from '../disk.js';
import { drawnFate, type Answer, type Fate, type Service } from '../network.js';
import { busyAnswer, elementIn, operationIn, refusal, resultOf } from '../soap.js';
import { ModelList } from './lists.js';
import { entry, mark, relation, relationMark, type Sent } from './records.js';

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
