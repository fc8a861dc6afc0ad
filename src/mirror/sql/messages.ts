import { RelctlError, type ErrorOptions } from '../../core/errors/relctl-error.js';
import type { Kind } from '../../core/errors/kinds.js';
import type { Answer, AnswerColumn } from '../../state/sqlite/question.js';
import type { Parameters } from './parameters.js';
import type { Given } from '../../formats/query/mistake.js';

// What the program and the process that reads the file say to each other.

/** What to read. */
export interface Order {
  readonly file: string;
  readonly statement: Given;
  readonly parameters: Parameters;
}

/** An error on its way between processes. */
export interface SentError {
  readonly kind: Kind;
  readonly message: string;
  readonly options: ErrorOptions;
}

/** What a statement reads of a mirror, through its views: names of columns by the name of the table. */
export type Reads = ReadonlyMap<string, readonly string[]>;

/** What the reader says: first the columns, and what is read for them, then rows each time it is asked for more, and how it ended. */
export type Said =
  | { readonly columns: readonly AnswerColumn[]; readonly reads: Reads }
  | { readonly rows: readonly (readonly Answer[])[] }
  | { readonly error: SentError }
  | { readonly end: true };

/** Asks for more rows. */
export interface More {
  readonly more: true;
}

/** An error as it is sent; its cause and stack stay where they are. */
export function sent(error: RelctlError): SentError {
  const { kind, message, facts, remedy, excerpt } = error;
  return { kind, message, options: { facts, ...remedy, excerpt } };
}

/** An error as it came. */
export const received = ({ kind, message, options }: SentError): RelctlError => new RelctlError(kind, message, options);
