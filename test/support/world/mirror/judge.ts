import type { Moment } from './lists.js';
import type { Sent } from './records.js';
import { listed, type Listed, type MirroredService } from './service.js';
import { nothingShown, type Shown, type ShownRecord } from './shown.js';

/** What `mirror sync` told of a source, as far as it matters. */
export interface Told {
  readonly Source: string;
  readonly Rows: number;
  readonly Added: number;
  readonly Changed: number;
  readonly Gone: number;
}

/** What `mirror changes` tells of a record. */
export interface Change {
  readonly Table: string;
  readonly Change: string;
  readonly Id: string | null;
}

/** Name of the source that is asked for relation by relation, and of its table. */
export const byRelation = { source: 'marks by relation', table: 'relation_marks' } as const;

type Records = readonly { readonly id: string; readonly json: string }[];

const sorted = (records: Records): string =>
  records
    .map(({ json }) => json)
    .sort()
    .join('\n');

/** By what records are told apart; entries of a telephone book and records without an Id by their content. */
const keyOf = (table: string, { id, json }: { readonly id: string; readonly json: string }): string =>
  table === 'telephone_book' || id === '' ? json : id;

const keyed = (table: string, records: Records): ReadonlyMap<string, { readonly id: string; readonly json: string }> =>
  new Map(records.map((record) => [keyOf(table, record), record]));

/** What happened to records between two looks at a table. */
function changesOf(table: string, before: Records, now: Records): readonly Change[] {
  const [old, fresh] = [keyed(table, before), keyed(table, now)];
  const line = (what: string, id: string): Change => ({ Table: table, Change: what, Id: id === '' ? null : id });
  const gone = [...old].filter(([key]) => !fresh.has(key)).map(([, { id }]) => line('gone', id));
  const come = [...fresh].flatMap(([key, { id, json }]) => {
    const earlier = old.get(key);
    return earlier?.json === json ? [] : [line(earlier === undefined ? 'added' : 'changed', id)];
  });
  return [...gone, ...come];
}

/** Compares what a mirror shows and what is told of it with what the service had. */
export class Judge {
  readonly #service: MirroredService;
  readonly #flaw: (words: string) => void;
  /** Since when the sync of a table is under way, as a place in the history of its list. */
  readonly #from = new Map<Listed, number>();
  /** The marks of relations when their sync began. */
  #markedFrom: ReadonlyMap<string, readonly (Sent & { readonly version: number })[]> | undefined;
  /** What was shown of them when their last sync ended. */
  #markedTold: Shown['marked'] = [];
  shown: Shown = nothingShown;

  constructor(service: MirroredService, flaw: (words: string) => void) {
    this.#service = service;
    this.#flaw = flaw;
  }

  /** A run begins that syncs some tables. */
  begin(tables: readonly string[]): void {
    const { lists } = this.#service;
    for (const table of listed) {
      if (tables.includes(table) && !this.#from.has(table)) this.#from.set(table, lists[table].history.length - 1);
    }
    if (!tables.includes(byRelation.table)) return;
    const all = lists.relations.history.flatMap(({ records }) => records.map(({ id }) => id));
    this.#markedFrom ??= new Map([...new Set(all)].map((id) => [id, this.#service.marksOf(id)]));
  }

  /** A run has ended. Gives the changes that are to be told of it. */
  end(now: Shown, told: readonly Told[]): readonly Change[] {
    const before = this.shown;
    this.shown = now;
    for (const each of now.damage) this.#flaw(each);
    const isNew = (source: string): boolean => before.syncedAt.get(source) !== now.syncedAt.get(source);
    for (const { Source } of told) if (!isNew(Source)) this.#flaw(`${Source} is told as synced, and was not`);
    const changes = listed.flatMap((table) => {
      if (!isNew(table)) return this.#same(table, before, now);
      const found = this.#swapped(table, before.lists[table], now.lists[table]);
      const line = told.find(({ Source }) => Source === table);
      if (line !== undefined) this.#counts(line, now.lists[table].length, found);
      return found;
    });
    return [...changes, ...this.#marks(before, now, isNew(byRelation.source))];
  }

  #same(table: Listed, before: Shown, now: Shown): readonly Change[] {
    if (sorted(before.lists[table]) !== sorted(now.lists[table]))
      this.#flaw(`${table}: no sync ended, and it shows something else than before`);
    return [];
  }

  #counts({ Source, Rows, Added, Changed, Gone }: Told, rows: number, changes: readonly Change[]): void {
    const of = (what: string): number => changes.filter((each) => each.Change === what).length;
    const [expected, found] = [
      [rows, of('added'), of('changed'), of('gone')].join(' '),
      [Rows, Added, Changed, Gone].join(' '),
    ];
    if (expected !== found)
      this.#flaw(`${Source}: told rows, added, changed, gone as ${found}, and they are ${expected}`);
  }

