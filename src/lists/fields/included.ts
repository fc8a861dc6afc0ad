import { isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import { opt, recordWithoutPresence, type Fields, type RecordType } from '../../contract/build.js';
import { TabPageType } from '../../contract/enumerations.js';
import { int, string } from '../../contract/scalars.js';

/** A column for the values of one field. */
export interface FieldColumn {
  readonly id: string;
  /** The name of the column, after `Field.`. */
  readonly title: string;
}

/** Which values get columns. */
export interface Included {
  readonly fields: readonly FieldColumn[];
  /** Counters too: their kinds are known from the contract. */
  readonly counters: boolean;
  /** Remove a value that has a column from the member that it came in. */
  readonly moves: boolean;
}

/** A record type to print, and the conversion of records to it. */
export interface Printed {
  readonly type: RecordType;
  readonly of: (record: RecordValue) => RecordValue;
}

const sameText = (id: string): string => id.toLowerCase();

/** The member with the counters: Counters beside a single relation, else CounterValues. */
export const countersOf = (type: RecordType): string | undefined =>
  ['Counters', 'CounterValues'].find((name) => Object.hasOwn(type.fields, name));

function typeWith(type: RecordType, { fields, counters }: Included): RecordType {
  const byTitle: Fields = Object.fromEntries(fields.map(({ title }) => [title, opt(string, 'Value of the field.')]));
  const Field = recordWithoutPresence('FieldsByName', 'Values of configurable fields.', byTitle);
  const byTab: Fields = Object.fromEntries(TabPageType.values.map((tab) => [tab, opt(int, 'Number of entries.')]));
  const Counter = recordWithoutPresence('CountersByTab', 'Numbers of entries on tab pages.', byTab);
  const counted = counters ? countersOf(type) : undefined;
  const all: Record<string, Fields[string]> = {};
  for (const [name, field] of Object.entries(type.fields)) {
    if (name === 'FieldValues' && fields.length > 0) all['Field'] = opt(Field, Field.doc);
    if (name === counted) all['Counter'] = opt(Counter, Counter.doc);
    all[name] = field;
  }
  return { ...type, fields: all };
}

/** The items of FieldValues of a record. */
export function fieldItems(record: RecordValue): readonly Value[] {
  const values = record['FieldValues'];
  const items = isRecord(values) ? values['Items'] : undefined;
  // Array.isArray loses that the list is readonly.
  return Array.isArray(items) ? (items as readonly Value[]) : [];
}

/** The items of the member of a record that has its counters. */
export function counterItems(record: RecordValue, member: string): readonly Value[] {
  const values = record[member];
  return Array.isArray(values) ? (values as readonly Value[]) : [];
}

interface Sorted {
  readonly placed: Readonly<Record<string, Value>>;
  readonly rest: readonly Value[];
}

function sorted(items: readonly Value[], key: string, titlesOf: (text: string) => readonly string[]): Sorted {
  const placed: (readonly [string, Value])[] = [];
  const seen = new Set<string>();
  // What --with-names adds says no more than the column does.
  const said = new Set([key, `${key}.Name`, 'Value']);
  const rest = items.filter((item) => {
    const text = isRecord(item) ? item[key] : undefined;
    const titles = typeof text === 'string' ? titlesOf(text) : [];
    if (!isRecord(item) || titles.length === 0 || titles.some((title) => seen.has(title))) return true;
    const value = item['Value'];
    for (const title of titles) {
      seen.add(title);
      if (value !== undefined) placed.push([title, value]);
    }
    return Object.keys(item).some((name) => !said.has(name));
  });
  return { placed: Object.fromEntries(placed), rest };
}

/** What is left of a list when some items have columns; undefined when all have. */
const remaining = (items: readonly Value[], rest: readonly Value[]): readonly Value[] | undefined =>
  rest.length === 0 && items.length > 0 ? undefined : rest;

/** A record without a member, or with another value of it. */
function replaced(record: RecordValue, name: string, value: Value | undefined): RecordValue {
  const { [name]: gone, ...others } = record;
  return gone === undefined || value === undefined ? others : { ...record, [name]: value };
}

function withFields(record: RecordValue, titles: ReadonlyMap<string, readonly string[]>, moves: boolean): RecordValue {
  const items = fieldItems(record);
  const { placed, rest } = sorted(items, 'Id', (id) => titles.get(sameText(id)) ?? []);
  const values = record['FieldValues'];
  const replacement = moves && isRecord(values) ? replaced(values, 'Items', remaining(items, rest)) : values;
  return { ...(replacement === undefined ? record : { ...record, FieldValues: replacement }), Field: placed };
}

function withCounters(record: RecordValue, member: string, moves: boolean): RecordValue {
  if (!Array.isArray(record[member])) return record;
  const items = counterItems(record, member);
  const { placed, rest } = sorted(items, 'TabPageType', (tab) => (isTab(tab) ? [tab] : []));
  return { ...(moves ? replaced(record, member, remaining(items, rest)) : record), Counter: placed };
}

const tabs: ReadonlySet<string> = new Set(TabPageType.values);
const isTab = (text: string): boolean => tabs.has(text);

/**
 * A record type with a column `Field.<title>` for each field and `Counter.<tab page>` for each kind of counter, and the
 * conversion of records to it (interface document, PvFieldValuesData, PvCounterData). A value without a column, and the
 * second value of a field, stay in the member that they came in. What is printed already, where no column is wanted.
 */
export function printedWith(base: Printed, included: Included): Printed {
  const { fields, counters, moves } = included;
  const titles = new Map<string, readonly string[]>();
  for (const { id, title } of fields) titles.set(sameText(id), [...(titles.get(sameText(id)) ?? []), title]);
  const counted = counters ? countersOf(base.type) : undefined;
  if (fields.length === 0 && counted === undefined) return base;
  return {
    type: typeWith(base.type, included),
    of(record) {
      const own = base.of(record);
      const named = fields.length === 0 ? own : withFields(own, titles, moves);
      return counted === undefined ? named : withCounters(named, counted, moves);
    },
  };
}
