import type { Operation, RecordType } from '../../contract/build.js';
import type { Output, OutputFields, OutputOf } from '../../contract/infer.js';
import type { OperationName, operations } from '../../contract/service.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { SandboxContext } from '../context.js';
import { emptyId } from '../dataset/known.js';
import type { Store } from '../store/open.js';
import { findById } from '../store/records.js';
import type { Stored } from '../store/rows.js';

/** Why an operation says no. How that is said is up to the operation (see invoke.ts). */
export interface Refusal {
  readonly number: number;
  readonly code: string;
  readonly description: string;
}

/** What a handler answers: its result members, or a refusal. */
export type Outcome<R> = { readonly result: R } | { readonly refused: Refusal };

/** Parameters as they came: the wire may leave out or send nil for anything. */
type Received<O extends Operation> = OutputFields<O['parameters']>;

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

/** Bounds of pages. Used by the handlers, and told in the assumptions. */
export const paging = { firstPage: 1, defaultSize: 25, largestSize: 1000 } as const;

/** How the sandbox refuses credentials in results that have an envelope. */
export const invalidCredentials = { number: 401, code: 'InvalidCredentials' } as const;

/** Numbers and codes of refusals. Each operation says them the way it says failures (see "How operations refuse"). */
const notFound = { number: 404, code: 'NotFound' } as const;
/** A user that is not there. */
export const unknownUser = { number: 404, code: 'UnknownUser' } as const;
/** A period or a follow-up that ends before it begins. */
export const badPeriod = { number: 400, code: 'InvalidPeriod' } as const;
/** A field value that cannot be written or searched for. */
export const invalidField = { number: 400, code: 'InvalidField' } as const;
/** A file without a name, or whose content is not base64. */
export const invalidFile = { number: 400, code: 'InvalidFile' } as const;
/** A product whose unit does not exist. */
export const invalidProduct = { number: 400, code: 'InvalidProduct' } as const;
/** A line for a period on an activity that is no subscription. */
export const notASubscription = { number: 400, code: 'NotASubscription' } as const;

/** Tables of things that have an Id but no record in the contract. */
export type NamedTable = 'EntityType' | 'Workflow' | 'Queue' | 'User' | 'ProductGroup' | 'Vat';

/** An id as it was given: absent and nil are the empty id. */
export const idOf = (given: string | null | undefined): string => (given ?? emptyId).toLowerCase();

/** The record with an id. Refuses when there is none (assumptions.json, "Unknown ids"). */
export function known<R extends RecordType>(
  store: Store,
  record: R,
  { id, what }: { readonly id: string | null | undefined; readonly what: string },
): Stored<OutputOf<R>> {
  const found = findById(store, record, idOf(id));
  return found ?? refuse({ ...notFound, description: `There is no ${what} ${idOf(id)}.` });
}

/** True when something with this id is there. */
export function isKnown(store: Store, table: NamedTable, id: string | null | undefined): boolean {
  return store.statement(`SELECT 1 FROM "${table}" WHERE Id = ?`).first(idOf(id)) !== undefined;
}

/** Refuses an id under which nothing is there (assumptions.json, "Unknown ids"). */
export function check(
  store: Store,
  table: NamedTable,
  { id, what }: { readonly id: string | null | undefined; readonly what: string },
): void {
  if (!isKnown(store, table, id)) refuse({ ...notFound, description: `There is no ${what} ${idOf(id)}.` });
}

/** Refuses an id that is no entity type of a kind. */
export function checkEntityType(store: Store, id: string | null | undefined, kind: string): void {
  const [found] = store.statement('SELECT Kind FROM "EntityType" WHERE Id = ?').first(idOf(id)) ?? [];
  if (found === kind) return;
  const description = `There is no entity type ${idOf(id)} of the kind ${kind}.`;
  refuse({ ...notFound, description });
}
