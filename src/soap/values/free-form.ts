import type { RecordValue, Value } from '../../core/values/value.js';
import { XmlReader } from '../../xml/reader.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { escapeText, findUnsayable } from '../../xml/writer.js';
import { invalidValue, within, xsdNamespace, xsiNamespace } from './scalars.js';

const elementName = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

function text(value: string, path: string): string {
  const unsayable = findUnsayable(value);
  if (unsayable === undefined) return escapeText(value);
  throw invalidValue('request', path, `has a character at position ${unsayable.index} that is not allowed in XML`);
}

function element(name: string, value: Value, path: string): string {
  if (!elementName.test(name)) throw invalidValue('request', path, 'is not a valid element name');
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
