import type { Operation } from '../../contract/build.js';
import type { Output, OutputFields } from '../../contract/infer.js';
import type { operations, OperationName } from '../../contract/service.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { SandboxContext } from '../context.js';

/** Why an operation says no. How that is said is up to the operation (see endpoint.ts). */
export interface Refusal {
  readonly number: number;
  readonly code: string;
  readonly description: string;
}

/** What a handler answers: its result members, or a refusal. */
export type Outcome<R> = { readonly result: R } | { readonly refused: Refusal };

/** Parameters as they came: the wire may leave out or send nil for anything. */
export type Received<O extends Operation> = OutputFields<O['parameters']>;

/** What a handler works on: the sandbox, and who calls. */
export interface Call extends SandboxContext {
  /** User of the credentials; the empty id when they name none. */
  readonly userId: string;
}

/** Carries out one operation. It runs on one snapshot of the database, or in one transaction, and does not wait. */
export type Handler<N extends OperationName> = (
  call: Call,
  input: Received<(typeof operations)[N]>,
) => Outcome<Output<(typeof operations)[N]>>;

/** A result without a refusal. */
export const answered = <R>(result: R): Outcome<R> => ({ result });

/** A refusal. Nothing may have been written before it. */
export const refused = (refusal: Refusal): Outcome<never> => ({ refused: refusal });

class Refused extends RelctlError {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super('refused', refusal.description);
    this.refusal = refusal;
  }
}

/** Refuses from within a check; `outcomeOf` turns it into the outcome. */
export function refuse(refusal: Refusal): never {
  throw new Refused(refusal);
}

/** What came of some work: its outcome, or the refusal that a check within it threw. */
export function outcomeOf<R>(work: () => Outcome<R>): Outcome<R> {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof Refused) return refused(thrown.refusal);
    throw thrown;
  }
}
