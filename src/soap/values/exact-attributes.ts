import type { Field, Fields, Type } from '../../contract/build.js';
import { isReference, recordOf, schemaName } from '../../contract/walk.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { parseBoolean } from '../../core/text/scalars.js';
import { forMessage } from '../../core/text/text.js';
import type { XmlAttribute, XmlEvents, XmlName } from '../../xml/events.js';
import { guidNamespace, xsdNamespace, xsiNamespace } from './scalars.js';

/** What the elements of a request are checked against. */
export interface RequestSchema {
  /** Of the operation, with its credentials. */
  readonly fields: Fields;
  readonly namespace: string;
  readonly namespaceOf: (prefix: string) => string | undefined;
}

/** An open element. One that is not in the contract has no type, and its content is not checked. */
interface OpenElement {
  /** Names from the operation on, with dots; '' for the operation itself. */
  readonly path: string;
  readonly type: Type | undefined;
  readonly fields: Fields | undefined;
  readonly mayBeNil: boolean;
  isNil: boolean;
}

const fieldOf = (fields: Fields | undefined, name: string): Field | undefined =>
  fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;

function childOf({ path, type, fields }: OpenElement, name: string): OpenElement {
  const field = type?.kind === 'list' ? itemOf(type.itemName === name ? type.item : undefined) : fieldOf(fields, name);
  return {
    path: path === '' ? name : `${path}.${name}`,
    type: field?.type,
    fields: recordOf(field?.type)?.fields,
    mayBeNil: field?.presence === 'nil',
    isNil: false,
  };
}

const itemOf = (type: Type | undefined): Pick<Field, 'type' | 'presence'> | undefined =>
  type === undefined ? undefined : { type, presence: isReference(type) ? 'nil' : 'req' };

function refused({ path }: OpenElement, words: string): RelctlError {
  return new RelctlError('refused', `${path === '' ? 'The request' : path} ${words}`, {
    facts: { foreignCode: 'Client' },
  });
}

/** Name and namespace of a type in the schema of the service; undefined for what has no type of its own. */
function qualified(type: Type | undefined, namespace: string): readonly [namespace: string, name: string] | undefined {
  if (type === undefined) return undefined;
  if (type.kind !== 'scalar') return [namespace, schemaName(type)];
  return [type.name === 'guid' ? guidNamespace : xsdNamespace, type.name];
}

/**
 * Passes the events of a request to its decoder, and refuses attributes that the schema of the service does not allow: xsi:nil
 * where a member, or an item of a list, cannot be nil, in another form than that of a boolean, or on an element that
 * holds something; an xsi:type that is not the type of the contract; attributes that are not those of XML Schema. Throws
 * `refused` with code `Client`.
 */
export class ExactAttributes implements XmlEvents {
  readonly #decoder: XmlEvents;
  readonly #schema: RequestSchema;
  readonly #open: OpenElement[] = [];

  constructor(decoder: XmlEvents, schema: RequestSchema) {
    this.#decoder = decoder;
    this.#schema = schema;
  }

  open(name: XmlName, attributes: readonly XmlAttribute[]): void {
    const within = this.#open.at(-1);
    if (within !== undefined) this.#fill(within);
    const element = within === undefined ? this.#operation() : childOf(within, name.local);
    const isKnown = element.type !== undefined || element.fields !== undefined;
    if (isKnown) for (const attribute of attributes) this.#check(element, attribute);
    this.#open.push(element);
    this.#decoder.open(name, attributes);
  }

  text(text: string): void {
    const within = this.#open.at(-1);
    if (within !== undefined) this.#fill(within);
    this.#decoder.text(text);
  }

  close(name: XmlName): void {
    this.#open.pop();
    this.#decoder.close(name);
  }

  #operation(): OpenElement {
    return { path: '', type: undefined, fields: this.#schema.fields, mayBeNil: false, isNil: false };
  }

  #fill(element: OpenElement): void {
    if (element.isNil) throw refused(element, 'is marked nil, but has content');
  }

  #check(openElement: OpenElement, { name, value }: XmlAttribute): void {
    if (name.namespace !== xsiNamespace) {
      throw refused(openElement, `has the attribute '${forMessage(name.local, 80)}', which the contract does not know`);
    }
    if (name.local === 'nil') openElement.isNil = this.#nil(openElement, value);
    else if (name.local === 'type') this.#checkType(openElement, value.trim());
  }

  #nil(element: OpenElement, value: string): boolean {
    const truth = parseBoolean(value.trim());
    if (truth === undefined)
      throw refused(element, `has xsi:nil="${forMessage(value, 80)}"; it is true or false, or 1 or 0`);
    if (!element.mayBeNil) throw refused(element, 'cannot be nil');
    return truth;
  }

  #checkType(element: OpenElement, value: string): void {
    const at = value.indexOf(':');
    const namespace = this.#schema.namespaceOf(at === -1 ? '' : value.slice(0, at));
    const [expected, name] = qualified(element.type, this.#schema.namespace) ?? [];
    if (namespace === expected && value.slice(at + 1) === name) return;
    const words =
      name === undefined ? 'it has none in the contract' : `in the contract it is ${name} of ${expected ?? ''}`;
    throw refused(element, `has the xsi:type '${forMessage(value, 80)}'; ${words}`);
  }
}
