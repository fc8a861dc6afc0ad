import type { Fields, Operation } from '../../contract/build.js';
import { fullResult } from '../../contract/walk.js';

const known = new WeakMap<Operation, Fields>();

/** All members of an operation's result, made once: plans are kept per set of fields. */
export function resultFields(operation: Operation): Fields {
  const fields = known.get(operation) ?? fullResult(operation);
  known.set(operation, fields);
  return fields;
}
