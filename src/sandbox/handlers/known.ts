import type { RecordType } from '../../contract/build.js';
import type { OutputOf } from '../../contract/infer.js';
import { notFound } from '../refusals.js';
import { emptyId } from '../dataset/known.js';
import { findById } from '../store/records.js';
import type { Store } from '../store/open.js';
import type { Stored } from '../store/rows.js';
import { refuse } from './handler.js';

/** Tables of things that have an Id but no record in the contract. */
export type NamedTable = 'EntityType' | 'Workflow' | 'Queue' | 'User' | 'ProductGroup' | 'Vat';

/** An id as it was given: absent and nil are the empty id. */
export const idOf = (given: string | null | undefined): string => (given ?? emptyId).toLowerCase();

/** The record with an id. Refuses when there is none (assumptions.ts, "Unknown ids"). */
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

/** Refuses an id under which nothing is there (assumptions.ts, "Unknown ids"). */
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
