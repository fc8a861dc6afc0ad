import { opt, recordWithoutPresence, type Fields } from '../../contract/build.js';
import { PvActivityData } from '../../contract/records/activity.js';
import { string } from '../../contract/scalars.js';
import { isRecord, type RecordValue } from '../../soap/values.js';
import type { OutputFlags } from '../flags/output.js';
import { formatOf } from '../output-choice.js';
import type { ListPlan } from '../list-plan.js';
import type { FieldBook } from './book.js';

/** What decides whether field values get columns of their own. */
export interface ColumnWish {
  readonly book: FieldBook;
  readonly flags: OutputFlags & { readonly 'include-fields': boolean };
}

/** JSON, NDJSON and YAML keep the record as the contract spells it. */
function hasColumns(flags: OutputFlags): boolean {
  const format = formatOf(flags, undefined);
  return format === undefined || format === 'table' || format === 'card' || format === 'csv' || format === 'tsv';
}

/** Field values by name, for columns such as Field.Subject. */
function named(record: RecordValue, book: FieldBook): RecordValue {
  const values = record['FieldValues'];
  const items = isRecord(values) && Array.isArray(values['Items']) ? values['Items'].filter(isRecord) : [];
  return Object.fromEntries(
    items.flatMap(({ Id, Value }) =>
      typeof Id === 'string' && Value !== undefined ? [[book.nameOf(Id) ?? Id, Value] as const] : [],
    ),
  );
}

/**
 * A plan whose records have a member `Field` with the values of their fields by name, where fields were asked for and are
 * known. Values of fields that are not known stay where they came, in FieldValues.
 */
export function withFieldColumns(plan: ListPlan, { book, flags }: ColumnWish): ListPlan {
  if (!flags['include-fields'] || book.names.length === 0 || !hasColumns(flags)) return plan;
  const columns: Fields = Object.fromEntries(book.names.map((name) => [name, opt(string, 'Value of the field.')]));
  const Field = recordWithoutPresence('FieldsByName', 'Values of configurable fields.', columns);
  const { FieldValues, ...own } = PvActivityData.fields;
  const type = recordWithoutPresence('PvActivityData', PvActivityData.doc, {
    ...own,
    Field: opt(Field, 'Values by name.'),
    FieldValues,
  });
  return {
    ...plan,
    table: [...plan.table, ...book.names.map((name) => `Field.${name}`)],
    printed: { type, of: (record) => ({ ...record, Field: named(record, book) }) },
  };
}