  /** A sync of a table ended: it began when its list was at a place in its history. */
  #swapped(table: Listed, before: readonly ShownRecord[], now: readonly ShownRecord[]): readonly Change[] {
    const { history, readFrom } = this.#service.lists[table];
    const moments = history.slice(this.#from.get(table) ?? 0);
    this.#from.delete(table);
    const [first] = moments;
    if (first !== undefined && moments.length === 1 && sorted(first.records) !== sorted(now))
      this.#flaw(`${table} shows not what the service had all the time`);
    this.#strangers(table, moments, now);
    this.#missing(table, moments, { before, now });
    const last = history.at(-1);
    if (last !== undefined && readFrom === history.length - 1) this.#atRest(table, last, { before, now });
    return changesOf(table, before, now);
  }

  #strangers(table: Listed, moments: readonly Moment[], now: readonly ShownRecord[]): void {
    const there = new Set(moments.flatMap(({ records }) => records.map(({ json }) => json)));
    for (const { json } of now) if (!there.has(json)) this.#flaw(`${table} shows what was not there: ${json}`);
    if (keyed(table, now).size !== now.length) this.#flaw(`${table} shows a record twice`);
  }

  /** A row that was there all the time is shown, unless others moved; to be gone, it must have been missed twice. */
  #missing(table: Listed, moments: readonly Moment[], shown: { before: Records; now: Records }): void {
    const [first, last] = [moments[0], moments.at(-1)];
    if (first === undefined || last === undefined) return;
    const moved = table === 'marks' ? 0 : last.moved - first.moved;
    const chances = moved + last.odd - first.odd;
    const [before, now] = [keyed(table, shown.before), keyed(table, shown.now)];
    const all = moments.map(({ records }) => keyed(table, records));
    for (const [key, { json }] of keyed(table, first.records)) {
      if (now.has(key) || !all.every((each) => each.has(key))) continue;
      if (before.has(key) && chances < 2) this.#flaw(`${table}: gone is what is there: ${json}`);
      if (chances === 0) this.#flaw(`${table} lacks ${json}`);
    }
  }

  /** The last reading of a list was at rest: all that it showed is there, and nothing new besides. */
  #atRest(table: Listed, { records }: Moment, shown: { before: Records; now: Records }): void {
    const [before, now, there] = [shown.before, shown.now, records].map((each) => keyed(table, each));
    for (const [key, { json }] of there ?? [])
      if (now?.get(key)?.json !== json) this.#flaw(`${table} was read at rest, and lacks ${json}`);
    for (const [key, { json }] of now ?? [])
      if (there?.has(key) === false && before?.has(key) === false)
        this.#flaw(`${table} was read at rest, and has new what was not there: ${json}`);
  }

  #marks(before: Shown, now: Shown, hasEnded: boolean): readonly Change[] {
    const own = (records: Shown['marked']): ReadonlyMap<string, string> =>
      new Map(records.map(({ of, id, json }) => [`${of} ${id}`, json]));
    const shown = own(now.marked);
    if (shown.size !== now.marked.length) this.#flaw('a mark of a relation is shown twice');
    for (const { json } of now.marked)
      if (!this.#service.everMarked.has(json)) this.#flaw(`relation_marks shows what was not there: ${json}`);
    for (const [key] of own(before.marked)) if (!shown.has(key)) this.#flaw(`the mark ${key} is lost`);
    if (!hasEnded) return [];
    this.#lostMarks(now, shown);
    this.#markedFrom = undefined;
    const told = changesOf(byRelation.table, this.#markedTold, now.marked);
    this.#markedTold = now.marked;
    return told;
  }

  /** Marks that were there before their sync began, of relations that are in the mirror. */
  #lostMarks(now: Shown, shown: ReadonlyMap<string, string>): void {
    const version = (json: string): number => Number(/version (\d+)/.exec(json)?.[1] ?? 0);
    for (const { id } of now.lists.relations) {
      // One that came into the mirror while this sync was under way was asked for, too.
      for (const mark of this.#markedFrom?.get(id) ?? []) {
        const found = shown.get(`${id} ${mark.id}`);
        if (found === undefined || version(found) < mark.version)
          this.#flaw(`the mark ${mark.id} of ${id} is shown as ${found ?? 'nothing'}, and was ${mark.json}`);
      }
    }
  }
}
