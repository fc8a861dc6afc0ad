import { isRecord, type RecordValue } from '../soap/values.js';

/** Id of a telephone book entry: that of its relation. */
export function relationId(entry: RecordValue): string | undefined {
  const relation = entry['relation'];
  const id = isRecord(relation) ? relation['Id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
