import type { RecordValue } from '../../plain/value.js';
import type { Operation } from '../../contract/build.js';
import type { OperationName } from '../../contract/service.js';
import * as activity from './activity.js';
import type { Call, ContentHandler, Handler, WithContent } from './handler.js';
import * as notification from './notification.js';
import * as product from './product.js';
import * as relation from './relation.js';

/** The handlers of the sandbox: one for every operation of the contract, which the compiler checks. */
const handlers: { readonly [N in OperationName]: Handler<N> | ContentHandler<N> } = {
  ...activity,
  ...notification,
  ...product,
  ...relation,
};

/** A handler whose operation is known by its value only. */
export type AnyHandler = (call: Call, input: RecordValue) => RecordValue | WithContent<RecordValue>;

const byName: ReadonlyMap<string, unknown> = new Map(Object.entries(handlers));

/** The handler of an operation; undefined for one that is not in the contract. */
export function handlerOf(operation: Operation): AnyHandler | undefined {
  const found = byName.get(operation.name);
  // Input is decoded by the plan of the same operation that the handler is typed by, so the two fit; a map of all
  // operations cannot say so.
  return typeof found === 'function' ? (found as AnyHandler) : undefined;
}
