import { hasValue, isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import type { EnumerationType, Field, Fields, Operation, ScalarType, Type } from '../../contract/build.js';
import { ApiCredentials } from '../../contract/records/shared.js';
import { isNested, scalarOf, typeName, valuesOf } from '../../contract/walk.js';
import { secretFields } from '../../soap/codec/credentials.js';
import { type SoapVersion, versions } from '../../soap/wire/version.js';
import type { SandboxContext } from '../context.js';
import { serviceLink } from '../http/access.js';
import { sampleOf } from '../walk.js';
import { formToken, type Html, markup } from './layout.js';
import { usage } from '../../core/errors/relctl-error.js';

/** A form for writing. */
export interface FormText {
  readonly context: SandboxContext;
  readonly operation: Operation;
  readonly state: FormState;
  readonly version: SoapVersion;
  /** Path of the first value that does not fit, if one does not. */
  readonly wrong?: string;
}

function option(value: string, chosen: string, label = value): Html {
  const selected = value === chosen ? markup` selected="selected"` : undefined;
  return markup`<option value="${value}" ${selected}>${label}</option>`;
}

function choice({ path, field }: Control, values: readonly string[], text: string): Html {
  const empty = option('', text, field.presence === 'nil' ? '(nil)' : '(left out)');
  return markup`<select id="${path}" name="${path}">
    ${field.presence === 'req' ? undefined : empty} ${values.map((value) => option(value, text))}
  </select>`;
}

// The first line break of a text area is not part of it.
const area = (path: string, rows: number, text: string): Html =>
  markup`<textarea id="${path}" name="${path}" rows="${rows}" spellcheck="false">
${text}</textarea>`;

function nested({ path, field }: Control, text: string): Html {
  const rows = Math.min(Math.max(text.split('\n').length, 3), 20);
  return markup`${area(path, rows, text)}<details>
      <summary>JSON; a sample</summary>
      <pre>${jsonText(sampleOf(field.type))}</pre>
    </details> `;
}

const long: ReadonlyMap<string, number> = new Map([
  ['base64EncodedFile', 4],
  ['description', 1],
]);

function input(control: Control, text: string): Html {
  const { name, path, field } = control;
  const values = choicesOf(field.type);
  if (values !== undefined) return choice(control, values, text);
  if (isNested(field.type)) return nested(control, text);
  const lines = long.get(name);
  if (lines !== undefined) return area(path, lines, text);
  const type = secretFields.has(field) && name === 'Password' ? 'password' : 'text';
  return markup`<input
    id="${path}"
    name="${path}"
    type="${type}"
    value="${text}"
    autocomplete="off"
    spellcheck="false"
  />`;
}

const presences = { req: 'required', nil: 'empty: nil', opt: 'may be left out' } as const;

function tick(state: FormState, { path, field }: Control): Html | undefined {
  if (field.presence !== 'opt' || !isText(field.type)) return undefined;
  const name = `${path}:sent`;
  const ticked = state.has(name) ? markup` checked="checked"` : undefined;
  return markup`<label class="tick"><input type="checkbox" name="${name}" ${ticked} />send even if empty</label>`;
}

function rows({ state, wrong = '' }: FormText, controls: readonly Control[]): readonly Html[] {
  return controls.map((control) => {
    const { name, path, field } = control;
    const isWrong = wrong === path || wrong.startsWith(`${path}.`) || wrong.startsWith(`${path}[`);
    return markup`<div class="${isWrong ? 'row wrong' : 'row'}">
      <label for="${path}">${name}<small>${typeName(field.type)}, ${presences[field.presence]}</small></label>
      <div>${input(control, textAt(state, control))}<span class="hint">${field.doc}</span> ${tick(state, control)}</div>
    </div> `;
  });
}

/** Credentials are the same for every operation, and prefilled: they are folded away unless something is wrong in them. */
function credentials(form: FormText): Html {
  const open = form.wrong?.startsWith('credentials.') === true ? markup` open="open"` : undefined;
  return markup`<details ${open}>
    <summary>credentials: the sandbox's own user</summary>
    ${rows(form, credentialControls)}
  </details> `;
}

/** The form by which an operation can be invoked. It works without scripts. */
export function formOf(form: FormText): Html {
  const { context, operation, version } = form;
  return markup`<form class="card" method="post" action="${serviceLink(context)}/${operation.name}" accept-charset="utf-8">
    <input type="hidden" name="token" value="${formToken(context)}" />
    ${credentials(form)} ${rows(form, parameterControls(operation))}
    <div class="actions">
      <button type="submit" name="invoke" value="${operation.name}">Invoke</button>
      <select name="version" aria-label="Version of SOAP">
        ${versions.map((each) => option(each, version, `SOAP ${each}`))}
      </select>
    </div>
  </form> `;
}

/** The texts of a form by path. `PATH:sent` is the box that sends a text although it is empty. */
export type FormState = ReadonlyMap<string, string>;

interface Control {
  readonly name: string;
  readonly path: string;
  readonly field: Field;
}

const controlsOf = (fields: Fields, prefix = ''): readonly Control[] =>
  Object.entries(fields).map(([name, field]) => ({ name, path: `${prefix}${name}`, field }));

const credentialControls = controlsOf(ApiCredentials.fields, 'credentials.');

const parameterControls = ({ parameters }: Operation): readonly Control[] => controlsOf(parameters);

const isText = (type: Type): boolean => scalarOf(type) === 'string';

const choicesOf = (type: Type): readonly string[] | undefined =>
  valuesOf(type) ?? (scalarOf(type) === 'boolean' ? ['false', 'true'] : undefined);

/** The text of a control; without one, the first choice of a choice that is required. */
function textAt(state: FormState, { path, field: { type, presence } }: Control): string {
  return state.get(path) ?? (presence === 'req' ? (choicesOf(type)?.[0] ?? '') : '');
}

const jsonText = (value: Value): string => JSON.stringify(value, null, 2);

/** The texts of a form for the values of a request. */
export function formStateOf(operation: Operation, { credentials, ...values }: RecordValue): FormState {
  const texts = (controls: readonly Control[], record: RecordValue): readonly (readonly [string, string])[] =>
    controls.flatMap(({ name, path }) => {
      const value = Object.hasOwn(record, name) ? record[name] : undefined;
      if (!hasValue(value)) return [];
      return [[path, typeof value === 'object' ? jsonText(value) : String(value)] as const];
    });
  const own = isRecord(credentials) ? credentials : {};
  return new Map([...texts(credentialControls, own), ...texts(parameterControls(operation), values)]);
}

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false };

/** The value of a text; one that does not fit its type stays text, and the encoder refuses it with a reason. */
function leafValue(type: ScalarType | EnumerationType, text: string): Value {
  if (type.kind === 'enumeration' || type.name === 'string') return text;
  const bare = text.trim();
  if (type.name === 'boolean') return booleans[bare] ?? bare;
  const isSmall = type.name === 'int' || type.name === 'short';
  return isSmall && /^[+-]?\d{1,15}$/.test(bare) ? Number(bare) + 0 : bare;
}

/** Characters of the JSON of one control: its values take many times as much memory. */
const mostJson = 1024 * 1024;

function nestedValue(path: string, text: string): Value {
  if (text.length > mostJson) throw usage(path, `${path} has more than ${mostJson} characters of JSON`);
  try {
    return JSON.parse(text) as Value;
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw usage(path, `${path} must be JSON as in its sample: ${why}`);
  }
}

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

/** The values of a form; an empty control is left out, or nil. Throws `usage` with the path of what is no JSON. */
export function inputOfForm(
  operation: Operation,
  state: FormState,
): { readonly credentials: RecordValue; readonly input: RecordValue } {
  return { credentials: valuesIn(state, credentialControls), input: valuesIn(state, parameterControls(operation)) };
}
