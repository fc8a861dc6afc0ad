import { fieldName } from '../../writes/columns.js';
import { opt } from '../../contract/build.js';
import { string } from '../../contract/scalars.js';
import type { CellKind, CellState } from '../../formats/edits/cell-state.js';
import { usage } from '../../core/errors/relctl-error.js';
import { fieldColumns } from '../../lists/fields/columns.js';
import type { FieldCatalogue } from '../../lists/fields/catalogue.js';
import { fieldItems } from '../../lists/fields/included.js';
import type { EditColumn, EditList } from '../../lists/editing/for-edit.js';
import { itemType, type ListPlan } from '../../lists/plan.js';
import { cellText } from '../../formats/columns.js';
import { isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import { type FieldDescription, writeComplaint } from '../../soap/codec/field-rules.js';

const kinds: Readonly<Record<string, CellKind>> = {
  Bit: 'boolean',
  Int: 'number',
  SmallInt: 'number',
  BigInt: 'number',
  Decimal: 'number',
  Currency: 'number',
  Float: 'number',
  UniqueIdentifier: 'guid',
};

/** Members that tell people which activity a row is; no update changes them. */
const lookedAt = ['Number', 'Info'] as const;

/** What tells two values of a field apart. */
export const fieldState = (id: string, description: FieldDescription | undefined): Omit<CellState, 'text'> => ({
  name: fieldName(id),
  kind: kinds[description?.Type ?? ''] ?? 'text',
});

function valueIn(record: RecordValue, id: string): Value | undefined {
  const item = fieldItems(record).find((each) => isRecord(each) && cellText(each['Id']).toLowerCase() === id);
  return isRecord(item) ? item['Value'] : undefined;
}

const isLookedAt = (field: FieldDescription): boolean =>
  writeComplaint({ ...field, IsRequired: false }, '') !== undefined;

function columnOf(
  { id, title }: { readonly id: string; readonly title: string },
  catalogue: FieldCatalogue,
): EditColumn {
  const { description } = catalogue.find(id, '--for-edit');
  const isOnly = description !== undefined && isLookedAt(description);
  const column = `Field.${title}`;
  return {
    title: isOnly ? `_${column}` : column,
    field: opt(string, 'Value of the field.'),
    ...(isOnly ? {} : { state: fieldState(id, description) }),
    valueOf: (record) => valueIn(record, id.toLowerCase()),
  };
}

/** Activities to be edited: the fields of the workflow. Throws `usage` where they were not looked up. */
export async function editedActivities(plan: ListPlan): Promise<EditList> {
  const { catalogue, ...rest } = plan;
  const fields = await catalogue?.();
  if (fields?.ids === undefined)
    throw usage('--fields-of', '--for-edit needs --fields-of WORKFLOW, which lists the fields of activities');
  const item = itemType(plan);
  const about = lookedAt.flatMap((member): readonly EditColumn[] => {
    const field = item.fields[member];
    return field === undefined ? [] : [{ title: `_${member}`, field, valueOf: (record) => record[member] }];
  });
  const own = fieldColumns(fields.ids, fields).map((column) => columnOf(column, fields));
  return { plan: { ...rest, input: { ...plan.input, includeFields: true } }, columns: [...about, ...own] };
}
