import type { Operation } from '../../contract/build.js';
import type { Output, OutputFields } from '../../contract/infer.js';
import type { operations, OperationName } from '../../contract/service.js';
import type { SandboxContext } from '../context.js';

/** A result that the operation refuses by its own envelope (interface document, Errors, rule 1). */
export interface Refusal {
  readonly number: number;
  readonly code: string;
  readonly description: string;
}

/** What a handler answers: its result members, or a refusal for operations with a result envelope. */
export type Outcome<R> = { readonly result: R } | { readonly refused: Refusal };

/** Parameters as they came: the wire may leave out or send nil for anything. */
export type Received<O extends Operation> = OutputFields<O['parameters']>;

/** Carries out one operation. It runs on one snapshot of the database, and does not wait. */
export type Handler<N extends OperationName> = (
  context: SandboxContext,
  input: Received<(typeof operations)[N]>,
) => Outcome<Output<(typeof operations)[N]>>;

/** A result without a refusal. */
export const answered = <R>(result: R): Outcome<R> => ({ result });

/** A refusal by the result envelope. */
export const refused = (refusal: Refusal): Outcome<never> => ({ refused: refusal });
