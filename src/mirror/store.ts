import type { Claim, Page } from '../client/pages.js';
import type { WalkState } from '../client/paging.js';
import type { RecordValue } from '../plain/value.js';
import type { FieldNames } from './fields/plan.js';
import type { CallTable } from './of-call/table.js';
import { mirrorTables, tableNamed, type MirrorTable } from './tables.js';

/** The service that a mirror belongs to. */
export interface Service {
  readonly url: string;
  readonly namespace: string;
  /** Empty where the credentials name no database. */
  readonly database: string;
}

/** What fills a table, or a part of it: the list of one operation. */
export interface Source {
  /** Its name in commands and in the mirror: that of the table, or one that `mirror add` made. */
  readonly name: string;
  readonly table: string;
  /** The request without its page number and size. */
  readonly input: RecordValue;
  /** The table, where it is one that the mirror has for this source alone. */
  readonly own?: CallTable;
}

/** The table that a source fills. Throws RelctlError `bug` for a name that is none. */
export const tableOf = ({ table, own }: Pick<Source, 'table' | 'own'>): MirrorTable => own ?? tableNamed(table);

/** The tables of a mirror that is filled by some sources: those that each mirror has, and those of the sources alone. */
export const tablesWith = (sources: readonly Pick<Source, 'own'>[]): readonly MirrorTable[] => [
  ...mirrorTables.values(),
  ...sources.flatMap(({ own }) => own ?? []),
];

/** What a sync did to the rows of a source. */
export interface Difference {
  /** Rows that are there now. */
  readonly rows: number;
  readonly added: number;
  readonly changed: number;
  readonly gone: number;
}

/** A sync that is not complete. */
export interface Unfinished {
  readonly startedAt: string;
  readonly pages: number;
  readonly rows: number;
}

/** A source with what its syncs did. */
export interface SourceState extends Source {
  /** When the last complete sync began and ended; undefined before the first. */
  readonly syncedFrom: string | undefined;
  readonly syncedAt: string | undefined;
  /** What that sync did. */
  readonly last: Difference | undefined;
  readonly unfinished: Unfinished | undefined;
}

/** How a sync is begun. */
export interface PassStart {
  readonly startedAt: string;
  /** Identifies the calls of the sync, as one text: one that was interrupted goes on only with the same calls. */
  readonly calls: string;
}

/**
 * A sync of one source. It reads the list once, or again to confirm that records are gone or because records moved while it
 * was read. What it was given is kept, page by page, and becomes visible at once by `swap`.
 */
export interface Pass {
  /** Where an interrupted sync goes on; undefined for the beginning of a list. */
  readonly resume: WalkState | undefined;
  /** When the sync began: the time that its rows carry. */
  readonly startedAt: string;
  /** Rows that were there before. */
  readonly rowsBefore: number;
  /** Keeps the new and changed records of a page, with the place in the list. Throws `local`. */
  take(page: Page): Promise<void>;
  /**
   * Ends a reading of the list. Gives the number of rows that are not confirmed to be gone yet, or true when records moved:
   * then the list is to be read again. 0 and false: `swap` may follow.
   */
  ended(claim: Claim): Promise<{ readonly missing: number; readonly isRestless: boolean }>;
  /** Forgets what was read: the next sync reads the list from its beginning. Throws `local`. */
  forget(): Promise<void>;
  /** Rows that will be there after the swap. */
  rowsAfter(): Promise<number>;
  /** Makes visible what was read, in one transaction. Throws `local`. */
  swap(endedAt: string): Promise<Difference>;
}

/** A relation that is asked for, and the time of the service through which it was: milliseconds since 1970. */
export interface Asked {
  readonly relation: string;
  /** Undefined before it was asked for, and where the service did not say its time. */
  readonly throughMs: number | undefined;
}

/**
 * A sync of a source that is asked for relation by relation. What came is visible at once, and each relation that is done is
 * remembered: a sync that was interrupted goes on with the others. Nothing is marked gone: a period does not show what is.
 */
export interface EachRelation {
  /** When the sync began: the time that its rows carry. */
  readonly startedAt: string;
  /** The relations that this sync has not asked for yet, in the order of their list. */
  waiting(): Promise<readonly Asked[]>;
  /** Keeps the new and changed records of a relation, while others may be kept. Throws `local`. */
  keep(relation: string, records: readonly RecordValue[]): Promise<void>;
  /** Remembers that a relation is done. Throws `local`. */
  asked(done: Asked): Promise<void>;
  /** Ends the sync when all relations are done. Throws `local`. */
  end(endedAt: string): Promise<Difference>;
}

/** A mirror that is open for a sync. */
export interface Mirror {
  /** Where it is, for people: a path, or an address without secrets. */
  readonly place: string;
  /** Its sources, in their order. */
  sources(): Promise<readonly SourceState[]>;
  /** Adds sources, all of them or none. Throws `usage` when there is one with such a name. */
  add(...sources: readonly Source[]): Promise<void>;
  /**
   * Gives a source another request, or its table another description with the same columns; its rows stay until the next sync.
   * Throws `bug` when there is none with that name.
   */
  replace(source: Source): Promise<void>;
  /** Removes a source with its rows, and with a table that is its own. */
  remove(name: string): Promise<void>;
  /** Begins a sync of a source, or goes on with one that was interrupted. */
  openPass(source: SourceState, start: PassStart): Promise<Pass>;
  /** The same for a source that is asked for relation by relation. */
  openEachRelation(source: SourceState, start: PassStart): Promise<EachRelation>;
  /** Makes the views that show fields as columns, when rows or names changed. Throws `local`. */
  nameFields(names: FieldNames): Promise<void>;
  close(): Promise<void>;
}
