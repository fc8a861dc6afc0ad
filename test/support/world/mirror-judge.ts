import Driver from 'libsql';
import { createRequire } from 'node:module';
import fs, { type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import timersPromises from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Moment, type Sent, listed, type Listed, type MirroredService } from './mirror-service.js';
import type { Lots } from './disk.js';

/** A record that a mirror shows. */
interface ShownRecord {
  readonly id: string;
  readonly json: string;
}

/** What a mirror shows. */
interface Shown {
  readonly lists: Readonly<Record<Listed, readonly ShownRecord[]>>;
  readonly marked: readonly (ShownRecord & { readonly of: string })[];
  /** When each source was synced last. */
  readonly syncedAt: ReadonlyMap<string, string>;
  /** What is not as it must be in the file itself. */
  readonly damage: readonly string[];
}

/** What there is where there is no mirror. */
const nothingShown: Shown = {
  lists: { relations: [], telephone_book: [], marks: [] },
  ...{ marked: [], syncedAt: new Map(), damage: [] },
};

interface Asked {
  prepare(sql: string): { raw(): { all(values: readonly unknown[]): (readonly unknown[])[] } };
}

const idColumn: Readonly<Record<Listed, string>> = { relations: 'Id', telephone_book: 'relation_Id', marks: 'Id' };

/** Lists within records: the table, that of the records, and what stands before each item in the text of a record. */
const within = [
  ['relation_field_values', 'relations', '{"Id":"00000000-0002-'],
  ['telephone_numbers', 'telephone_book', '{"Id":"00000000-0003-'],
] as const;

/** What is searched, and is to be found by each record of its table once. */
const searched = ['relations', 'telephone_book', 'marks'] as const;

function damageIn(ask: (sql: string) => (readonly unknown[])[]): readonly string[] {
  const integrity = ask('PRAGMA integrity_check').map(String);
  const damage = integrity.length === 1 && integrity[0] === 'ok' ? [] : [`integrity: ${integrity.join('; ')}`];
  for (const [list, table, begin] of within) {
    const rows = ask(
      `SELECT r."_record", count(i."_owner") FROM "all_${table}" r LEFT JOIN "all_${list}" i ON i."_owner" = r."_seq" GROUP BY r."_seq", r."_record"`,
    );
    for (const [json, count] of rows)
      if (String(json).split(begin).length !== Number(count) + 1)
        damage.push(`${table}: ${String(json)} has ${String(count)} rows in ${list}`);
    const strays = ask(`SELECT count(*) FROM "all_${list}" WHERE "_owner" NOT IN (SELECT "_seq" FROM "all_${table}")`);
    if (Number(strays[0]?.[0]) > 0) damage.push(`${list}: ${String(strays[0]?.[0])} rows belong to no record`);
  }
  const indexes = new Set(ask(`SELECT name FROM sqlite_schema WHERE name LIKE '\\_find\\_%' ESCAPE '\\'`).map(String));
  for (const table of searched) {
    if (!indexes.has(`_find_${table}`)) continue;
    const [missing] = ask(
      `SELECT (SELECT count(*) FROM "all_${table}" WHERE "_seq" NOT IN (SELECT rowid FROM "_find_${table}")),
        (SELECT count(*) FROM "_find_${table}" WHERE rowid NOT IN (SELECT "_seq" FROM "all_${table}"))`,
    );
    if (String(missing) !== '0,0') damage.push(`${table}: rows and index differ: ${String(missing)}`);
  }
  return damage;
}

/** What the mirror in a folder shows. */
export function shownIn(folder: MirrorFolder): Shown {
  const found = folder.look((database): Shown => {
    const asked = database as unknown as Asked;
    const ask = (sql: string): (readonly unknown[])[] => asked.prepare(sql).raw().all([]);
    if (ask(`SELECT 1 FROM sqlite_schema WHERE name = '_sources'`).length === 0) return nothingShown;
    const recordsOf = (table: Listed): readonly ShownRecord[] =>
      ask(`SELECT coalesce("${idColumn[table]}", ''), "_record" FROM "${table}"`).map(([id, json]) => ({
        ...{ id: String(id), json: String(json) },
      }));
    const [relations = [], book = [], marks = []] = listed.map(recordsOf);
    const marked = ask('SELECT "RelationId", "Id", "_record" FROM "relation_marks"');
    const synced = ask('SELECT name, synced_at FROM "_sources" WHERE synced_at IS NOT NULL');
    return {
      lists: { relations, telephone_book: book, marks },
      marked: marked.map(([of, id, json]) => ({ of: String(of), id: String(id), json: String(json) })),
      syncedAt: new Map(synced.map(([name, at]) => [String(name), String(at)])),
      damage: damageIn(ask),
    };
  });
  return found ?? nothingShown;
}

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

/** Bytes of the head of a journal of SQLite, and of that of each page in it. */
const [head, pageHead] = [32, 24];

/** Where the index of a journal says how many of its pages are in the database and synced. */
const placeOfSynced = 96;

