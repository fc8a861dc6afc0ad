import { createHash, type Hash } from 'node:crypto';
import { EnvelopeReader } from '../../soap/wire/envelope.js';
import type { SoapVersion } from '../../soap/wire/version.js';
import type { XmlAttribute, XmlEvents, XmlName } from '../../xml/events.js';
import { XmlReader } from '../../xml/reader.js';

/** What a request asks for. */
export interface CallKey {
  readonly operation: string;
  readonly version: SoapVersion;
  /** The same for requests of one operation with the same parameters. */
  readonly key: string;
  readonly without: (parameters: readonly string[]) => string;
}

const credentialsName = 'credentials';

const nameText = ({ namespace, local }: Pick<XmlName, 'namespace' | 'local'>): string => `{${namespace}}${local}`;

/**
 * Hashes the parameters of a request, without the credentials: elements by namespace and name, attributes in the order of their
 * names, and text. Prefixes, declarations and white space between elements do not count; nothing is held but white space.
 */
class ParametersHash implements XmlEvents {
  readonly parameters: (readonly [name: string, hash: string])[] = [];
  #hash: Hash = createHash('sha256');
  /** White space that counts only if no element follows or came before. */
  #blank = '';
  /** Of each element that is open whether it has children. */
  readonly #hasChildren: boolean[] = [];
  #name = '';
  /** How many elements are open in the credentials, themselves included. */
  #secret = 0;

  open(name: XmlName, attributes: readonly XmlAttribute[]): void {
    const depth = this.#hasChildren.length;
    if (this.#secret > 0 || (depth === 0 && name.local === credentialsName)) {
      this.#secret += 1;
      return;
    }
    this.#blank = '';
    if (depth > 0) this.#hasChildren[depth - 1] = true;
    else this.#name = name.local;
    this.#hasChildren.push(false);
    const written = attributes.map((each) => `${nameText(each.name)}=${JSON.stringify(each.value)}`).toSorted();
    this.#hash.update(`\u0000<${nameText(name)} ${written.join(' ')}\u0000`);
  }

  text(text: string): void {
    if (this.#hasChildren.length === 0) return;
    if (/^[ \t\r\n]*$/.test(text)) this.#blank += text;
    else {
      this.#hash.update(this.#blank + text);
      this.#blank = '';
    }
  }

  close(): void {
    if (this.#secret > 0) {
      this.#secret -= 1;
      return;
    }
    if (this.#hasChildren.pop() === false) this.#hash.update(this.#blank);
    this.#blank = '';
    this.#hash.update('\u0000>\u0000');
    if (this.#hasChildren.length > 0) return;
    this.parameters.push([this.#name, this.#hash.digest('hex')]);
    this.#hash = createHash('sha256');
  }
}

/**
 * What a request asks for, by its operation and its parameters; whose credentials it has does not count. Throws `bad-answer`
 * for what is no SOAP.
 */
export function callKey(pieces: Iterable<Uint8Array>): CallKey {
  const parameters = new ParametersHash();
  let [operation, named] = ['', ''];
  const envelope = new EnvelopeReader({
    begin(name) {
      operation = name.local;
      named = nameText(name);
      return parameters;
    },
  });
  const reader = new XmlReader(envelope);
  for (const piece of pieces) reader.write(piece);
  reader.end();
  const without = (left: readonly string[]): string => {
    const kept = parameters.parameters.filter(([name]) => !left.includes(name)).map(([, hash]) => hash);
    return `${operation} ${createHash('sha256')
      .update([named, ...kept].join(' '))
      .digest('hex')}`;
  };
  return { operation, version: envelope.version ?? '1.1', key: without([]), without };
}
