import type { Sent, Ending, Outcome, Tally } from './outcome.js';
import { isObject } from '../../core/values/value.js';

/** The service that something was written to. */
interface LedgerService {
  readonly url: string;
  readonly namespace: string;
  readonly database: string;
}

/** A batch of rows, as the ledger knows it. */
export interface BatchFacts {
  /** Its id, which its journal has too. Runs that go on with a batch have the same. */
  readonly id: string;
  /** Absolute path of its journal, which says what became of each row. */
  readonly journal: string;
  /** Absolute path of its results. */
  readonly results: string;
  readonly rows: number;
}

/** What is said of a write before it is sent. */
export interface Begun {
  readonly id: string;
  readonly at: string;
  /** What is done, in words. */
  readonly what: string;
  /** Name of the operation. */
  readonly operation: string;
  readonly service: LedgerService;
  /** User of the machine; empty where the system does not say. */
  readonly user: string;
  /** The request and the record before, of a single write. */
  readonly sends?: Sent;
  readonly batch?: BatchFacts;
  /** Id of the entry that this write undoes. */
  readonly undoes?: string;
}

/** What is said of a write when its outcome is known. */
export interface Ended extends Omit<Ending, 'outcome'> {
  readonly entry: string;
  readonly at: string;
  /** Of a batch: the outcome that all rows have, else `partly`. */
  readonly outcome: Outcome | 'partly';
  /** Of a batch: how many rows there are of each outcome. */
  readonly tally?: Tally;
}

/** A line of the ledger. */
export type LedgerLine = { readonly begins: Begun } | { readonly ends: Ended };

/** A write, with its end where that is known: without one its outcome is unknown. */
export interface LedgerEntry {
  readonly begun: Begun;
  readonly ended?: Ended;
}

const isBegun = (value: unknown): value is Begun =>
  isObject(value) &&
  ['id', 'at', 'what', 'operation', 'user'].every((name) => typeof value[name] === 'string') &&
  isObject(value['service']);

const isEnded = (value: unknown): value is Ended =>
  isObject(value) && ['entry', 'at', 'outcome'].every((name) => typeof value[name] === 'string');

/** True for a line of the ledger. */
export const isLedgerLine = (value: unknown): value is LedgerLine =>
  isObject(value) && (isBegun(value['begins']) || isEnded(value['ends']));
