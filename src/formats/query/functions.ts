import {
  register,
  TYPE_ANY,
  TYPE_EXPREF,
  TYPE_NULL,
  TreeInterpreter,
  type compile,
  type InputSignature,
  type JSONValue,
} from '@jmespath-community/jmespath';

/** A parsed expression. */
export type Tree = ReturnType<typeof compile>;

/** Gives the groups of records by the text that an expression gives of each; any text may be the name of a group. */
function groupBy([items, expression]: readonly [readonly JSONValue[], Tree]): JSONValue {
  const groups = new Map<string, JSONValue[]>();
  for (const item of items) {
    const key: unknown = TreeInterpreter.visit(expression, item);
    if (typeof key !== 'string') throw new Error('group_by wants a text of each record');
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return Object.fromEntries(groups);
}

/** Functions of JMESPath that lose or refuse members which objects have by birth. */
const replaced: Readonly<Record<string, (values: never) => JSONValue>> = {
  group_by: groupBy,
  merge: (records: readonly Readonly<Record<string, JSONValue>>[]) =>
    Object.fromEntries(records.flatMap(Object.entries)),
};

const table = TreeInterpreter.runtime._functionTable;

/** Names of all functions. */
export const functionNames: readonly string[] = Object.keys(table);

/** True when an argument of a function may be nil as it is, or is an expression. */
const takesNil = ({ types }: InputSignature): boolean => types.includes(TYPE_ANY) || types.includes(TYPE_EXPREF);

/** Makes a function give nil when it gets nil where it wants a value, so that no record without one ends a list. */
function nilForNil(name: string, of: (values: never) => JSONValue, signature: readonly InputSignature[]): void {
  const wide = signature.map((each) => (takesNil(each) ? each : { ...each, types: [...each.types, TYPE_NULL] }));
  const isOpen = (value: unknown, index: number): boolean => {
    const argument = signature[Math.min(index, signature.length - 1)];
    return value === null && argument !== undefined && !takesNil(argument);
  };
  const called = (values: never): JSONValue => ((values as unknown[]).some(isOpen) ? null : of(values));
  register<string>(name, called as never, wide, { override: true });
}

for (const [name, { _func: of, _signature: signature }] of Object.entries(table))
  nilForNil(name, replaced[name] ?? of, signature);
