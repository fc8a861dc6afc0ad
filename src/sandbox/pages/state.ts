import type { EnumerationType, Field, Fields, ScalarType, Type } from '../../contract/build.js';
import { fieldEntries } from '../../contract/walk.js';
import { isRecord, type RecordValue, type Value } from '../../soap/values/values.js';

/**
 * What stands in a form: texts by path, such as `fieldValues[0].Id`. `PATH:sent` is the box that sends something although
 * it is empty, `PATH:rows` the number of rows of a list.
 */
export type FormState = ReadonlyMap<string, string>;

/** Rows that a list begins with, that one press adds, and that it can have at most. */
export const rows = { first: 2, more: 3, most: 50 } as const;

/** Path of a member. */
export const memberPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Path of a row. */
export const rowPath = (path: string, index: number): string => `${path}[${index}]`;

/** Number of rows that a list shows. */
export function rowCount(state: FormState, path: string): number {
  const given = Number(state.get(`${path}:rows`) ?? rows.first);
  return Number.isInteger(given) ? Math.min(Math.max(given, 1), rows.most) : rows.first;
}

/** True for something that goes out although it may be empty. */
export const isTicked = (state: FormState, path: string): boolean => state.has(`${path}:sent`);

function* textsOf(type: Type, value: Value, path: string): Generator<readonly [string, string]> {
  switch (type.kind) {
    case 'scalar':
    case 'enumeration':
      if (typeof value !== 'object') yield [path, String(value)];
      return;
    case 'record':
      if (isRecord(value)) yield* memberTexts(type.fields, value, path);
      return;
    case 'list':
      if (!Array.isArray(value)) return;
      yield [`${path}:rows`, String(Math.max(rows.first, value.length))];
      for (const [index, item] of (value as readonly Value[]).entries()) {
        yield* textsOf(type.item, item, rowPath(path, index));
      }
  }
}

const hasBox = ({ type, presence }: Field): boolean =>
  presence === 'opt' && (type.kind !== 'scalar' || type.name === 'string');

function* memberTexts(fields: Fields, values: RecordValue, path: string): Generator<readonly [string, string]> {
  for (const [name, field] of fieldEntries(fields)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const at = memberPath(path, name);
    if (value === undefined || value === null) continue;
    if (hasBox(field) && (field.type.kind !== 'scalar' || value === '')) yield [`${at}:sent`, 'on'];
    yield* textsOf(field.type, value, at);
  }
}

/** A form that says what a record says. */
export function stateOf(fields: Fields, values: RecordValue): FormState {
  return new Map(memberTexts(fields, values, ''));
}

/** True for a control that one chooses from rather than types into. */
export const isChoice = (type: Type): type is ScalarType<'boolean'> | EnumerationType =>
  type.kind === 'enumeration' || (type.kind === 'scalar' && type.name === 'boolean');

/** The choices of a control. */
export const choicesOf = (type: ScalarType<'boolean'> | EnumerationType): readonly string[] =>
  type.kind === 'enumeration' ? type.values : ['false', 'true'];

/** Type and presence of a place; items of lists count as what may be left out. */
export type Place = Pick<Field, 'type' | 'presence'>;

/** What stands in a control: what was put there, or else the first choice of a choice that must be made. */
export function textAt(state: FormState, { type, presence }: Place, path: string): string {
  const given = state.get(path);
  if (given !== undefined) return given;
  return isChoice(type) && presence === 'req' ? (choicesOf(type)[0] ?? '') : '';
}
