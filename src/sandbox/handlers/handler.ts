import type { RecordType } from '../../contract/build.js';
import type { Output, OutputFields, OutputOf } from '../../contract/infer.js';
import type { OperationName, operations } from '../../contract/service.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type { PlacedContent } from '../../soap/wire/content.js';
import type { BufferedContent, SandboxContext } from '../context.js';
import { emptyId } from '../dataset/known.js';
import type { Store } from '../store/open.js';
import { findById, type PageRequest } from '../store/records.js';
import type { Stored } from '../store/rows.js';
import { instantKey } from '../../core/text/time/datetime.js';

/** Why a request is refused. invoke.ts writes it in the form of the operation. */
export interface Refusal {
  readonly number: number;
  readonly code: string;
  readonly description: string;
}

/** The sandbox, and the user who calls. */
export interface Call extends SandboxContext {
  /** User of the credentials; the empty id when they name none. */
  readonly userId: string;
  /** The content of a file, when it is too long for the input. */
  readonly content?: BufferedContent;
  /** Puts content that is not in memory into the answer, where a text of the result stands for it. */
  readonly place: (content: PlacedContent) => void;
}

/**
 * What executes each operation, on one snapshot or in one transaction, without waiting. A client may leave out any of the
 * decoded parameters or send nil. Throws Refused, a `refused`.
 */
export type Handlers = {
  readonly [N in OperationName]: (
    call: Call,
    input: OutputFields<(typeof operations)[N]['parameters']>,
  ) => Output<(typeof operations)[N]>;
};

/** Handlers of some operations, as the compiler knows them by the contract. */
export const handlersOf = <N extends OperationName>(handlers: Pick<Handlers, N>): Pick<Handlers, N> => handlers;

/** Numbers of refusals by code (assumptions.json, "How operations refuse"). */
export const refusalNumbers = {
  InvalidCredentials: 401,
  NotFound: 404,
  UnknownUser: 404,
  InvalidPeriod: 400,
  InvalidField: 400,
  InvalidFile: 400,
  InvalidProduct: 400,
  NotASubscription: 400,
} as const;

/** A refusal as an error of the kind `refused`; invoke.ts writes it in the form of the operation. */
export class Refused extends RelctlError {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super('refused', refusal.description);
    this.refusal = refusal;
  }
}

/** Refuses a request, before anything was written. Throws Refused, of the kind `refused`. */
export function refuse(code: keyof typeof refusalNumbers, description: string): never {
  throw new Refused({ number: refusalNumbers[code], code, description });
}

/** Limits of pages. Used by the handlers, and printed in the assumptions. */
export const paging = { firstPage: 1, defaultSize: 25, largestSize: 1000 } as const;

/** Tables of things that have an Id but no record in the contract. */
export type NamedTable = 'EntityType' | 'Workflow' | 'Queue' | 'User' | 'ProductGroup' | 'Vat';

/** An id in lower case; absent and nil are the empty id. */
export const idOf = (text: string | null | undefined): string => (text ?? emptyId).toLowerCase();

/** The record with an id. Throws `refused` when there is none (assumptions.json, "Unknown ids"). */
export function known<R extends RecordType>(
  store: Store,
  record: R,
  { id, what }: { readonly id: string | null | undefined; readonly what: string },
): Stored<OutputOf<R>> {
  const stored = findById(store, record, idOf(id));
  return stored ?? refuse('NotFound', `There is no ${what} ${idOf(id)}.`);
}

/** True when something with this id is there. */
export function isKnown(store: Store, table: NamedTable, id: string | null | undefined): boolean {
  return store.statement(`SELECT 1 FROM "${table}" WHERE Id = ?`).first(idOf(id)) !== undefined;
}

/** Throws `refused` when a table has no row with this id (assumptions.json, "Unknown ids"). */
export function check(
  store: Store,
  table: NamedTable,
  { id, what }: { readonly id: string | null | undefined; readonly what: string },
): void {
  if (!isKnown(store, table, id)) refuse('NotFound', `There is no ${what} ${idOf(id)}.`);
}

/** Throws `refused` unless the id is an entity type of this kind. */
export function checkEntityType(store: Store, id: string | null | undefined, kind: string): void {
  const [row] = store.statement('SELECT Kind FROM "EntityType" WHERE Id = ?').first(idOf(id)) ?? [];
  if (row === kind) return;
  const description = `There is no entity type ${idOf(id)} of the kind ${kind}.`;
  refuse('NotFound', description);
}

/** Decoded paging parameters of a request. */
export interface ReceivedPaging {
  readonly pageNumber?: number | null;
  readonly pageSize?: number | null;
}

/** The page to answer (interface document, Limits; assumptions.json, "First page" and "Page size"). */
export function pageOf({ pageNumber, pageSize }: ReceivedPaging): PageRequest {
  const size = pageSize ?? 0;
  return {
    pageNumber: Math.max(pageNumber ?? 0, paging.firstPage),
    pageSize: size <= 0 ? paging.defaultSize : Math.min(size, paging.largestSize),
  };
}

/** A period by sort keys; both ends belong to it. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The period of a request (interface document, Additional rules, 3). Throws `refused` when it ends before it begins. */
export function readPeriod(input: { readonly from?: string | null; readonly to?: string | null }): Period {
  const from = instantKey(input.from ?? '') ?? '';
  const to = instantKey(input.to ?? '') ?? '9999-12-31T23:59:59.9999999Z';
  if (from > to) refuse('InvalidPeriod', 'The period ends before it begins.');
  return { from, to };
}