/** Where folders are made: in memory where the system has such a place, since nothing here asks what was really synced. */
const place = ((): string => {
  try {
    fs.accessSync('/dev/shm', fs.constants.W_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
})();

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** Not that of a world, in which this waits. */
const turn = timersPromises.setImmediate;

/** Files of a database, as they are when a process is killed: the system keeps what was written. */
type Kept = ReadonlyMap<string, Buffer>;

const read = (folder: string): Kept =>
  new Map(fs.readdirSync(folder).map((name) => [name, fs.readFileSync(join(folder, name))]));

/** A folder of the machine with a mirror, which native code writes: it may be put back to what it was when a run was killed. */
export class MirrorFolder {
  readonly #folder: string;
  readonly file: string;
  #kept: Kept | undefined;
  /** The journal when the run began: it is on the disk by then, because time has passed since it was written. */
  #journal: Buffer | undefined;

  constructor() {
    this.#folder = fs.mkdtempSync(join(place, 'relctl-world-'));
    this.file = join(this.#folder, 'mirror.db');
  }

  /** A run begins. */
  begin(): void {
    this.#journal = read(this.#folder).get('mirror.db-wal');
  }

  /**
   * A run is over. The driver closes a database for good when its statements are collected, and brings its journal in: the next
   * run, and what befalls the files, must not go by when that is.
   */
  async end(): Promise<void> {
    collectGarbage();
    await turn();
  }

  /** Remembers all files as they are now. */
  keep(): void {
    this.#kept = read(this.#folder);
  }

  /**
   * Puts back what was kept. Locks are dropped: who takes over those of a process that was killed is the matter of another
   * test. So is the index of the journal, which is made anew by the first who opens the database.
   * @param lots given when the power failed as well: then what the run added to the journal may be lost where it was not synced
   */
  putBack(lots: Lots | undefined): void {
    const kept = this.#kept ?? read(this.#folder);
    this.#kept = undefined;
    const length = lots === undefined ? undefined : this.#cut(kept, lots);
    this.empty();
    for (const [name, bytes] of kept) {
      if (/\.lock|-shm$/.test(name)) continue;
      const whole = name.endsWith('-wal') ? bytes.subarray(0, length) : bytes;
      fs.writeFileSync(join(this.#folder, name), whole, { mode: 0o600 });
    }
  }

  /** How much is left of the journal. What a checkpoint took from it was synced before. */
  #cut(kept: Kept, lots: Lots): number | undefined {
    const journal = kept.get('mirror.db-wal');
    if (journal === undefined || journal.length <= head) return undefined;
    const index = kept.get('mirror.db-shm');
    const pages = index !== undefined && index.length > placeOfSynced + 4 ? index.readUInt32LE(placeOfSynced) : 0;
    const earlier =
      this.#journal?.subarray(0, head).equals(journal.subarray(0, head)) === true ? this.#journal.length : 0;
    const synced = Math.max(head + pages * (pageHead + journal.readUInt32BE(8)), earlier);
    const cut = synced + lots(Math.max(1, journal.length - synced + 1));
    // A file that has its length may still lack what was written.
    if (lots(2) === 0) journal.fill(0, cut);
    else return cut;
    return undefined;
  }

  /** The names that are there, besides that of the mirror. */
  names(): readonly string[] {
    return fs.readdirSync(this.#folder).filter((name) => name !== 'mirror.db');
  }

  /** All files as text, to look for what must not be in them. */
  texts(): readonly (readonly [string, string])[] {
    return [...read(this.#folder)].map(([name, bytes]) => [name, bytes.toString('latin1')]);
  }

  /** Who may read the files. */
  modes(): readonly number[] {
    return fs.readdirSync(this.#folder).map((name): number => {
      const found: Stats = fs.statSync(join(this.#folder, name));
      return found.mode & 0o777;
    });
  }

  /** Looks at a copy of the mirror: to open the mirror itself would bring its journal in. */
  look<T>(work: (database: Driver.Database) => T): T | undefined {
    const found = read(this.#folder);
    if ((found.get('mirror.db')?.length ?? 0) === 0 && (found.get('mirror.db-wal')?.length ?? 0) === 0)
      return undefined;
    const aside = fs.mkdtempSync(join(place, 'relctl-look-'));
    try {
      for (const [name, bytes] of found)
        if (/mirror\.db(?:-wal)?$/.test(name)) fs.writeFileSync(join(aside, name), bytes);
      const database = new Driver(join(aside, 'mirror.db'));
      try {
        return work(database);
      } finally {
        database.close();
      }
    } finally {
      fs.rmSync(aside, { recursive: true, force: true });
    }
  }

  empty(): void {
    for (const name of fs.readdirSync(this.#folder)) fs.rmSync(join(this.#folder, name), { force: true });
  }

  remove(): void {
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** What is called before each statement that a database runs. */
let before: () => void = () => undefined;

/** The calls of the driver's library that run a statement. */
const calls = ['databaseExecSync', 'databasePrepareSync', 'statementRun', 'statementGet', 'statementRowsSync'] as const;

const { beforeCalls } = createRequire(import.meta.url)('../statements.cjs') as {
  readonly beforeCalls: (names: readonly string[], called: () => void) => void;
};
beforeCalls(calls, () => before());

/** Calls a function before each statement that a database runs, until the work is done. */
export async function atStatements<T>(called: () => void, work: () => Promise<T>): Promise<T> {
  before = called;
  try {
    return await work();
  } finally {
    before = () => undefined;
  }
}
