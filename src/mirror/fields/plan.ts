import { isGuid } from '../../core/text/scalars/guid.js';

interface NamedField {
  readonly id: string;
  readonly names: readonly string[];
}

interface FieldColumn {
  readonly title: string;
  readonly id: string;
}

const longest = 64;

const bareId = (id: string): string => id.replaceAll('-', '');

const cut = (text: string, letters: number): string => Array.from(text).slice(0, letters).join('').trim();

const visible = (name: string): string =>
  cut(
    name
      .normalize('NFC')
      .replace(/[\p{C}\p{Z}]+/gu, ' ')
      .trim(),
    longest,
  );

const keyOf = (name: string): string => name.toLowerCase();

function countsOf(fields: readonly NamedField[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { names } of fields) {
    for (const key of new Set(names.map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** A title that is not taken yet: a field may be called like another one with its Id. */
function freeTitle(title: string, taken: ReadonlySet<string>): string {
  let free = title;
  while (taken.has(keyOf(free))) free = `${free}_`;
  return free;
}

/**
 * The columns of some fields, in their order. A title is the first name of the field that no other field has and that is not
 * reserved, else its first name with its Id, else its Id. No two titles are the same, whatever the case.
 * @param reserved names in small letters that no column may have
 */
export function columnsFor(fields: readonly NamedField[], reserved: ReadonlySet<string>): readonly FieldColumn[] {
  const shown = fields.map(({ id, names }) => ({
    id,
    names: names.map(visible).filter((name) => name !== ''),
  }));
  const counts = countsOf(shown);
  // A record of JavaScript would put a member whose name is a number before all others.
  const isOwn = (name: string): boolean =>
    counts.get(keyOf(name)) === 1 && !reserved.has(keyOf(name)) && !/^\d+$/.test(name);
  const withId = (name: string, id: string): string => `${cut(name, longest - 33)}_${bareId(id)}`;
  const taken = new Set<string>();
  return shown.map(({ id, names }) => {
    const [first] = names;
    const title = freeTitle(names.find(isOwn) ?? (first === undefined ? id : withId(first, id)), taken);
    taken.add(keyOf(title));
    return { title, id };
  });
}

/** A name as a word of SQL that needs no quotes behind a letter. */
export const asWord = (name: string): string => visible(name).replace(/[^\p{L}\p{M}\p{N}_]+/gu, '_');

/** Names that a profile has: what a view and its columns are called. Ids are in small letters. */
export interface FieldNames {
  /** Names of fields, the best first. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly entityTypes: ReadonlyMap<string, string>;
}

/** A view of the records of one entity type, with a column a field. */
export interface FieldView {
  readonly name: string;
  readonly table: string;
  readonly entityTypeId: string;
  /** Columns of the record that stand before those of the fields. */
  readonly first: readonly string[];
  readonly columns: readonly FieldColumn[];
}

/** A table whose records have fields by their entity type. */
export interface Base {
  readonly table: string;
  readonly values: string;
  readonly type: string;
  readonly first: readonly string[];
}

/** All such tables. */
export const bases: readonly Base[] = [
  { table: 'relations', values: 'relation_field_values', type: 'EntityTypeId', first: ['Id', 'DisplayName'] },
  { table: 'relationships', values: 'relationship_field_values', type: 'EntityTypeId', first: ['Id', 'DisplayName'] },
  {
    table: 'activities',
    values: 'activity_field_values',
    type: 'ActivityEntityTypeId',
    first: ['Id', 'Number', 'Info'],
  },
];

/** Most columns of fields that a view has, and most views of a table: databases have limits, and the Ids are not ours. */
export const most = { columns: 500, views: 100, found: 100_000 };

/** What views are planned of. */
export interface Making {
  readonly names: FieldNames;
  /** Names of fields by Id, in the order of the columns. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** Names in small letters that no view and no column of a field may have. */
  readonly taken: ReadonlySet<string>;
}

/** The Ids of fields and what they are called in a mirror, before the names that a profile has. */
export function namedFields(
  rows: Iterable<readonly [id: string, name: string]>,
  { fields }: FieldNames,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [id, name] of rows) found.set(id, [...(found.get(id) ?? []), name]);
  for (const [id, others] of fields) found.set(id, [...(found.get(id) ?? []), ...others]);
  return found;
}

/** The fields of each entity type, of rows that say which type has which field. What is no GUID is left out. */
export function fieldsByType(
  rows: Iterable<readonly [type: unknown, field: unknown]>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [typeId, fieldId] of rows) {
    if (typeof typeId !== 'string' || typeof fieldId !== 'string' || !isGuid(typeId) || !isGuid(fieldId)) continue;
    const fields = found.get(typeId);
    if (fields === undefined) found.set(typeId, [fieldId]);
    else fields.push(fieldId);
  }
  return found;
}

function nameOf(
  { table }: Base,
  entityTypeId: string,
  { names, used }: Making & { readonly used: ReadonlySet<string> },
): string {
  const called = asWord(names.entityTypes.get(entityTypeId) ?? '');
  const isFree = (name: string): boolean => !used.has(name.toLowerCase());
  const begin = `${table}_of_`;
  const named = `${begin}${called}`;
  if (called !== '' && isFree(named)) return named;
  const id = bareId(entityTypeId);
  return freeTitle(called === '' ? `${begin}${id}` : `${begin}${called}_${id}`, used);
}

/** The views of a table, without those of which no field has a name. */
export function viewsOf(
  base: Base,
  found: ReadonlyMap<string, readonly string[]>,
  making: Making,
): readonly FieldView[] {
  const { fields, taken } = making;
  const ranks = new Map([...fields.keys()].map((id, rank) => [id, rank]));
  const rankOf = ({ id }: NamedField): number => ranks.get(id) ?? ranks.size;
  const { table, first } = base;
  const reserved = new Set([...taken, ...first.map((name) => name.toLowerCase())]);
  const used = new Set(taken);
  const known = [...found].filter(([, ids]) => ids.some((id) => fields.has(id)));
  return known.slice(0, most.views).map(([entityTypeId, ids]) => {
    const named = ids.map((id): NamedField => ({ id, names: fields.get(id) ?? [] }));
    const shown = named.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, most.columns);
    const name = nameOf(base, entityTypeId, { ...making, used });
    used.add(name.toLowerCase());
    return { name, table, entityTypeId, first, columns: columnsFor(shown, reserved) };
  });
}
