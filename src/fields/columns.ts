import { isRecord, type RecordValue } from '../plain/value.js';
import type { Operation, RecordType } from '../contract/build.js';
import { RelctlError } from '../errors/relctl-error.js';
import { type FormatName, formats } from '../output/formats/index.js';
import type { Context } from '../host/context.js';
import type { Session } from '../cli/session.js';
import type { FieldCatalogue } from './catalogue.js';
import { fieldItems, printedWith, type FieldColumn, type Printed } from './included.js';
import { aliasCatalogue } from './look-up.js';
import { usage } from '../errors/usage.js';

/** What decides the columns of the records that a call gives. */
export interface RecordPlan {
  readonly operation: Operation;
  readonly input: RecordValue;
  /** Columns of a table when none are asked for. */
  readonly table: readonly string[];
  /** The record type as it is printed, and how a record becomes one, when it is printed otherwise than it came. */
  readonly printed?: Printed;
  /** Looks up the fields that records have values of; without it the aliases of the profile name them. */
  readonly catalogue?: () => Promise<FieldCatalogue>;
}

/** A plan whose columns are known, or will be when its records have been seen. */
export interface ColumnPlan<Plan extends RecordPlan = RecordPlan> {
  readonly plan: Plan;
  /** The record type of the plan as it is printed. */
  readonly type: RecordType;
  /** Fields get columns of their own; undefined when the records are printed as they come. */
  readonly fields?: FieldPlan<Plan>;
}

/** How fields get columns. */
export interface FieldPlan<Plan extends RecordPlan = RecordPlan> {
  /** Ids of the fields that were looked up; undefined when the records must be seen first. */
  readonly known: readonly string[] | undefined;
  /** The plan with a column for each of these fields. */
  readonly with: (ids: Iterable<string>) => ColumnPlan<Plan>;
}

const fieldPrefix = 'Field.';
const counterPrefix = 'Counter.';

/** Columns for fields: by name, alias, or else id; the order is that of the ids. */
export function fieldColumns(ids: Iterable<string>, catalogue: FieldCatalogue): readonly FieldColumn[] {
  const byKey = new Map<string, FieldColumn>();
  const taken = new Set<string>();
  for (const id of ids) {
    if (byKey.has(id.toLowerCase())) continue;
    const name = catalogue.nameOf(id) ?? id;
    const title = taken.has(name) || /[.,]/.test(name) ? id : name;
    taken.add(title);
    byKey.set(id.toLowerCase(), { id, title });
  }
  return [...byKey.values()];
}

/** The fields that a record has values of. */
export function fieldIds(record: RecordValue): readonly string[] {
  return fieldItems(record).flatMap((item) => (isRecord(item) && typeof item['Id'] === 'string' ? [item['Id']] : []));
}

const askedWith = [
  { prefix: fieldPrefix, parameter: 'includeFields', flag: '--include-fields' },
  { prefix: counterPrefix, parameter: 'includeCounters', flag: '--include-counters' },
] as const;

/** Throws `usage` for a column that would be empty because its values are not asked for. */
function refuseNotAsked({ operation, input }: RecordPlan, chosen: readonly string[]): void {
  for (const { prefix, parameter, flag } of askedWith) {
    const column = chosen.find((title) => title.startsWith(prefix));
    if (column === undefined || !Object.hasOwn(operation.parameters, parameter) || input[parameter] === true) continue;
    throw usage('--columns', `--columns ${column} needs ${flag}`, flag);
  }
}

function found(title: string, catalogue: FieldCatalogue): FieldColumn {
  const name = title.slice(fieldPrefix.length);
  try {
    return { id: catalogue.find(name, '--columns').id, title: name };
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    const hint = error.hint?.replace(/^--columns /, `--columns ${fieldPrefix}`);
    throw new RelctlError(error.kind, error.message, { facts: error.facts, hint });
  }
}

function chosenPlan<Plan extends RecordPlan>(
  plan: Plan,
  base: Printed,
  { catalogue, chosen }: { catalogue: FieldCatalogue; chosen: readonly string[] },
): ColumnPlan<Plan> {
  refuseNotAsked(plan, chosen);
  const asked = chosen.filter((title) => title.startsWith(fieldPrefix)).map((title) => found(title, catalogue));
  const titles = new Set(asked.map(({ title }) => title));
  const others = fieldColumns(catalogue.ids ?? [], catalogue).filter(({ title }) => !titles.has(title));
  // The others are there for the list of what one could have meant.
  const fields = plan.input['includeFields'] === true ? [...asked, ...others] : [];
  const printed = printedWith(base, { fields, counters: plan.input['includeCounters'] === true, moves: false });
  return { plan: { ...plan, printed }, type: printed.type };
}

/** Deterministic whatever the order of the records: the same fields give the same header. */
const byTitle = (left: FieldColumn, right: FieldColumn): number => (left.title < right.title ? -1 : 1);

function openPlan<Plan extends RecordPlan>(
  plan: Plan,
  base: Printed,
  { catalogue, counters }: { catalogue: FieldCatalogue; counters: boolean },
): ColumnPlan<Plan> {
  const withIds = (ids: Iterable<string>): ColumnPlan<Plan> => {
    const columns = fieldColumns(ids, catalogue);
    const fields = catalogue.ids === undefined ? columns.toSorted(byTitle) : columns;
    const printed = printedWith(base, { fields, counters, moves: true });
    const table = [...plan.table, ...fields.map(({ title }) => `${fieldPrefix}${title}`)];
    return { plan: { ...plan, table, printed }, type: printed.type };
  };
  const known = catalogue.ids === undefined || catalogue.ids.length === 0 ? undefined : catalogue.ids;
  if (plan.input['includeFields'] !== true) return withIds([]);
  return { ...withIds(known ?? []), fields: { known, with: withIds } };
}

/**
 * The columns of a list in a format: with field values in rows, a column for each field; with counters in cells, one for
 * each kind. Throws `usage` for --columns that name a field that is not known, or was not asked for.
 */
export async function columnPlan<Plan extends RecordPlan>(
  { context, session, flags }: ColumnContext,
  plan: Plan,
  how: ColumnFormat,
): Promise<ColumnPlan<Plan>> {
  const { format, type } = how;
  const base: Printed = plan.printed ?? { type, of: (record) => record };
  const takes = ['includeFields', 'includeCounters'].some((name) => Object.hasOwn(plan.operation.parameters, name));
  if (!takes) return { plan, type: base.type };
  const chosen = flags.columns?.split(',').map((title) => title.trim());
  const { layout } = formats[format];
  // A tree keeps the record as the contract spells it.
  if (chosen === undefined && layout === 'tree') return { plan, type: base.type };
  const catalogue = (await plan.catalogue?.()) ?? aliasCatalogue(context, session);
  if (chosen !== undefined) return chosenPlan(plan, base, { catalogue, chosen });
  const counters = layout === 'cells' && plan.input['includeCounters'] === true;
  return openPlan(plan, base, { catalogue, counters });
}

/** Where columns are decided. */
export interface ColumnContext {
  readonly context: Context;
  readonly session: Session;
  readonly flags: { readonly columns?: string | undefined };
}

/** What decides the columns of a list, beside its plan. */
export interface ColumnFormat {
  readonly format: FormatName;
  /** The record type as it comes. */
  readonly type: RecordType;
}
