import type { Operation } from '../../contract/build.js';
import { typeName } from '../../contract/walk.js';
import { secretFields } from '../../soap/codec/credentials.js';
import type { SoapVersion } from '../../soap/wire/version.js';
import type { SandboxContext } from '../context.js';
import { serviceLink } from '../http/public-url.js';
import { sampleOf } from '../samples.js';
import {
  choicesOf,
  credentialControls,
  isNested,
  isText,
  parameterControls,
  shownJson,
  textAt,
  type Control,
  type FormState,
} from './form-values.js';
import { formToken } from './guard.js';
import { markup, type Html } from './html.js';

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
      <pre>${shownJson(sampleOf(field.type))}</pre>
    </details> `;
}

/** Texts that may run over several lines, and how many are shown. */
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

const versions: readonly SoapVersion[] = ['1.1', '1.2'];

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
