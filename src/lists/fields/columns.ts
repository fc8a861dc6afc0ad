import { isRecord, type RecordValue } from '../../core/values/value.js';
import type { Operation, RecordType } from '../../contract/build.js';
import { perhaps, RelctlError, usage } from '../../core/errors/relctl-error.js';
import { type FormatName, formats } from '../../formats/writers/index.js';
import { allOthers, columnNames } from '../../formats/column-words.js';
import type { Context } from '../../kit/host/context.js';
import type { Session } from '../../kit/session/session.js';
import type { FieldCatalogue } from './catalogue.js';
import { fieldItems, printedWith, type FieldColumn, type Printed } from './included.js';
import { aliasCatalogue } from './look-up.js';

/** What decides the columns of the records that a call gives. */
export interface RecordPlan {
  readonly operation: Operation;
  readonly input: RecordValue;
  readonly table: readonly string[];
  /** The record type that is printed, and the conversion to it, when records are not printed as they came. */
  readonly printed?: Printed;
  /** It is written to be edited: its printed columns are all, and cells of a workbook are texts. */
  readonly forEdit?: boolean;
  /** Looks up the fields that records have values of; without it the aliases of the profile name them. */
  readonly catalogue?: () => Promise<FieldCatalogue>;
}

/** A plan whose columns are known, or will be when all its records were read. */
export interface ColumnPlan<Plan extends RecordPlan = RecordPlan> {
  readonly plan: Plan;
  readonly type: RecordType;
  /** How fields get columns; undefined when they get none, or --columns names them. */
  readonly fields?: FieldPlan<Plan>;
}

/** How fields get columns. */
export interface FieldPlan<Plan extends RecordPlan = RecordPlan> {
  /** Ids of the fields that were looked up; undefined when columns come from the values of all records. */
  readonly known: readonly string[] | undefined;
  readonly with: (ids: Iterable<string>) => ColumnPlan<Plan>;
}

const fieldPrefix = 'Field.';
const counterPrefix = 'Counter.';

/** Columns for fields, in the order of the ids; a title is the name of the field, its alias, or else its id. */
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

const startsWith = (title: string, prefix: string): boolean => title.toLowerCase().startsWith(prefix.toLowerCase());

const askedWith = [
  { prefix: fieldPrefix, parameter: 'includeFields', flag: '--include-fields' },
  { prefix: counterPrefix, parameter: 'includeCounters', flag: '--include-counters' },
] as const;

/** The flag without which a column would be empty, because its values are not asked for; undefined where they are. */
export const neededFlag = ({ operation, input }: RecordPlan, title: string): string | undefined =>
  askedWith.find(
    ({ prefix, parameter }) =>
      startsWith(title, prefix) && Object.hasOwn(operation.parameters, parameter) && input[parameter] !== true,
  )?.flag;

function refuseUnrequested(plan: RecordPlan, chosen: readonly string[]): void {
  for (const column of chosen) {
    const flag = neededFlag(plan, column);
    if (flag !== undefined) throw usage('--columns', `--columns ${column} needs ${flag}`, flag);
  }
}

/** The field of a column `Field.NAME`. Throws `usage` for one that is not known. */
export function fieldNamed(title: string, catalogue: FieldCatalogue, flag: string): FieldColumn {
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

function chosenPlan<Plan extends RecordPlan>(
  plan: Plan,
  base: Printed,
  { catalogue, chosen }: { catalogue: FieldCatalogue; chosen: readonly string[] },
): ColumnPlan<Plan> {
  const asked = chosen
    .filter((title) => startsWith(title, fieldPrefix))
    .map((title) => fieldNamed(title, catalogue, '--columns'));
  const titles = new Set(asked.map(({ title }) => title));
  const others = fieldColumns(catalogue.ids ?? [], catalogue).filter(({ title }) => !titles.has(title));
  // The others are for the error message that lists the columns.
  const fields = plan.input['includeFields'] === true ? [...asked, ...others] : [];
  const printed = printedWith(base, { fields, counters: plan.input['includeCounters'] === true, moves: false });
  return { plan: printing(plan, base, printed), type: printed.type };
}

/** The plan that prints so. Records that are printed as they came are told by the absence of a conversion. */
const printing = <Plan extends RecordPlan>(plan: Plan, base: Printed, printed: Printed): Plan =>
  printed === base ? plan : { ...plan, printed };

/** By title, so that the header does not depend on the order of the records. */
const byTitle = (left: FieldColumn, right: FieldColumn): number => (left.title < right.title ? -1 : 1);

function openPlan<Plan extends RecordPlan>(
  plan: Plan,
  base: Printed,
  { catalogue, counters }: { catalogue: FieldCatalogue; counters: boolean },
): ColumnPlan<Plan> {
  const withIds = (ids: Iterable<string>): ColumnPlan<Plan> => {
    const columns = fieldColumns(ids, catalogue);
    const fields = catalogue.ids === undefined ? columns.toSorted(byTitle) : columns;
    const printed = printedWith(base, {
      fields,
      counters: counters && plan.input['includeCounters'] === true,
      moves: true,
    });
    const table = [...plan.table, ...fields.map(({ title }) => `${fieldPrefix}${title}`)];
    return { plan: printing({ ...plan, table }, base, printed), type: printed.type };
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
  if (!takes || plan.forEdit === true) return { plan, type: base.type };
  // What is no word of --columns is told before a call looks the fields up.
  columnNames(flags.columns);
  const { layout } = formats[format];
  // In a tree, records are printed as the contract has them.
  if (flags.columns === undefined && layout === 'tree') return { plan, type: base.type };
  const catalogue = (await plan.catalogue?.()) ?? aliasCatalogue(context, session);
  const chosen = columnNames(flags.columns, (name) => isField(name, catalogue));
  if (chosen === undefined) return openPlan(plan, base, { catalogue, counters: layout === 'cells' });
  refuseUnrequested(plan, chosen);
  return chosen.includes(allOthers)
    ? openPlan(plan, base, { catalogue, counters: true })
    : chosenPlan(plan, base, { catalogue, chosen });
}

/** What columns are decided from, besides plan and format. */
export interface ColumnContext {
  readonly context: Context;
  readonly session: Session;
  readonly flags: { readonly columns?: string | undefined };
}

/** The format and the record type that columns are decided for. */
export interface ColumnFormat {
  readonly format: FormatName;
  readonly type: RecordType;
}
