import { type RecordValue, type Value, isList } from '../../core/values/value.js';
import { XmlReader } from '../../xml/reader.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { escapeText, findUnsayable } from '../../xml/escape.js';
import { invalidValue, within, xsdNamespace, xsiNamespace, describeValue, type Direction } from './scalars.js';

/** The name of an element, and what its start tag holds: the name, and a namespace of its own. */
export interface Tag {
  readonly name: string;
  readonly start: string;
}

/** What writing untyped content needs. */
export interface UntypedContext {
  readonly path: string;
  readonly direction: Direction;
  readonly escape: (text: string, path: string) => string;
}

// Made when it is first needed, because what V8 makes of the classes takes a quarter of a millisecond.
const elementName = (): RegExp => /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

function numberType(value: number): string {
  // Beyond the safe integers, the text of a number has an exponent, or digits that are not exact.
  if (!Number.isSafeInteger(value)) return 'double';
  return value >= -(2 ** 31) && value < 2 ** 31 ? 'int' : 'long';
}

function leaf({ name, start }: Tag, text: string, type?: string): string {
  const tag = type === undefined ? start : `${start} xsi:type="xsd:${type}"`;
  return text === '' ? `<${tag} />` : `<${tag}>${text}</${name}>`;
}

function child(name: string, value: Value, untypedContext: UntypedContext): string {
  const inner = { ...untypedContext, path: within(untypedContext.path, name) };
  if (!elementName().test(name))
    throw invalidValue(untypedContext.direction, inner.path, 'is not a valid element name');
  const tag = { name, start: name };
  if (typeof value === 'string') return leaf(tag, untypedContext.escape(value, inner.path));
  if (!isList(value)) return writeUntyped(tag, value, inner);
  return value.map((each) => child(name, each, untypedContext)).join('');
}

/** An element of type anyType, with xsi:type as .asmx services write it. Throws `usage` or `bug` with `facts.path`. */
export function writeUntyped(tag: Tag, value: Value, context: UntypedContext): string {
  if (value === null) return `<${tag.start} xsi:nil="true" />`;
  if (typeof value === 'string') return leaf(tag, context.escape(value, context.path), 'string');
  if (typeof value === 'boolean') return leaf(tag, String(value), 'boolean');
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw invalidValue(context.direction, context.path, `must be a number, not ${value}`);
    return leaf(tag, String(value), numberType(value));
  }
  if (Array.isArray(value)) throw invalidValue(context.direction, context.path, `cannot be ${describeValue(value)}`);
  const children = Object.entries(value).map(([key, each]) => child(key, each, context));
  return leaf(tag, children.join(''));
}

function text(value: string, path: string): string {
  const unsayable = findUnsayable(value);
  if (unsayable === undefined) return escapeText(value);
  throw invalidValue('request', path, `has a character at position ${unsayable.index} that is not allowed in XML`);
}

function element(name: string, value: Value, path: string): string {
  if (!elementName().test(name)) throw invalidValue('request', path, 'is not a valid element name');
  if (value === null) return `<${name} xsi:nil="true" />`;
  if (Array.isArray(value)) return value.map((each: Value) => element(name, each, path)).join('');
  const content = typeof value === 'object' ? freeContent(value as RecordValue, path) : text(String(value), path);
  return content === '' ? `<${name} />` : `<${name}>${content}</${name}>`;
}

/** Elements of no contract, by the keys of a record; a list repeats its element, null is nil. Throws `usage` with the path. */
export function freeContent(value: RecordValue, path = ''): string {
  return Object.entries(value)
    .map(([name, each]) => element(name, each, within(path, name)))
    .join('');
}

const envelope = /^<(?:[^\s:<>]+:)?Envelope[\s>]/;

/** XML without white space, declaration and comments at its beginning. */
function withoutProlog(xml: string): string {
  let rest = xml.replace(/^\ufeff/, '').trimStart();
  rest = rest.replace(/^<\?xml[^>]*\?>/, '').trimStart();
  for (let end = 0; rest.startsWith('<!--'); rest = rest.slice(end + 3).trimStart()) {
    end = rest.indexOf('-->', 4);
    if (end === -1) return rest;
  }
  return rest;
}

/** Whether XML is an envelope, or elements behind the credentials. Throws `usage` for what is not well-formed. */
export function kindOfXml(xml: string): 'envelope' | 'elements' {
  const isEnvelope = envelope.test(withoutProlog(xml));
  const whole = isEnvelope ? xml : `<r xmlns:xsi="${xsiNamespace}" xmlns:xsd="${xsdNamespace}">${xml}</r>`;
  try {
    const reader = new XmlReader({ open: () => undefined, text: () => undefined, close: () => undefined });
    reader.write(new TextEncoder().encode(whole));
    reader.end();
  } catch (thrown) {
    const { message } = RelctlError.from(thrown);
    throw usage('--input', `the XML cannot be sent: ${message}`);
  }
  return isEnvelope ? 'envelope' : 'elements';
}
