import type { Operation } from '../../contract/build.js';
import { findOperation } from '../../contract/service.js';
import { fullResult, soapActionOf } from '../../contract/walk.js';
import { orElse } from '../../core/values/value.js';
import type { RelctlError } from '../../core/errors/relctl-error.js';
import { type HttpRequest, type OutgoingResponse, wholeOf } from '../../soap/transport/http.js';
import { type WholeResponse, writeResponse } from '../../soap/wire/response.js';
import {
  assumedVersion,
  hasActionHeader,
  type SoapVersion,
  soapVersions,
  versionOf,
  versionOfType,
  versions,
} from '../../soap/wire/version.js';
import { streamed } from '../answers.js';
import type { Middleware, OperationRequest, Executed, SandboxContext } from '../context.js';
import { execute } from '../invoke.js';
import { type Document, type Element, readDocument, requestElementOf } from './document.js';
import {
  asmxFault,
  clientFault,
  malformed,
  notUnderstood,
  tooLong,
  unprocessable,
  unsupportedType,
  versionMismatch,
} from './faults.js';
import { type MediaType, mediaTypeOf, requestText } from './media-type.js';
import { type AsmxRequest, readAsmxRequest, type RequestSource } from './read-request.js';
import { canonical } from './scalars.js';

/** maxRequestLength of ASP.NET, unless a service sets another. */
const maxRequestBytes = 4096 * 1024;

const carriageReturn = '&#xD;';

/** The same sandbox with results in the lexical forms of such a service, for other middleware too. */
function lenient(context: SandboxContext): SandboxContext {
  const middleware: Middleware = (operationRequest, execute) => {
    const inner = (each: OperationRequest): Executed => {
      const executed = execute(each);
      return { ...executed, result: canonical(fullResult(executed.operation), executed.result) };
    };
    return context.middleware?.(operationRequest, inner) ?? inner(operationRequest);
  };
  return { ...context, middleware };
}

/** An answer with CR as it is: such a service writes no reference for it. */
function withBareReturns(whole: WholeResponse): WholeResponse {
  const body = Buffer.from(whole.body);
  // A reference in the data would begin with `&amp;`, so that this one stands for a CR.
  return body.includes(carriageReturn)
    ? { ...whole, body: Buffer.from(body.toString('utf8').replaceAll(carriageReturn, '\r')) }
    : whole;
}

/** The version of SOAP for a fault; updated while the request is read. */
interface FaultVersion {
  version: SoapVersion;
}

function versionOfRoot({ type }: Incoming, root: Element, faultVersion: FaultVersion): SoapVersion {
  const version = versionOf(root.name.namespace);
  faultVersion.version = version ?? assumedVersion;
  if (version === undefined) throw versionMismatch(root.name.namespace);
  if (!soapVersions[version].acceptedTypes.includes(type.base)) throw unsupportedType();
  return version;
}

function addressed(
  incoming: Incoming,
  faultVersion: FaultVersion,
): Pick<RequestSource, 'operation' | 'version' | 'root'> {
  const operation = routeOf(incoming, faultVersion);
  const { root, broken } = incoming.document;
  if (versionOfType(incoming.type.base) === undefined) throw unsupportedType();
  if (root === undefined) throw malformed();
  const version = versionOfRoot(incoming, root, faultVersion);
  if (broken !== undefined) throw malformed();
  return { operation, version, root };
}

function carriedOut(context: SandboxContext, { received, mustUnderstand }: AsmxRequest): OutgoingResponse {
  const executed = execute(lenient(context), received);
  const [unknown] = mustUnderstand;
  // Such a service looks at its headers when it writes the answer: the work is done by then.
  if (unknown !== undefined) throw notUnderstood(unknown);
  const whole = writeResponse({ ...executed, namespace: context.namespace, version: received.version });
  return streamed(withBareReturns(whole), executed.content);
}

/** Answers SOAP as a lenient .asmx service does: unknown elements are ignored, missing ones have their default. */
export function asmxSoap(context: SandboxContext, request: HttpRequest): OutgoingResponse {
  const hints = { type: mediaTypeOf(request.headers['content-type']), soapAction: request.headers['soapaction'] };
  const version: FaultVersion = { version: guessedVersion(hints) };
  try {
    if (request.body.length > maxRequestBytes) throw tooLong();
    const text = requestText(wholeOf(request.body), hints.type);
    const incoming = { ...hints, document: readDocument(text), namespace: context.namespace };
    const { namespace, now } = context;
    return carriedOut(context, readAsmxRequest({ ...addressed(incoming, version), text, namespace, now }));
  } catch (thrown) {
    return streamed(asmxFault(thrown, { version: version.version, namespace: context.namespace }));
  }
}

interface Incoming {
  readonly type: MediaType;
  readonly soapAction: string | undefined;
  readonly document: Document;
  readonly namespace: string;
}

const unescaped = (text: string): string => orElse(() => decodeURIComponent(text.replaceAll('+', ' ')), text);

function operationOf(action: string, namespace: string): Operation | undefined {
  const start = soapActionOf(namespace, '');
  return action.startsWith(start) ? findOperation(action.slice(start.length)) : undefined;
}

/** The version of the answer as long as the document was not read. */
const guessedVersion = ({ type, soapAction }: Pick<Incoming, 'type' | 'soapAction'>): SoapVersion =>
  (soapAction === undefined ? versions.find((each) => !hasActionHeader(each)) : versionOfType(type.base)) ??
  assumedVersion;

function byHeader({ soapAction = '', namespace }: Incoming): Operation {
  const action = unescaped(/^"(.*)"$/s.exec(soapAction)?.[1] ?? soapAction);
  const operation = operationOf(action, namespace);
  if (operation !== undefined) return operation;
  throw clientFault(`Server did not recognize the value of HTTP Header SOAPAction: ${action}.`);
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

function byBody({ document, namespace }: Incoming, action: string, faultVersion: FaultVersion): Operation {
  const { root } = document;
  const seen = requestElementOf(document);
  const operation = 'found' in seen ? routed(seen.found, namespace) : undefined;
  if (operation !== undefined) return operation;
  if (root !== undefined) {
    const version = versionOf(root.name.namespace);
    faultVersion.version = version ?? assumedVersion;
    // Whatever else is wrong, a root in a foreign namespace is said first.
    if (version === undefined) throw versionMismatch(root.name.namespace);
  }
  if ('broken' in seen) throw unprocessable(xmlWords(seen.broken, root));
  throw 'lacks' in seen ? unprocessable(seen.lacks) : unknown(action);
}

function routed(element: Element | undefined, namespace: string): Operation | undefined {
  return element?.name.namespace === namespace ? findOperation(element.name.local) : undefined;
}

/** The operation of a request by SOAPAction (1.1), else by the action of the content type or the Body. Throws `refused`. */
function routeOf(incoming: Incoming, version: FaultVersion): Operation {
  if (hasActionHeader(version.version)) return byHeader(incoming);
  const action = unescaped(incoming.type.action ?? '');
  return operationOf(action, incoming.namespace) ?? byBody(incoming, action, version);
}
