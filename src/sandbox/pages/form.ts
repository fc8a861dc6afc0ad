import type { Field, Fields, ListType, Operation, Type } from '../../contract/build.js';
import { credentialsField } from '../../contract/records/credentials.js';
import { fieldEntries, typeName } from '../../contract/walk.js';
import { secretFields } from '../../soap/codec/credentials.js';
import type { SoapVersion } from '../../soap/wire/version.js';
import type { SandboxContext } from '../context.js';
import { serviceLink } from '../http/public-url.js';
import { formToken } from './guard.js';
import { markup, type Html } from './html.js';
import { choicesOf, isChoice, isTicked, memberPath, rowCount, rowPath, rows, textAt, type FormState } from './state.js';

/** A form for writing. */
export interface FormText {
  readonly context: SandboxContext;
  readonly operation: Operation;
  readonly state: FormState;
  readonly version: SoapVersion;
  /** Path of the first value that does not fit, if one does not. */
  readonly wrong?: string;
}

/** Path of what every request begins with. */
const credentialsPath = 'credentials';

/** Everything that a request of the operation holds. */
export const requestFields = (operation: Operation): Fields => ({
  credentials: credentialsField,
  ...operation.parameters,
});

interface Drawing {
  readonly state: FormState;
  readonly wrong: string | undefined;
}

interface Control {
  readonly name: string;
  readonly path: string;
  readonly field: Field;
}

/** Texts that may run over several lines. */
const long: ReadonlySet<string> = new Set(['base64EncodedFile', 'description', 'Description', 'Info', 'Value']);

function choice({ path, field }: Control, text: string): Html {
  const { type, presence } = field;
  const values = isChoice(type) ? choicesOf(type) : [];
  const empty = presence === 'req' ? [] : [''];
  const options = [...empty, ...values].map((value) => {
    const label = value === '' ? `(${presence === 'nil' ? 'nil' : 'left out'})` : value;
    return value === text
      ? markup`<option value="${value}" selected="selected">${label}</option>`
      : markup`<option value="${value}">${label}</option>`;
  });
  return markup`<select id="${path}" name="${path}">
    ${options}
  </select>`;
}

function control(drawing: Drawing, about: Control): Html {
  const { name, path, field } = about;
  const text = textAt(drawing.state, field, path);
  if (isChoice(field.type)) return choice(about, text);
  if (long.has(name)) {
    // The first line break of a text area is not part of it.
    return markup`<textarea id="${path}" name="${path}" rows="${name === 'base64EncodedFile' ? 4 : 1}">
${text}</textarea>`;
  }
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

function box(drawing: Drawing, path: string, label: string): Html {
  const name = `${path}:sent`;
  const ticked = isTicked(drawing.state, path) ? markup` checked="checked"` : undefined;
  return markup`<label class="tick"><input type="checkbox" name="${name}" ${ticked} />${label}</label>`;
}

const isText = (type: Type): boolean => type.kind === 'scalar' && type.name === 'string';

function leaf(drawing: Drawing, about: Control): Html {
  const { name, path, field } = about;
  const isWrong = drawing.wrong === path;
  const tick = field.presence === 'opt' && isText(field.type) ? box(drawing, path, 'send even if empty') : undefined;
  return markup`<div class="${isWrong ? 'row wrong' : 'row'}">
    <label for="${path}">${name}<small>${typeName(field.type)}, ${presences[field.presence]}</small></label>
    <div>${control(drawing, about)}<span class="hint">${field.doc}</span> ${tick}</div>
  </div> `;
}

function legend(drawing: Drawing, { name, path, field }: Control): Html {
  const tick = field.presence === 'opt' ? box(drawing, path, 'send') : undefined;
  return markup`<legend>${name} <small>${typeName(field.type)} \u00b7 ${field.doc}</small> ${tick}</legend>`;
}

function row(drawing: Drawing, { itemName, item }: ListType, at: { path: string; number: number }): Html {
  const name = `${itemName} ${at.number}`;
  // A row in which nothing stands is no item, whatever the item itself demands.
  if (item.kind !== 'record')
    return place(drawing, { name, path: at.path, field: { type: item, presence: 'opt', doc: '' } });
  return markup`<fieldset>
    <legend>${name}</legend>
    <div>${members(drawing, item.fields, at.path)}</div>
  </fieldset> `;
}

function listRows(drawing: Drawing, type: ListType, path: string): Html {
  const count = rowCount(drawing.state, path);
  const items = Array.from({ length: count }, (_, index) =>
    row(drawing, type, { path: rowPath(path, index), number: index + 1 }),
  );
  const more =
    count < rows.most
      ? markup`<button class="more" type="submit" name="more" value="${path}">More rows</button>`
      : undefined;
  return markup`<input type="hidden" name="${path}:rows" value="${count}" /> ${items}${more}`;
}

function place(drawing: Drawing, about: Control): Html {
  const { path, field } = about;
  const { type } = field;
  switch (type.kind) {
    case 'scalar':
    case 'enumeration':
      return leaf(drawing, about);
    case 'record':
      return markup`<fieldset>
        ${legend(drawing, about)}
        <div>${members(drawing, type.fields, path)}</div>
      </fieldset> `;
    case 'list':
      return markup`<fieldset>
        ${legend(drawing, about)}
        <div>${listRows(drawing, type, path)}</div>
      </fieldset> `;
  }
}

const members = (drawing: Drawing, fields: Fields, path: string): readonly Html[] =>
  fieldEntries(fields).map(([name, field]) => place(drawing, { name, path: memberPath(path, name), field }));

/** Credentials are the same for every operation, and prefilled: they are folded away unless something is wrong in them. */
function credentials(drawing: Drawing): Html {
  const open = drawing.wrong?.startsWith(`${credentialsPath}.`) === true ? markup` open="open"` : undefined;
  return markup`<details ${open}>
    <summary>${credentialsPath}: the sandbox's own user</summary>
    ${place(drawing, { name: credentialsPath, path: credentialsPath, field: credentialsField })}
  </details> `;
}

const versions: readonly SoapVersion[] = ['1.1', '1.2'];

/**
 * The form by which an operation can be invoked. It works without scripts. The Enter key presses the first button of a
 * form, so that one that nobody sees stands before those that add rows.
 */
export function formOf({ context, operation, state, version, wrong }: FormText): Html {
  const options = versions.map((each) =>
    each === version
      ? markup`<option value="${each}" selected="selected">SOAP ${each}</option>`
      : markup`<option value="${each}">SOAP ${each}</option>`,
  );
  const drawing = { state, wrong };
  return markup`<form class="card" method="post" action="${serviceLink(context)}/${operation.name}" accept-charset="utf-8">
    <button class="first" type="submit" name="invoke" value="${operation.name}" tabindex="-1">Invoke</button>
    <input type="hidden" name="token" value="${formToken(context)}" />
    ${credentials(drawing)} ${members(drawing, operation.parameters, '')}
    <div class="actions">
      <button type="submit" name="invoke" value="${operation.name}">Invoke</button>
      <select name="version" aria-label="Version of SOAP">
        ${options}
      </select>
    </div>
  </form> `;
}
