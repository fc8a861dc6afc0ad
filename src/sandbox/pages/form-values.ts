import type {
  EnumerationType,
  Field,
  Fields,
  ListType,
  Operation,
  RecordType,
  ScalarType,
  Type,
} from '../../contract/build.js';
import { ApiCredentials } from '../../contract/records/credentials.js';
import { fieldEntries } from '../../contract/walk.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { isRecord, type RecordValue, type Value } from '../../soap/values/values.js';

/** What stands in a form: texts by path. `PATH:sent` is the box that sends a text although it is empty. */
export type FormState = ReadonlyMap<string, string>;

/** A control of a form: one for each scalar, and one, for JSON, for each nested record or list. */
export interface Control {
  readonly name: string;
  readonly path: string;
  readonly field: Field;
}

const controlsOf = (fields: Fields, prefix = ''): readonly Control[] =>
  fieldEntries(fields).map(([name, field]) => ({ name, path: `${prefix}${name}`, field }));

/** Controls of what every request begins with. */
export const credentialControls = controlsOf(ApiCredentials.fields, 'credentials.');

/** Controls of the parameters of an operation. */
export const parameterControls = ({ parameters }: Operation): readonly Control[] => controlsOf(parameters);

/** True for what one writes as JSON. */
export const isNested = (type: Type): type is RecordType | ListType => type.kind === 'record' || type.kind === 'list';

/** True for a text, which may be empty and still be sent. */
export const isText = (type: Type): boolean => type.kind === 'scalar' && type.name === 'string';

/** What one chooses from rather than types; undefined for other types. */
export function choicesOf(type: Type): readonly string[] | undefined {
  if (type.kind === 'enumeration') return type.values;
  return type.kind === 'scalar' && type.name === 'boolean' ? ['false', 'true'] : undefined;
}

/** What stands in a control: what was put there, or else the first choice of a choice that must be made. */
export function textAt(state: FormState, { path, field: { type, presence } }: Control): string {
  return state.get(path) ?? (presence === 'req' ? (choicesOf(type)?.[0] ?? '') : '');
}

/** Values as JSON for people. */
export const shownJson = (value: Value): string => JSON.stringify(value, null, 2);

/** A form that says what the values of a request say. */
export function stateOf(operation: Operation, { credentials, ...values }: RecordValue): FormState {
  const texts = (controls: readonly Control[], record: RecordValue): readonly (readonly [string, string])[] =>
    controls.flatMap(({ name, path }) => {
      const value = Object.hasOwn(record, name) ? record[name] : undefined;
      if (value === undefined || value === null) return [];
      return [[path, typeof value === 'object' ? shownJson(value) : String(value)] as const];
    });
  const own = isRecord(credentials) ? credentials : {};
  return new Map([...texts(credentialControls, own), ...texts(parameterControls(operation), values)]);
}

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false };

/** The value that a text means; what is none of its type stays text, and the encoder says why it does not fit. */
function leafValue(type: ScalarType | EnumerationType, text: string): Value {
  if (type.kind === 'enumeration' || type.name === 'string') return text;
  const bare = text.trim();
  if (type.name === 'boolean') return booleans[bare] ?? bare;
  const isSmall = type.name === 'int' || type.name === 'short';
  return isSmall && /^[+-]?\d{1,15}$/.test(bare) ? Number(bare) + 0 : bare;
}

function nestedValue(path: string, text: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new RelctlError('usage', `${path} must be JSON as in its sample: ${why}`, { facts: { path } });
  }
}

/** The value of a control; undefined when nothing is sent. */
function valueOf(state: FormState, control: Control): Value | undefined {
  const { path, field } = control;
  const { type, presence } = field;
  const text = textAt(state, control);
  if (text.trim() === '' && isNested(type)) return presence === 'nil' ? null : undefined;
  if (text !== '') return isNested(type) ? nestedValue(path, text) : leafValue(type, text);
  if (isText(type) && (presence === 'req' || state.has(`${path}:sent`))) return '';
  return presence === 'nil' ? null : undefined;
}

const valuesIn = (state: FormState, controls: readonly Control[]): RecordValue =>
  Object.fromEntries(
    controls.flatMap((control) => {
      const value = valueOf(state, control);
      return value === undefined ? [] : [[control.name, value] as const];
    }),
  );

/**
 * The values that a form stands for. An empty control sends nothing for what may be left out and nil for what may be nil.
 * Throws `usage` with the path of text that is no JSON.
 */
export function valuesOf(
  operation: Operation,
  state: FormState,
): { readonly credentials: RecordValue; readonly input: RecordValue } {
  return { credentials: valuesIn(state, credentialControls), input: valuesIn(state, parameterControls(operation)) };
}
