import { memberAt } from '../../contract/walk.js';
import { defined } from '../../plain/defined.js';
import { isObject } from '../../plain/object.js';
import { damaged, jsonIn } from '../damaged.js';
import { callPrefix } from './names.js';
import { callTable, isTooWide, type CalledList, type CallTable } from './table.js';
import { memberIn, recordIn, typesAsJson } from './types.js';

/** What the names of lines of `_mirror` begin with that hold tables of operations; the name of the table is behind it. */
const storedPrefix = 'table ';

/** The line of `_mirror` that keeps a table: its name, and what it is made of. */
export const storedLine = ({ name, call, record }: CallTable): readonly [name: string, value: string] => [
  `${storedPrefix}${name}`,
  JSON.stringify({ call, types: typesAsJson(record) }),
];

const wrong = () => damaged('the description of a table that no relctl wrote');

const pathIn = (value: unknown): readonly string[] => {
  if (!Array.isArray(value) || value.length === 0) throw wrong();
  return value.map(memberIn);
};

const parameterIn = (value: unknown): string | undefined => {
  if (value !== undefined && typeof value !== 'string') throw wrong();
  return value;
};

function calledIn(value: unknown): CalledList {
  if (!isObject(value)) throw wrong();
  const [pageParam, sizeParam] = [parameterIn(value['pageParam']), parameterIn(value['sizeParam'])];
  return {
    operation: memberIn(value['operation']),
    list: pathIn(value['list']),
    key: pathIn(value['key']),
    ...defined({ pageParam, sizeParam, isRead: value['isRead'] === true ? true : undefined }),
  };
}

const tableName = new RegExp(`^${callPrefix}[a-z0-9_]{1,60}$`);

function tableIn(name: string, text: string): CallTable {
  const value = jsonIn(text);
  if (!tableName.test(name) || !isObject(value)) throw wrong();
  const call = calledIn(value['call']);
  const record = recordIn(value['types']);
  if (memberAt(record.fields, call.key)?.type.kind !== 'scalar' || isTooWide(record)) throw wrong();
  return callTable(name, call, record);
}

/** The tables of operations that lines of `_mirror` keep, by their names. Throws `local` for lines that no relctl wrote. */
export function storedTables(lines: Iterable<readonly unknown[]>): ReadonlyMap<string, CallTable> {
  const tables = new Map<string, CallTable>();
  for (const [line, value] of lines) {
    const name = String(line);
    if (name.startsWith(storedPrefix)) {
      const own = name.slice(storedPrefix.length);
      tables.set(own, tableIn(own, String(value)));
    }
  }
  return tables;
}
