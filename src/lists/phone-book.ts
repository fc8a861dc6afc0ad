import { isRecord, type RecordValue } from '../plain/value.js';
import { isGuid } from '../lexical/guid.js';

/**
 * Id of a telephone book entry: that of its relation, in whichever shape the relation comes (the interface document does
 * not show it). Several entries may have the same: one for each number. Undefined when the entry tells no Id.
 */
export function relationId(entry: RecordValue): string | undefined {
  const relation = entry['relation'];
  const id = isRecord(relation) ? relation['Id'] : relation;
  return typeof id === 'string' && (isRecord(relation) || isGuid(id)) ? id : undefined;
}
