import type { Operation } from '../../contract/build.js';
import { findOperation } from '../../contract/service.js';
import type { RelctlError } from '../../errors/relctl-error.js';
import type { Headers } from '../../soap/transport/http.js';
import { soapActionOf, versionOf, type SoapVersion } from '../../soap/wire/version.js';
import { type Document, isOfAVersion, requestElementOf } from './document.js';
import { clientFault, unprocessable, versionMismatch } from './faults.js';
import type { MediaType } from './media-type.js';

/** A request before its body means anything. */
export interface Incoming {
  readonly type: MediaType;
  /** The SOAPAction header, as it came. */
  readonly soapAction: string | undefined;
  readonly document: Document;
  readonly namespace: string;
}

/** Where a request goes: an operation, or the fault and the version it is said in. */
export type Route = { readonly operation: Operation } | { readonly fault: RelctlError; readonly version: SoapVersion };

/** The header that SOAP 1.1 is routed by. */
export const soapActionIn = (headers: Headers): string | undefined => headers['soapaction'];

/** What %-escapes and plus signs stand for; text with broken ones stays as it is. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function operationOf(action: string, namespace: string): Operation | undefined {
  const start = soapActionOf(namespace, '').slice(1, -1);
  return action.startsWith(start) ? findOperation(action.slice(start.length)) : undefined;
}

/** The version that is answered in as long as the document has not said one. */
export const guessedVersion = ({ type, soapAction }: Pick<Incoming, 'type' | 'soapAction'>): SoapVersion =>
  soapAction === undefined || type.base === 'application/soap+xml' ? '1.2' : '1.1';

function byHeader({ soapAction = '', namespace }: Incoming): Route {
  const bare = /^"(.*)"$/s.exec(soapAction)?.[1] ?? soapAction;
  const action = unescaped(bare);
  const operation = operationOf(action, namespace);
  if (operation !== undefined) return { operation };
  const words = `Server did not recognize the value of HTTP Header SOAPAction: ${action}.`;
  return { version: '1.1', fault: clientFault(words) };
}

const unknown = (action: string): RelctlError =>
  clientFault(
    action === ''
      ? 'Unable to handle request without a valid action parameter. Please supply a valid soap action.'
      : `Unable to handle request. The action '${action}' was not recognized.`,
  );

function xmlWords({ message, facts }: RelctlError, root: Document['root']): string {
  if (facts.code === 'xml-doctype') return 'DTD is prohibited in this XML document.';
  return root === undefined && facts.code === 'xml-truncated' ? 'Root element is missing.' : message;
}

function byBody(incoming: Incoming, action: string): Route {
  const { document, namespace } = incoming;
  const seen = requestElementOf(document);
  const { root } = document;
  // Whatever else is wrong, a root in a foreign namespace is said first.
  if (root !== undefined && !isOfAVersion(root) && !('found' in seen && routed(seen.found, namespace))) {
    return { version: '1.1', fault: versionMismatch(root.name.namespace) };
  }
  const version = (root === undefined ? undefined : versionOf(root.name.namespace)) ?? guessedVersion(incoming);
  if ('broken' in seen) return { version, fault: unprocessable(xmlWords(seen.broken, root)) };
  if ('lacks' in seen) return { version, fault: unprocessable(seen.lacks) };
  const operation = routed(seen.found, namespace);
  return operation === undefined ? { version, fault: unknown(action) } : { operation };
}

function routed(
  element: { readonly name: { local: string; namespace: string } } | undefined,
  namespace: string,
): Operation | undefined {
  return element?.name.namespace === namespace ? findOperation(element.name.local) : undefined;
}

/**
 * The operation of a request: by the SOAPAction header when it is SOAP 1.1; else by the action of the content type, and if
 * that says nothing, by the element in the Body.
 */
export function routeOf(incoming: Incoming): Route {
  if (guessedVersion(incoming) === '1.1') return byHeader(incoming);
  const action = unescaped(incoming.type.action ?? '');
  const operation = operationOf(action, incoming.namespace);
  return operation === undefined ? byBody(incoming, action) : { operation };
}
