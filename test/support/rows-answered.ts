import type { ListAnswer } from '../../src/client/list-answer.js';
import type { RecordValue } from '../../src/core/values/value.js';

/** The answer with these rows, or the empty list when there are none. */
export const rowsAnswered = (records: readonly RecordValue[], list = 'Rows'): ListAnswer => ({
  list,
  state: records.length > 0 ? 'there' : 'empty',
  records,
  beside: [],
});
