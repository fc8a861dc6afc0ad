import { isRecord, type RecordValue } from '../core/values/value.js';
import { isGuid } from '../core/text/scalars/guid.js';

/**
 * Id of a telephone book entry: that of its relation, which may be a record or an Id (the interface document does not show
 * it). A relation with several numbers may have several entries. Undefined when the entry has no Id.
 */
export function relationId(entry: RecordValue): string | undefined {
  const relation = entry['relation'];
  const id = isRecord(relation) ? relation['Id'] : relation;
  return typeof id === 'string' && (isRecord(relation) || isGuid(id)) ? id : undefined;
}
