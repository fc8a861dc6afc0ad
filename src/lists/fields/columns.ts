import { isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import type { Operation, RecordType } from '../../contract/build.js';
import { perhaps, RelctlError, usage } from '../../core/errors/relctl-error.js';
import type { Format } from '../../formats/writers/format.js';
import { type FormatName, formats } from '../../formats/writers/index.js';
import { allOthers, columnNames } from '../../formats/columns.js';
import type { Context } from '../../kit/host/context.js';
import type { Session } from '../../kit/session/session.js';
import type { FieldCatalogue } from './catalogue.js';
import {
  fieldItems,
  printedWith,
  type FieldColumn,
  type Included,
  type Printed,
  counterItems,
  countersOf,
} from './included.js';
import { aliasCatalogue } from './look-up.js';
import { convert, type Shape } from '../shape.js';
import { TabPageType } from '../../contract/enumerations.js';
import { int, string } from '../../contract/scalars.js';
import { inAnyCase } from '../../core/text/text.js';
import type { NamedValue, Scope } from '../../formats/query/where/names.js';

/** The call whose records have columns. */
export interface ColumnSource {
  readonly operation: Operation;
  readonly input: RecordValue;
  /** Looks up the fields that records have values of; without it the aliases of the profile name them. */
  readonly catalogue?: (() => Promise<FieldCatalogue>) | undefined;
}

/** How fields get columns. */
export interface FieldColumns {
  /** Ids of the fields that were looked up; undefined when columns come from the values of all records. */
  readonly known: readonly string[] | undefined;
  readonly with: (ids: Iterable<string>) => Shape;
}

/** Columns that are known, or will be when all records were read. */
export interface Columns {
  readonly shape: Shape;
  /** Undefined when fields get no columns, or --columns names them. */
  readonly fields?: FieldColumns | undefined;
}

const fieldPrefix = 'Field.';
const counterPrefix = 'Counter.';

/** Columns for fields, in the order of the ids; a title is the name of the field, its alias, or else its id. */
export function fieldColumns(ids: Iterable<string>, catalogue: FieldCatalogue): readonly FieldColumn[] {
  const byKey = new Map<string, FieldColumn>();
  const titles = new Set<string>();
  for (const id of ids) {
    if (byKey.has(id.toLowerCase())) continue;
    const name = catalogue.nameOf(id) ?? id;
    const title = titles.has(name) || /[.,]/.test(name) ? id : name;
    titles.add(title);
    byKey.set(id.toLowerCase(), { id, title });
  }
  return [...byKey.values()];
}

/** The fields that a record has values of. */
export function fieldIds(record: RecordValue): readonly string[] {
  return fieldItems(record).flatMap((item) => (isRecord(item) && typeof item['Id'] === 'string' ? [item['Id']] : []));
}

const startsWith = (title: string, prefix: string): boolean => title.toLowerCase().startsWith(prefix.toLowerCase());

const parameters = [
  { prefix: fieldPrefix, parameter: 'includeFields', flag: '--include-fields' },
  { prefix: counterPrefix, parameter: 'includeCounters', flag: '--include-counters' },
] as const;

/** The flag without which a column would be empty, because its values are not asked for; undefined where they are. */
const neededFlag = ({ operation, input }: ColumnSource, title: string): string | undefined =>
  parameters.find(
    ({ prefix, parameter }) =>
      startsWith(title, prefix) && Object.hasOwn(operation.parameters, parameter) && input[parameter] !== true,
  )?.flag;

function refuseUnrequested(source: ColumnSource, chosen: readonly string[]): void {
  for (const column of chosen) {
    const flag = neededFlag(source, column);
    if (flag !== undefined) throw usage('--columns', `--columns ${column} needs ${flag}`, flag);
  }
}

/** The field of a column `Field.NAME`. Throws `usage` for one that is not known. */
function fieldNamed(title: string, catalogue: FieldCatalogue, flag: string): FieldColumn {
  const name = title.slice(fieldPrefix.length);
  try {
    const field = catalogue.find(name, flag);
    return { id: field.id, title: field.name };
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    const { correction } = error;
    if (correction === undefined) throw error;
    throw error.but(perhaps(title, `${fieldPrefix}${correction.meant}`, correction.otherwise));
  }
}

function isField(title: string, catalogue: FieldCatalogue): boolean {
  if (!startsWith(title, fieldPrefix)) return false;
  try {
    fieldNamed(title, catalogue, '--columns');
    return true;
  } catch {
    return false;
  }
}

function include(shape: Shape, included: Included): Shape {
  const same: Printed = { type: shape.type, of: (record) => record };
  const printed = printedWith(same, included);
  const titles = included.moves ? included.fields.map(({ title }) => `${fieldPrefix}${title}`) : [];
  const table = [...shape.table, ...titles];
  return printed === same ? { ...shape, table } : convert(shape, printed, table);
}

function chosenColumns(
  source: ColumnSource,
  shape: Shape,
  { catalogue, chosen }: { catalogue: FieldCatalogue; chosen: readonly string[] },
): Columns {
  const requested = chosen
    .filter((title) => startsWith(title, fieldPrefix))
    .map((title) => fieldNamed(title, catalogue, '--columns'));
  const titles = new Set(requested.map(({ title }) => title));
  const others = fieldColumns(catalogue.ids ?? [], catalogue).filter(({ title }) => !titles.has(title));
  // The others are for the error message that lists the columns.
  const fields = source.input['includeFields'] === true ? [...requested, ...others] : [];
  return { shape: include(shape, { fields, counters: source.input['includeCounters'] === true, moves: false }) };
}

/** By title, so that the header does not depend on the order of the records. */
const byTitle = (left: FieldColumn, right: FieldColumn): number => (left.title < right.title ? -1 : 1);

function allColumns(
  source: ColumnSource,
  shape: Shape,
  { catalogue, counters }: { catalogue: FieldCatalogue; counters: boolean },
): Columns {
  const hasCounters = counters && source.input['includeCounters'] === true;
  const withIds = (ids: Iterable<string>): Shape => {
    const columns = fieldColumns(ids, catalogue);
    const fields = catalogue.ids === undefined ? columns.toSorted(byTitle) : columns;
    return include(shape, { fields, counters: hasCounters, moves: true });
  };
  const known = catalogue.ids?.length === 0 ? undefined : catalogue.ids;
  if (source.input['includeFields'] !== true) return { shape: withIds([]) };
  return { shape: withIds(known ?? []), fields: { known, with: withIds } };
}

/** What columns are decided from, besides the call. */
export interface ColumnContext {
  readonly context: Context;
  readonly session: Session;
  readonly flags: {
    readonly columns?: string | undefined;
    readonly where?: string | undefined;
    readonly 'for-edit'?: boolean | undefined;
  };
}

const includes = ['includeFields', 'includeCounters'] as const;

/** True for records that have no columns of fields and counters: in a tree, they are printed as the contract has them. */
const comeAsTheyAre = ({ catalogue, input }: ColumnSource, layout: Format['layout']): boolean =>
  layout === 'tree' || (catalogue === undefined && includes.every((name) => input[name] !== true));

/**
 * The columns of records in a format: with field values in rows, a column for each field; with counters in cells, one for
 * each kind. Throws `usage` for --columns that name a field that is not known, or was not asked for.
 */
export async function columnsOf(
  { context, session, flags }: ColumnContext,
  source: ColumnSource & { readonly format: FormatName },
  shape: Shape,
): Promise<Columns> {
  const parameters = includes.filter((name) => Object.hasOwn(source.operation.parameters, name));
  if (parameters.length === 0 || flags['for-edit'] === true) return { shape };
  // What is no word of --columns is told before a call looks the fields up.
  columnNames(flags.columns);
  const { layout } = formats[source.format];
  if (flags.columns === undefined && comeAsTheyAre(source, layout)) return { shape };
  const catalogue = (await source.catalogue?.()) ?? aliasCatalogue(context, session);
  const chosen = columnNames(flags.columns, (name) => isField(name, catalogue));
  if (chosen === undefined) return allColumns(source, shape, { catalogue, counters: layout === 'cells' });
  refuseUnrequested(source, chosen);
  return chosen.includes(allOthers)
    ? allColumns(source, shape, { catalogue, counters: true })
    : chosenColumns(source, shape, { catalogue, chosen });
}

const prefixes = /^(Field|Counter)\.(.+)$/is;

function valueOf(items: readonly Value[], member: string, name: string): Value | undefined {
  const matches = (value: Value | undefined): boolean =>
    typeof value === 'string' && value.toLowerCase() === name.toLowerCase();
  return items.filter(isRecord).find((item) => matches(item[member]))?.['Value'];
}

/**
 * Gives the columns of fields and of counters that --where may name, of records as they come: `Field.Priority`. Undefined
 * for records that have none. Fields are looked up where the condition has such a name.
 * @param type the records; one whose fields have rows of their own has no such columns
 */
export async function madeColumns(
  { context, session, flags }: ColumnContext,
  source: ColumnSource,
  type: RecordType,
): Promise<Scope['made']> {
  if (!/\b(?:field|counter)["\]`]?\s*\./i.test(flags.where ?? '')) return undefined;
  const counters = countersOf(type);
  const hasFields = Object.hasOwn(type.fields, 'FieldValues');
  const catalogue = hasFields ? ((await source.catalogue?.()) ?? aliasCatalogue(context, session)) : undefined;
  const field = (title: string): NamedValue | undefined => {
    const { id } = catalogue === undefined ? {} : fieldNamed(title, catalogue, '--where');
    if (id === undefined) return undefined;
    return { type: string, member: 'FieldValues', read: (record) => valueOf(fieldItems(record), 'Id', id) };
  };
  const counter = (name: string): NamedValue | undefined => {
    const tab = inAnyCase(name, TabPageType.values);
    if (tab === undefined || counters === undefined) return undefined;
    const read = (record: RecordValue): Value | undefined =>
      valueOf(counterItems(record, counters), 'TabPageType', tab);
    return { type: int, member: counters, read };
  };
  return (title) => {
    const [, prefix, name = ''] = prefixes.exec(title) ?? [];
    if (prefix === undefined) return undefined;
    const flag = neededFlag(source, title);
    if (flag !== undefined) throw usage('--where', `${title} needs ${flag}`, flag);
    return prefix.toLowerCase() === 'field' ? field(title) : counter(name);
  };
}
