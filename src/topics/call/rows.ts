import type { Config } from '@oclif/core';
import type { RowPlan, RowsText, RowValues } from '../../bulk/rows-text.js';
import type { Place } from '../../bulk/columns.js';
import { commandsOf } from '../../cli/commands-of.js';
import { valueOfType } from '../../cli/flags/by-type.js';
import { withoutMistakes } from '../../bulk/read-row.js';
import type { Operation, Field, Fields, Type } from '../../contract/build.js';
import { usage, type RelctlError } from '../../errors/relctl-error.js';
import { type RecordValue, type Value, isList, isRecord } from '../../plain/value.js';
import { inAnyCase, nearest } from '../../lexical/nearest.js';

/** A place in the parameters of an operation: names of members, and indexes of lists. */
type Path = readonly (string | number)[];

/** Lists of so many items are written in columns at most. */
const mostItems = 1000;

/** The steps of a path as it is written: `fieldValues[0].Id`; undefined for what is none. */
function stepsOf(text: string): Path | undefined {
  const isPath = /^[^.[\]]+(?:\[\d{1,4}\])*(?:\.[^.[\]]+(?:\[\d{1,4}\])*)*$/.test(text);
  if (!isPath) return undefined;
  const steps = text.match(/[^.[\]]+/g) ?? [];
  const isIndex = [...text.matchAll(/(\[)?[^.[\]]+/g)].map(([, bracket]) => bracket !== undefined);
  return steps.map((step, index) => (isIndex[index] === true ? Number(step) : step.trim()));
}

/** A path as it is written. */
const pathText = (path: Path): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`)).join('');

/** What a path leads to. */
interface Found {
  readonly path: Path;
  readonly type: Type;
  /** Undefined for an item of a list. */
  readonly field?: Field;
}

/** Where a path stands after some steps. */
interface Standing {
  readonly text: string;
  /** The operation, or the place, in words. */
  readonly holder: string;
  readonly path: Path;
  /** Undefined at the beginning. */
  readonly type: Type | undefined;
  readonly fields: Fields;
}

const no = ({ text }: Standing, what: string): RelctlError =>
  usage(text, `the column '${text}': ${what}: --map COLUMN=FLAG, or --map COLUMN= to leave it out`);

function itemIn(standing: Standing, index: number): Found {
  const { type, path, holder } = standing;
  if (type?.kind !== 'list') throw no(standing, `${holder} is no list`);
  if (index >= mostItems) throw no(standing, `at most ${mostItems} items have columns`);
  return { path: [...path, index], type: type.item };
}

function memberIn(standing: Standing, step: string): Found {
  const { type, path, holder, fields } = standing;
  if (type?.kind === 'list') throw no(standing, `${holder} is a list, whose first item is ${holder}[0]`);
  const names = Object.keys(fields);
  const name = inAnyCase(step, names);
  const found = name === undefined ? undefined : fields[name];
  if (name !== undefined && found !== undefined) return { path: [...path, name], type: found.type, field: found };
  const near = nearest(step, names);
  const there = names.length === 0 ? 'no members' : names.join(', ');
  throw no(standing, `${holder} has no '${step}'${near === undefined ? '' : ` (is it ${near}?)`}; it has ${there}`);
}

/** The place that a title names, with names as the contract spells them; undefined for what is no path. Throws `usage`. */
function placeOf(text: string, { parameters, name }: Operation): Found | undefined {
  let found: Found | undefined;
  for (const step of stepsOf(text) ?? []) {
    const { path = [], type }: Partial<Found> = found ?? {};
    const fields = type === undefined ? parameters : type.kind === 'record' ? type.fields : {};
    const standing = { text, holder: path.length === 0 ? name : pathText(path), path, type, fields };
    found = typeof step === 'number' ? itemIn(standing, step) : memberIn(standing, step);
  }
  return found;
}

/** A value while cells are put into it: lists may have holes. */
type Draft = Record<string, unknown> | unknown[];

/** The value with another one put at a path of it. */
function put(holder: Draft, [step, ...rest]: Path, value: Value | undefined): void {
  const at = holder as Record<string | number, unknown>;
  if (step === undefined) return;
  if (rest.length === 0) {
    at[step] = value;
    return;
  }
  const next = at[step];
  const isThere = typeof rest[0] === 'number' ? Array.isArray(next) : isRecord(next as Value);
  if (!isThere) at[step] = typeof rest[0] === 'number' ? [] : {};
  put(at[step] as Draft, rest, value);
}

/** The same without the holes of lists: an item of which no cell says anything is left out. */
function closed(value: Value): Value {
  if (isList(value)) return value.filter((each) => (each as unknown) !== undefined).map(closed);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, closed(each)]));
}

/** Parameters with these values at their places; nothing at those of undefined. */
function filled(base: RecordValue, values: readonly (readonly [Path, Value | undefined])[]): RecordValue {
  const draft = structuredClone(base) as Record<string, unknown>;
  for (const [path, value] of values) put(draft, path, value);
  return closed(draft as RecordValue) as RecordValue;
}

/** Throws `usage` for an operation that cannot be called for the rows of a file. */
export function checkWrites({ operation, isKnown }: { operation: Operation; isKnown: boolean }, config: Config): void {
  const { name, access } = operation;
  if (!isKnown)
    throw usage('--file', `rows are checked by the types of ${name}, which nothing describes here`, {
      advice: 'An import of the WSDL of the service describes it; without one, call it row by row, without --file.',
      hint: 'relctl operations import',
    });
  if (access !== 'read') return;
  const [command] = commandsOf(config, name).filter((each) => each !== 'call');
  const instead = command === undefined ? {} : { hint: `relctl ${command} --help` };
  throw usage('--file', `${name} reads, and --file is for operations that write`, {
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

function valueAt(holder: Value | undefined, [step, ...rest]: Path): Value | undefined {
  if (step === undefined || holder === undefined || holder === null || typeof holder !== 'object') return holder;
  return valueAt((holder as Readonly<Record<string | number, Value>>)[step], rest);
}

/** What is written as a whole and holds a place: a record, or an item of a list; undefined where nothing of it is sent. */
function wholeWith(path: Path, isSaid: (place: Path) => boolean): Path | undefined {
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
const checkWhole = (silent: readonly Path[], isSaid: (place: Path) => boolean): Promise<unknown> =>
  withoutMistakes(
    silent.map((path) => () => {
      const whole = wholeWith(path, isSaid);
      if (whole === undefined) return;
      const [part, all] = [pathText(path), pathText(whole)];
      const advice = `to leave ${all} as it is, leave all its cells empty; to make this one empty, write the text of --null-as`;
      throw usage(part, `it is empty, and ${all} is written as a whole: ${advice}`);
    }),
  );

/** What makes a value within a whole empty that cannot be null; a parameter stays null, and is refused. */
function emptied({ path, type, field }: Found): null | '' | undefined {
  if (path.length < 2 || field?.presence !== 'opt' || field.nillable === true) return null;
  return type.kind === 'scalar' && type.name === 'string' ? '' : undefined;
}

/** How an operation is called for the rows of a file. */
export function callRows(operation: Operation, base: RecordValue): RowsText<undefined> {
  const { name, parameters, access } = operation;
  const places = new Map<string, Found>();
  const ownColumn = (title: string): Place | undefined => {
    const found = placeOf(title, operation);
    if (found === undefined) return undefined;
    const { path, type } = found;
    const column = pathText(path);
    const other = [...places.values()].find((each) => isWithin(each.path, path) || isWithin(path, each.path));
    if (other !== undefined)
      throw usage(
        title,
        `the columns '${pathText(other.path)}' and '${column}' write the same: one is within the other`,
      );
    places.set(column, found);
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

  async function planRow({ values }: RowValues): Promise<RowPlan> {
    const said = [...places].flatMap(([column, found]): readonly (readonly [Path, Value | undefined])[] => {
      // The readers of columns made these values.
      const value = values[column] as Value | undefined;
      if (value === undefined) return [];
      return [[found.path, value === null && access !== 'add' ? emptied(found) : value]];
    });
    if (access !== 'add') {
      const silent = [...places].flatMap(([column, { path }]) =>
        values[column] === undefined && valueAt(base, path) === undefined ? [path] : [],
      );
      await checkWhole(
        silent,
        (place) => valueAt(base, place) !== undefined || said.some(([path]) => isWithin(path, place)),
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
