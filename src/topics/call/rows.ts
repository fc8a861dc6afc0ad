import type { Config } from '@oclif/core';
import type { RowPlan, RowsText, RowValues } from '../../writes/rows/rows-text.js';
import type { RowParameter } from '../../writes/columns.js';
import { commandsOf } from '../../kit/command.js';
import { valueOfType } from '../../kit/flags/by-type.js';
import { withoutMistakes } from '../../writes/rows/read-row.js';
import { filled, pathText, resolvePath, type PathTarget, type Path } from '../../kit/operations/places.js';
import type { Operation } from '../../contract/build.js';
import { fieldsOf, recordOf, scalarOf } from '../../contract/walk.js';
import { usage, type RelctlError } from '../../core/errors/relctl-error.js';
import { hasValue, isRecord, type RecordValue, type Value } from '../../core/values/value.js';

const unknownColumn =
  (text: string) =>
  (what: string): RelctlError =>
    usage(text, `the column '${text}': ${what}: --map COLUMN=FLAG, or --map COLUMN= to ignore it`);

/** Throws `usage` for an operation that cannot be called for the rows of a file. */
export function checkWrites({ operation, isKnown }: { operation: Operation; isKnown: boolean }, config: Config): void {
  const { name, access } = operation;
  if (!isKnown)
    throw usage('--file', `relctl checks rows by the types of ${name}, which has no description`, {
      advice: 'Import the WSDL of the service to describe it; or call it row by row, without --file.',
      hint: 'relctl operations import',
    });
  if (access !== 'read') return;
  const [command] = commandsOf(config, name).filter((each) => each !== 'call');
  const instead = command === undefined ? {} : { hint: `relctl ${command} --help` };
  throw usage('--file', `${name} reads, but --file is for operations that write`, {
    advice: 'Commands that read have --ids FILE, if the service has an operation for one record.',
    ...instead,
  });
}

function recordIn(fields: Operation['parameters'], input: RecordValue): string | undefined {
  for (const [name, { type }] of Object.entries(fields)) {
    const value = input[name];
    if (scalarOf(type) === 'guid' && typeof value === 'string') return value.toLowerCase();
    if (recordOf(type) !== undefined && isRecord(value)) return recordIn(fieldsOf(type), value);
  }
  return undefined;
}

const isWithin = (inner: Path, outer: Path): boolean =>
  inner.length > outer.length && outer.every((step, index) => inner[index] === step);

function valueAt(holder: Value | undefined, [step, ...rest]: Path): Value | undefined {
  if (step === undefined || !hasValue(holder) || typeof holder !== 'object') return holder;
  return valueAt((holder as Readonly<Record<string | number, Value>>)[step], rest);
}

/** What is written as a whole and holds a place: a record, or an item of a list; undefined where nothing of it is sent. */
function wholeWith(path: Path, isSaid: (path: Path) => boolean): Path | undefined {
  const above = path.slice(0, -1);
  if (above.length === 0 || isSaid(above)) return above.length === 0 ? undefined : above;
  // An item of which a row says nothing is left out, whatever others there are.
  return typeof above.at(-1) === 'number' ? undefined : wholeWith(above, isSaid);
}

/**
 * Refuses a row of a change that leaves a part of a record or of an item empty, and sends the rest of it: what is sent
 * replaces the whole, so that the empty cell would not leave the value, as it does elsewhere. Throws `RowMistakes`.
 * @param isSaid whether a place, or a part of it, has a value, from a cell or from the command line
 */
const checkWhole = (silent: readonly Path[], isSaid: (path: Path) => boolean): Promise<unknown> =>
  withoutMistakes(
    silent.map((path) => () => {
      const whole = wholeWith(path, isSaid);
      if (whole === undefined) return;
      const [part, all] = [pathText(path), pathText(whole)];
      const advice = `leave all its cells empty to keep ${all} unchanged, or write the text of --null-as to empty this one`;
      throw usage(part, `it is empty, and relctl writes ${all} as a whole: ${advice}`);
    }),
  );

/** What makes a value within a whole empty that cannot be null; a parameter stays null, and is refused. */
function emptied({ path, type, field }: PathTarget): null | '' | undefined {
  if (path.length < 2 || field?.presence !== 'opt' || field.nillable === true) return null;
  return scalarOf(type) === 'string' ? '' : undefined;
}

/** How an operation is called for the rows of a file. */
export function callRows(operation: Operation, base: RecordValue): RowsText<undefined> {
  const { name, parameters, access } = operation;
  const targets = new Map<string, PathTarget>();
  const ownColumn = (title: string): RowParameter | undefined => {
    const target = resolvePath(title, operation, unknownColumn(title));
    if (target === undefined) return undefined;
    const { path, type } = target;
    const column = pathText(path);
    const other = [...targets.values()].find((each) => isWithin(each.path, path) || isWithin(path, each.path));
    if (other !== undefined)
      throw usage(title, `the columns '${pathText(other.path)}' and '${column}' overlap: one contains the other`);
    targets.set(column, target);
    return { name: column, reader: (text) => valueOfType(type, text, column) };
  };
  return {
    operation,
    does: access === 'add' ? 'add' : 'change',
    record: { argument: '', members: [] },
    members: {},
    ownColumn,
    open: () => Promise.resolve(undefined),
    plan: (row) => planRow(row),
  };

  async function planRow({ values }: RowValues): Promise<RowPlan> {
    const said = [...targets].flatMap(([column, cells]): readonly (readonly [Path, Value | undefined])[] => {
      // The readers of columns made these values.
      const value = values[column] as Value | undefined;
      if (value === undefined) return [];
      return [[cells.path, value === null && access !== 'add' ? emptied(cells) : value]];
    });
    if (access !== 'add') {
      const silent = [...targets].flatMap(([column, { path }]) =>
        values[column] === undefined && valueAt(base, path) === undefined ? [path] : [],
      );
      await checkWhole(
        silent,
        (member) => valueAt(base, member) !== undefined || said.some(([path]) => isWithin(path, member)),
      );
    }
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
