import type { RelctlError, Remedy } from '../../core/errors/relctl-error.js';
import type { Kind } from '../../core/errors/kinds.js';
import { defined, type RecordValue, isObject } from '../../core/values/value.js';

/** What became of a row; the order is that of the counts of a summary. */
export const outcomes = ['done', 'unchanged', 'refused', 'failed', 'conflict', 'unknown', 'not sent'] as const;

/**
 * What became of a row: `done`, the service took it; `unchanged`, nothing was to be sent; `refused`, the service said no;
 * `failed`, it was certainly not carried out; `conflict`, the record is not what the row was made for; `unknown`, it was sent
 * and no answer says whether it was carried out; `not sent`, its turn did not come, or the row has a mistake.
 */
export type Outcome = (typeof outcomes)[number];

/** A file whose content a row sent. */
export interface FileFacts {
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
}

/** The end of a row, as the journal and the results tell it. */
export interface Ending {
  readonly outcome: Outcome;
  /** `Result.Number` of the service. */
  readonly number?: number;
  /** `Result.Code` of the service, the code of a fault, or a short code of our own. */
  readonly code?: string;
  /** What happened, in words; the service's own where it said some. */
  readonly words?: string;
  readonly id?: string;
  readonly file?: FileFacts;
}

const outcomeOfKind: Readonly<Partial<Record<Kind, Outcome>>> = {
  refused: 'refused',
  'not-found': 'refused',
  conflict: 'conflict',
  'outcome-unknown': 'unknown',
  'no-answer': 'failed',
};

/** Failures that each other row would meet too: the batch stops at them. */
const ofAll: ReadonlySet<Kind> = new Set(['interrupted', 'bug', 'profile', 'local', 'locked']);

/** True for a failure that ends the batch, and not only its row. */
export const endsBatch = ({ kind }: RelctlError): boolean => ofAll.has(kind);

/** Failures of a reading that another one would meet too, beside those that end a batch anyway. */
const ofReadings: ReadonlySet<Kind> = new Set(['refused', 'not-found', 'bad-answer', 'partial']);

/** True for a failure to prepare a row that ends the batch: each row is prepared by the same lists. */
export const endsPreparing = (error: RelctlError): boolean => endsBatch(error) || ofReadings.has(error.kind);

/** How a row ended that could not be prepared: nothing was sent for it. */
export const unsentEnding = (error: RelctlError): Ending =>
  endingOf(error, error.kind === 'conflict' ? 'conflict' : 'not sent');

/** Failures of a call that say for certain that nothing was carried out. */
const notCarriedOut: ReadonlySet<Kind> = new Set(['usage', 'profile', 'interrupted']);

/**
 * How a row ended whose write failed. The client says `outcome-unknown` where the write may have been carried out; what else may
 * fail on the way, such as a defect while the answer was read, says nothing of the write.
 */
export function sentEnding(error: RelctlError): Ending {
  const { kind, message } = error;
  const ending = endingOf(error, outcomeOfKind[kind] ?? (notCarriedOut.has(kind) ? 'not sent' : 'unknown'));
  // Where to look is told with the row: nobody sees the error itself.
  return ending.outcome === 'unknown' ? { ...ending, words: withRemedy(message, error) } : ending;
}

/** Words of a row, and where to look for what became of it. */
export function withRemedy(words: string, { advice, hint }: Remedy): string {
  if (advice !== undefined) return `${words}. ${advice}`;
  return typeof hint === 'string' ? `${words}. Look by \`${hint}\`.` : words;
}

function endingOf({ message, facts, reportedCode }: RelctlError, outcome: Outcome): Ending {
  return { outcome, words: message, ...defined({ number: facts.number, code: reportedCode }) };
}

/** How many rows there are of each outcome. */
export type Tally = Readonly<Record<Outcome, number>>;

/** A tally of nothing. */
export const emptyTally = (): Record<Outcome, number> =>
  // Each outcome, once.
  Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>;

/** A tally in words, without what there is none of: `3 done, 1 refused`. */
export const tallyWords = (tally: Tally): string =>
  outcomes
    .filter((outcome) => tally[outcome] > 0)
    .map((outcome) => `${tally[outcome]} ${outcome}`)
    .join(', ');

const bad = ['refused', 'failed', 'conflict', 'unknown', 'not sent'] as const;

const kindOf: Readonly<Record<(typeof bad)[number], Kind>> = {
  refused: 'refused',
  failed: 'no-answer',
  conflict: 'conflict',
  unknown: 'outcome-unknown',
  'not sent': 'partial',
};

/**
 * The kind of error that a batch ends with: undefined when each row is done or unchanged, `outcome-unknown` when some are
 * unknown and nothing else is wrong, the common kind when all rows ended alike, else `partial`.
 */
export function kindOfBatch(tally: Tally): Kind | undefined {
  const wrong = bad.filter((outcome) => tally[outcome] > 0);
  const [first, second] = wrong;
  if (first === undefined) return undefined;
  if (second !== undefined) return 'partial';
  return first === 'unknown' || tally.done + tally.unchanged === 0 ? kindOf[first] : 'partial';
}

/** What is to be written for a row, as it is kept for a later look: the request without content of files. */
export interface Sent {
  readonly operation: string;
  readonly input: RecordValue;
  /** Identifies the record that is written to, where the row may not be read again. */
  readonly key?: string;
  readonly before?: RecordValue;
  readonly file?: FileFacts;
  /** Hashes of the records beside it, where they were read just before it was sent. */
  readonly listed?: readonly string[];
  /** The input of the search that finds the record. */
  readonly foundBy?: RecordValue;
}

/** An entry of a journal: a row is about to be sent, or has ended. `key` identifies the record, as in `Sent`. */
export type Entry =
  | { readonly row: number; readonly at: string; readonly sends: Sent }
  | { readonly row: number; readonly at: string; readonly key?: string; readonly ends: Ending };

/** True for an entry of a journal. */
export function isEntry(value: unknown): value is Entry {
  return isObject(value) && Number.isSafeInteger(value['row']) && (isObject(value['sends']) || isObject(value['ends']));
}

/** An entry, and where its line is: its number from 0, and its place and length in bytes, with its line feed. */
export interface PlacedEntry {
  readonly entry: Entry;
  readonly line: number;
  readonly place: number;
  readonly length: number;
}
