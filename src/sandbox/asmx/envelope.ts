import type { RelctlError } from '../../errors/relctl-error.js';
import { versionOf } from '../../soap/wire/version.js';
import { attributeOf, type Document, type Element } from './document.js';
import { unreadable } from './faults.js';

const missing = (part: 'Envelope' | 'Body'): string =>
  `Request format is invalid: Missing required soap:${part} element.`;

const isNamed = ({ name }: Element, local: string, namespace: string): boolean =>
  name.local === local && name.namespace === namespace;

const isMarked = (element: Element, namespace: string): boolean =>
  ['1', 'true'].includes(attributeOf(element.attributes, 'mustUnderstand', namespace) ?? '');

/** What an envelope holds. */
export interface Envelope {
  /** Children of its Body. */
  readonly content: readonly Element[];
  /** Names of header entries that say they must be understood. Roles are not looked at. */
  readonly mustUnderstand: readonly string[];
}

/**
 * The content of an envelope: a Header at most, and then the Body; what follows is passed over. Throws the fault for an
 * envelope that is none or has no Body.
 */
export function envelopeOf(root: Element): Envelope {
  const { namespace } = root.name;
  if (root.name.local !== 'Envelope') throw unreadable(missing('Envelope'));
  const [first, second] = root.children;
  const header = first !== undefined && isNamed(first, 'Header', namespace) ? first : undefined;
  const body = header === undefined ? first : second;
  if (body === undefined || root.startsWithText || !isNamed(body, 'Body', namespace)) throw unreadable(missing('Body'));
  return {
    content: body.children,
    mustUnderstand: (header?.children ?? [])
      .filter((entry) => isMarked(entry, namespace))
      .map((entry) => entry.name.local),
  };
}

/** What routing finds in a document without looking at its version. */
export type RequestElement =
  | { readonly found: Element | undefined }
  /** Reading ended before the place was reached. */
  | { readonly broken: RelctlError }
  | { readonly lacks: string };

/** The first element within anything called Body within anything called Envelope. */
export function requestElementOf({ root, broken }: Document): RequestElement {
  const lacking = (part: 'Envelope' | 'Body'): RequestElement =>
    broken === undefined || part === 'Envelope' ? { lacks: missing(part) } : { broken };
  if (root === undefined) return broken === undefined ? lacking('Envelope') : { broken };
  if (root.name.local !== 'Envelope') return lacking('Envelope');
  const body = root.children.find((child) => isNamed(child, 'Body', root.name.namespace));
  if (body === undefined) return lacking('Body');
  const [found] = body.children;
  if (found === undefined && broken !== undefined) return { broken };
  return { found: body.startsWithText ? undefined : found };
}

/** True for a document whose root is in the namespace of a version of SOAP. */
export const isOfAVersion = (root: Element): boolean => versionOf(root.name.namespace) !== undefined;
