import type { RecordValue } from '../core/values/value.js';
import { valueAt, type Column } from './columns.js';

/** Finds what the record is called whose Id a member holds; undefined when that is not known. */
export type NameOf = (id: string, member: string) => string | undefined;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The names that records have beside their Id, also those of records within them. */
export function namesIn(records: readonly RecordValue[], columns: readonly Column[]): NameOf {
  const names = new Map<string, string>();
  for (const { path } of columns.filter(({ role }) => role === 'name')) {
    const idPath = [...path.slice(0, -1), 'Id'];
    for (const record of records) {
      const [id, name] = [valueAt(record, idPath), valueAt(record, path)];
      if (isText(id) && isText(name)) names.set(id.toLowerCase(), name);
    }
  }
  return (id) => names.get(id.toLowerCase());
}

/** True for a column of Ids of other records: the name of the own one stands beside it. */
export const refersToOther = ({ path, type }: Column): boolean =>
  path.at(-1) !== 'Id' && type.kind === 'scalar' && type.name === 'guid';
