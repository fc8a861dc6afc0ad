import { forMessage } from '../core/text/text.js';
import type { XmlName } from './events.js';
import { badAnswer } from '../core/errors/relctl-error.js';

const start =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const name = `[${start}][${start}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040]*`;
const qualified = new RegExp(`^(?:(${name}):)?(${name})$`, 'u');
// Fits nearly all names; the first use of the other expression takes a millisecond.
const ascii = /^(?:([A-Z_a-z][-.\w]*):)?([A-Z_a-z][-.\w]*)$/;

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';

/** A name as it stands in a tag, cut at its colon. */
export interface RawName {
  readonly prefix: string;
  readonly local: string;
}

/** Cuts a qualified name. Throws `bad-answer` (xml-malformed) when it is none. */
export function parseName(raw: string): RawName {
  const match = ascii.exec(raw) ?? qualified.exec(raw);
  if (match === null) throw badAnswer('xml-malformed', `'${forMessage(raw)}' is not a name`);
  return { prefix: match[1] ?? '', local: match[2] ?? '' };
}

/** True for a name without a prefix. */
export const isLocalName = (text: string): boolean => !text.includes(':') && (ascii.test(text) || qualified.test(text));

/** Namespace declarations in force within an element: its own, and those of the elements around it. */
export class Scope {
  readonly #own: ReadonlyMap<string, string>;
  readonly #outer: Scope | undefined;

  private constructor(own: ReadonlyMap<string, string>, outer?: Scope) {
    this.#own = own;
    this.#outer = outer;
  }

  static root(): Scope {
    return new Scope(
      new Map([
        ['', ''],
        ['xml', xmlNamespace],
      ]),
    );
  }

  /** This scope with more declarations. Throws `bad-answer` (xml-malformed) for what Namespaces in XML 1.0 forbids. */
  with(declarations: ReadonlyMap<string, string>): Scope {
    for (const [prefix, uri] of declarations) {
      const isReserved = prefix === 'xmlns' || uri === xmlnsNamespace || (prefix === 'xml') !== (uri === xmlNamespace);
      if (isReserved)
        throw badAnswer('xml-malformed', `the prefix '${prefix}' cannot be bound to '${forMessage(uri)}'`);
      if (prefix !== '' && uri === '') throw badAnswer('xml-malformed', `the prefix '${prefix}' is bound to nothing`);
    }
    return new Scope(declarations, this);
  }

  /** Namespace of a prefix, '' being the default one. */
  uri(prefix: string): string | undefined {
    // A copy of all declarations around it would take a millisecond for each of millions of elements.
    return this.#own.get(prefix) ?? this.#outer?.uri(prefix);
  }

  /** An element's name. Throws `bad-answer` (xml-malformed) when its prefix is not bound. */
  element(raw: RawName): XmlName {
    const namespace = this.uri(raw.prefix);
    if (namespace === undefined) throw badAnswer('xml-malformed', `the prefix '${raw.prefix}' is not bound`);
    return { namespace, local: raw.local, prefix: raw.prefix };
  }

  /** An attribute's name: the default namespace does not apply to attributes. Throws as `element`. */
  attribute(raw: RawName): XmlName {
    return raw.prefix === '' ? { namespace: '', local: raw.local, prefix: '' } : this.element(raw);
  }
}
