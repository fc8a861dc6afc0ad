import type { Config } from '@oclif/core';
import type { RowPlan, RowsText, RowValues } from '../../bulk/rows-text.js';
import type { Place } from '../../bulk/reading/columns.js';
import { commandsOf } from '../../cli/commands-of.js';
import { valueOfType } from '../../cli/flags/by-type.js';
import type { Operation } from '../../contract/build.js';
import { usage } from '../../errors/usage.js';
import type { RecordValue, Value } from '../../plain/value.js';
import { filled, pathText, placeOf, type Path } from './paths.js';

/** Throws `usage` for an operation that cannot be called for the rows of a file. */
export function checkWrites({ operation, isKnown }: { operation: Operation; isKnown: boolean }, config: Config): void {
  const { name, access } = operation;
  if (!isKnown)
    throw usage('--from', `rows are checked by the types of ${name}, which nothing describes here`, {
      advice: 'An import of the WSDL of the service describes it; without one, call it row by row, without --from.',
      hint: 'relctl operations import',
    });
  if (access !== 'read') return;
  const [command] = commandsOf(config, name).filter((each) => each !== 'call');
  const instead = command === undefined ? {} : { hint: `relctl ${command} --help` };
  throw usage('--from', `${name} reads, and --from is for operations that write`, {
    advice: 'Commands that read take --ids FILE, where the service has an operation for one record.',
    ...instead,
  });
}

/** The first Id in parameters: what they write to. */
function recordIn(fields: Operation['parameters'], input: RecordValue): string | undefined {
  for (const [name, { type }] of Object.entries(fields)) {
    const value = input[name];
    if (type.kind === 'scalar' && type.name === 'guid' && typeof value === 'string') return value.toLowerCase();
    if (type.kind === 'record' && typeof value === 'object' && value !== null)
      return recordIn(type.fields, value as RecordValue);
  }
  return undefined;
}

/** True for a place that is within another one, and not the same. */
const isWithin = (inner: Path, outer: Path): boolean =>
  inner.length > outer.length && outer.every((step, index) => inner[index] === step);

/** How an operation is called for the rows of a file. */
export function callRows(operation: Operation, base: RecordValue): RowsText<undefined> {
  const { name, parameters, access } = operation;
  const paths = new Map<string, Path>();
  const ownColumn = (title: string): Place | undefined => {
    const found = placeOf(title, operation);
    if (found === undefined) return undefined;
    const { path, type } = found;
    const column = pathText(path);
    const other = [...paths.values()].find((each) => isWithin(each, path) || isWithin(path, each));
    if (other !== undefined)
      throw usage(title, `the columns '${pathText(other)}' and '${column}' write the same: one is within the other`);
    paths.set(column, path);
    return { name: column, reader: (text) => valueOfType(type, text, column) };
  };
  return {
    operation,
    does: access === 'add' ? 'add' : 'change',
    record: { argument: '', members: [] },
    members: {},
    hasFields: false,
    ownColumn,
    open: () => Promise.resolve(undefined),
    plan: (row) => planRow(row),
  };

  function planRow({ values }: RowValues): RowPlan {
    const said = [...paths].flatMap(([column, path]): readonly (readonly [Path, Value])[] => {
      // The readers of columns made these values.
      const value = values[column] as Value | undefined;
      return value === undefined ? [] : [[path, value]];
    });
    const input = filled(base, said);
    const key = recordIn(parameters, input) ?? JSON.stringify(input);
    return {
      key,
      title: `${name} of ${key}`,
      input,
      changes: said.length === 0 ? [{ name, to: '' }] : said.map(([path, to]) => ({ name: pathText(path), to })),
    };
  }
}
