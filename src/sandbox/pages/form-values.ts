import type { EnumerationType, Fields, ListType, ScalarType, Type } from '../../contract/build.js';
import { fieldEntries } from '../../contract/walk.js';
import type { RecordValue, Value } from '../../soap/values/values.js';
import { isTicked, memberPath, rowCount, rowPath, textAt, type FormState, type Place } from './state.js';

/** What stands in the form, and what stood in it before anybody touched it. */
interface Typed {
  readonly state: FormState;
  readonly before: FormState;
}

const untouched: FormState = new Map();

const item = ({ item: type }: ListType): Place => ({ type, presence: 'opt' });

const rowPaths = (state: FormState, path: string): readonly string[] =>
  Array.from({ length: rowCount(state, path) }, (_, index) => rowPath(path, index));

/** True when anything within a place is not as it was. */
function isChanged(typed: Typed, place: Place, path: string): boolean {
  const { state, before } = typed;
  const { type } = place;
  switch (type.kind) {
    case 'scalar':
    case 'enumeration':
      return isTicked(state, path) || textAt(state, place, path) !== textAt(before, place, path);
    case 'record':
      return fieldEntries(type.fields).some(([name, field]) => isChanged(typed, field, memberPath(path, name)));
    case 'list':
      return rowPaths(state, path).some((row) => isChanged(typed, item(type), row));
  }
}

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false };

/** The value that a text means; what is none of its type stays text, and the encoder says why it does not fit. */
function leafValue(type: ScalarType | EnumerationType, text: string): Value {
  if (type.kind === 'enumeration' || type.name === 'string') return text;
  const bare = text.trim();
  switch (type.name) {
    case 'boolean':
      return booleans[bare] ?? bare;
    case 'int':
    case 'short':
      return /^[+-]?\d{1,15}$/.test(bare) ? Number(bare) + 0 : bare;
    default:
      return bare;
  }
}

/** Rows in which nothing stands are not items. */
function listValue(typed: Typed, type: ListType, path: string): readonly Value[] {
  const { state } = typed;
  return rowPaths(state, path)
    .filter((row) => isChanged({ state, before: untouched }, item(type), row))
    .map((row) => valueOf(typed, item(type), row));
}

function valueOf(typed: Typed, place: Place, path: string): Value {
  const { type } = place;
  switch (type.kind) {
    case 'scalar':
    case 'enumeration':
      return leafValue(type, textAt(typed.state, place, path));
    case 'record':
      return recordOf(typed, type.fields, path);
    case 'list':
      return listValue(typed, type, path);
  }
}

const isText = (type: Type): boolean => type.kind === 'scalar' && type.name === 'string';

/** Whether a place goes out with a value. */
function isGiven(typed: Typed, place: Place, path: string): boolean {
  const { type, presence } = place;
  if (type.kind === 'record' || type.kind === 'list') {
    return presence === 'req' || isTicked(typed.state, path) || isChanged(typed, place, path);
  }
  if (textAt(typed.state, place, path) !== '') return true;
  return isText(type) && (presence === 'req' || isTicked(typed.state, path));
}

function recordOf(typed: Typed, fields: Fields, path: string): RecordValue {
  return Object.fromEntries(
    fieldEntries(fields).flatMap(([name, field]): (readonly [string, Value])[] => {
      const at = memberPath(path, name);
      if (isGiven(typed, field, at)) return [[name, valueOf(typed, field, at)]];
      return field.presence === 'nil' ? [[name, null]] : [];
    }),
  );
}

/**
 * The values that a form stands for. An empty control sends nothing for what may be left out and nil for what may be nil;
 * a record or list goes out when its box is ticked, or when anything in it is not as it was before.
 */
export function valuesOf(fields: Fields, typed: Typed): RecordValue {
  return recordOf(typed, fields, '');
}
