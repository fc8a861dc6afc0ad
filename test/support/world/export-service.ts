import type { Lots } from './disk.js';
import {
  drawnFate,
  type Answer,
  type Fate,
  type Service,
  busyAnswer,
  elementIn,
  escaped,
  refusal,
  resultOf,
} from './network.js';
import { idOf } from './schedule.js';

/** How the rows of a list change while it is read: not at all, so that no row changes its page, or so that rows do. */
export type Moves = 'none' | 'in place' | 'between pages';

/** What a service is like in a run: of a hundred calls so many meet with something. */
export interface Weather {
  readonly faults: number;
  readonly busy: number;
  /** An answer with status 200 has no page. */
  readonly odd: number;
  readonly moves: number;
}

/** Weather in which nothing goes wrong. */
export const calm: Weather = { faults: 0, busy: 0, odd: 0, moves: 0 };

/** A relation of the list. */
export interface Row {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly isInactive: boolean;
}

/** Names that separated values and JSON write in another way than they are. */
const names = ['Jansen', 'De "Hoek", Delft', 'twee\nregels', 'Ñandú & <zn>', '𝒜stral', '=1+1', "'t Hof", ''] as const;

const inOneLine = (text: string): string => escaped(text).replaceAll('\n', '&#10;');

const textOf = ({ id, name, key, isInactive }: Row): string =>
  `<PvRelationData><Id>${id}</Id><DisplayName>${inOneLine(name)}</DisplayName>` +
  `<ImportKey>${key}</ImportKey><IsInactive>${isInactive}</IsInactive></PvRelationData>`;

/** What stands in the place of a page after a failure within the service. */
const oddPages: readonly string[] = [
  '',
  '<Relations><PvRelationData xsi:nil="true"/></Relations>',
  '<Relations>none</Relations>',
  '<Error>timeout</Error>',
];

/** What a service is like from beginning to end. */
interface Facts {
  readonly moves: Moves;
  readonly count: number;
  /** Rows of a page at most, whatever is asked for. */
  readonly mostOnPage: number;
  /** A page begins where it would if all before it had as many rows as were asked for, and not as many as they had. */
  readonly countsAsked?: boolean;
  /** Many pages come between two syncs of the files. */
  readonly isFast?: boolean;
}

/** A service with a list of relations in pages, which knows all that it ever showed. */
export class ExportsService implements Service {
  readonly #lots: Lots;
  readonly #moves: Moves;
  readonly #mostOnPage: number;
  readonly #countsAsked: boolean;
  readonly slowestMs: number;
  readonly #tell: (line: string) => void;
  #next = 0;
  /** The rows as they are, in the order of the list. */
  rows: Row[] = [];
  /** Each row in each of its states. */
  readonly shown: Row[] = [];
  /** Ids of rows that were not there all the time. */
  readonly passing = new Set<string>();
  /** Rows were changed while they were read. */
  isMoved = false;
  /** Numbers of pages that were given without their rows. */
  readonly #emptied = new Set<number>();
  /** Numbers of the pages that were asked for since this was emptied. */
  readonly asked: number[] = [];
  /** Rows of the pages that have come whole to their client since this was emptied. */
  readonly given: Row[] = [];
  /** The rows of the last answer to each request. */
  readonly #answered = new Map<string, readonly Row[]>();
  weather: Weather = calm;

  constructor(facts: Facts, { lots, tell }: { readonly lots: Lots; readonly tell: (line: string) => void }) {
    [this.#lots, this.#tell, this.#moves, this.#mostOnPage] = [lots, tell, facts.moves, facts.mostOnPage];
    this.#countsAsked = facts.countsAsked === true;
    this.slowestMs = facts.isFast === true ? 20 : 700;
    for (let count = facts.count; count > 0; count -= 1) this.#add(this.rows.length);
  }

  #made(id: string, key: string): Row {
    const lots = this.#lots;
    const name = `${names[lots(names.length)] ?? ''}${lots(2) === 0 ? '' : ` ${lots(1000)}`}`;
    const row = { id, key, name, isInactive: lots(3) === 0 };
    this.shown.push(row);
    return row;
  }

  #add(at: number): void {
    const number = (this.#next += 1);
    const key = `K${String(this.#lots(10_000)).padStart(4, '0')}-${number}`;
    this.rows.splice(at, 0, this.#made(idOf(0, number), key));
  }

  /** Changes a row, adds one or takes one away. */
  change(moves = this.#moves): void {
    const at = this.#lots(this.rows.length + 1);
    const row = this.rows[at];
    const does = this.#lots(moves === 'in place' ? 2 : 3);
    if (does === 0 && row !== undefined) this.rows[at] = this.#made(row.id, row.key);
    else if (does === 2 && row !== undefined) this.passing.add(this.rows.splice(at, 1)[0]?.id ?? '');
    else {
      const place = moves === 'in place' ? this.rows.length : at;
      this.#add(place);
      this.passing.add(this.rows[place]?.id ?? '');
    }
    this.#tell(`  the rows are ${this.rows.map(({ id }) => id.slice(-2)).join(' ')}`);
  }

  fateOf(_body: string, isKept: boolean): Fate {
    const fates = ['refused', 'lost', 'unanswered', 'torn', 'torn', 'silent'] as const;
    const fate = drawnFate(this.#lots, { percent: this.weather.faults, fates, isKept });
    if (fate !== 'answered') this.#tell(`  a call is ${fate}`);
    return fate;
  }

  answer(body: string): Answer {
    const lots = this.#lots;
    this.asked.push(Number(elementIn(body, 'pageNumber')));
    this.#answered.delete(body);
    const busy = busyAnswer(lots, this.weather.busy, body);
    if (busy !== undefined) return busy;
    if (lots(100) < this.weather.odd) return this.#odd();
    if (lots(100) < this.weather.moves) {
      this.isMoved = true;
      this.change();
    }
    const asked = Number(elementIn(body, 'pageSize'));
    const size = Math.min(asked, this.#mostOnPage);
    const number = Number(elementIn(body, 'pageNumber'));
    const step = this.#countsAsked ? asked : size;
    const from = (number - 1) * step;
    const isEmptied = lots(100) < this.weather.odd && this.#mayEmpty(number, from + step);
    const page = number < 1 || isEmptied ? [] : this.rows.slice(from, from + size);
    this.#tell(`  page ${number} of ${size}: ${page.map(({ id }) => id.slice(-2)).join(' ')}`);
    this.#answered.set(body, page);
    return resultOf('RelationGetAll', `<Relations>${page.map(textOf).join('')}</Relations>`);
  }

  /**
   * Two pages in a row without rows are the end of a list, so that a page between others may lack its rows alone.
   * @param next where the page behind it begins
   */
  #mayEmpty(number: number, next: number): boolean {
    const isAlone = ![number - 1, number + 1].some((other) => this.#emptied.has(other));
    if (this.#moves !== 'none' || number < 1 || !isAlone || next >= this.rows.length) return false;
    this.#emptied.add(number);
    return true;
  }

  #odd(): Answer {
    const lots = this.#lots;
    this.#tell('  an answer without a page');
    const which = lots(oddPages.length + 2);
    if (which === oddPages.length) return { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' };
    if (which > oddPages.length) return refusal('');
    return resultOf('RelationGetAll', oddPages[which] ?? '');
  }

  delivered(body: string): void {
    this.given.push(...(this.#answered.get(body) ?? []));
  }
}
