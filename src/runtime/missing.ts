import { RelctlError } from '../errors/relctl-error.js';
import { isRecord, type RecordValue } from '../soap/values.js';

/** Throws `not-found` when a result that brings its relation along has none. */
export function missingRelation(result: RecordValue): void {
  if (isRecord(result['Relation'])) return;
  throw new RelctlError('not-found', 'there is no such relation: the service answered without one', {
    hint: 'Check the Id; `relctl whoami` shows which service was asked.',
  });
}
