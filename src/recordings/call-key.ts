import { createHash, type Hash } from 'node:crypto';
import { EnvelopeReader } from '../soap/wire/envelope.js';
import type { SoapVersion } from '../soap/wire/version.js';
import type { XmlAttribute, XmlEvents, XmlName } from '../xml/events.js';
import { XmlReader } from '../xml/reader.js';

/** What a request asks for. */
export interface CallKey {
  readonly operation: string;
  readonly version: SoapVersion;
  /** The same for requests of one operation with the same parameters. */
  readonly key: string;
}

const credentialsName = 'credentials';

const nameText = ({ namespace, local }: Pick<XmlName, 'namespace' | 'local'>): string => `{${namespace}}${local}`;

/**
 * Hashes the parameters of a request, without the credentials: elements by namespace and name, attributes in the order of their
 * names, and text. Prefixes, declarations and white space between elements do not count; nothing is held but white space.
 */
class ParametersHash implements XmlEvents {
  readonly #hash: Hash;
  /** White space that counts only if no element follows or came before. */
  #blank = '';
  /** Of each element that is open whether it has children. */
  readonly #hasChildren: boolean[] = [];
  /** How many elements are open in the credentials, themselves included. */
  #secret = 0;

  constructor(hash: Hash) {
    this.#hash = hash;
  }

  open(name: XmlName, attributes: readonly XmlAttribute[]): void {
    const depth = this.#hasChildren.length;
    if (this.#secret > 0 || (depth === 0 && name.local === credentialsName)) {
      this.#secret += 1;
      return;
    }
    this.#blank = '';
    if (depth > 0) this.#hasChildren[depth - 1] = true;
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
  }
}

/**
 * What a request asks for, by its operation and its parameters; whose credentials it has does not count. Throws `bad-answer`
 * for what is no SOAP.
 */
export function callKey(pieces: Iterable<Uint8Array>): CallKey {
  const hash = createHash('sha256');
  let operation = '';
  const envelope = new EnvelopeReader({
    begin(name) {
      operation = name.local;
      hash.update(`${nameText(name)}\u0000`);
      return new ParametersHash(hash);
    },
  });
  const reader = new XmlReader(envelope);
  for (const piece of pieces) reader.write(piece);
  reader.end();
  return { operation, version: envelope.version ?? '1.1', key: `${operation} ${hash.digest('hex')}` };
}
