import type { Operation } from '../../contract/build.js';
import type { RecordValue } from '../../core/values/value.js';

/** An input as ledgers and journals keep it: without the content of files, of which only the length is told. */
export const keptInput = ({ parameters }: Operation, input: RecordValue): RecordValue =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const isContent = parameters[name]?.role === 'content' && typeof value === 'string';
      return [name, isContent ? `[content of ${value.length} characters]` : value];
    }),
  );
