import type { HttpRequest, HttpResponse } from '../../soap/transport/http.js';
import { writeResponse, type WholeResponse } from '../../soap/wire/response.js';
import { resultFields } from '../../soap/wire/result-fields.js';
import { versionOf, type SoapVersion } from '../../soap/wire/version.js';
import { streamed } from '../answers.js';
import type { Middleware, Asked, Executed, SandboxContext } from '../context.js';
import { execute } from '../invoke.js';
import { canonical } from './scalars.js';
import { mediaTypeOf, requestText } from './media-type.js';
import { readDocument, type Element } from './document.js';
import { asmxFault, malformed, notUnderstood, tooLong, unsupportedType, versionMismatch } from './faults.js';
import { readAsmxRequest, type AsmxRequest, type RequestSource } from './read-request.js';
import { guessedVersion, routeOf, soapActionIn, type Incoming } from './route.js';

/** maxRequestLength of ASP.NET, unless a service sets another. */
export const maxRequestBytes = 4096 * 1024;

const soapTypes: readonly string[] = ['text/xml', 'application/soap+xml'];
const carriageReturn = '&#xD;';

/** The same sandbox with results in the lexical forms of such a service. Whoever stands around it sees them in these. */
function lenient(context: SandboxContext): SandboxContext {
  const middleware: Middleware = (asked, execute) => {
    const inner = (each: Asked): Executed => {
      const { operation, result } = execute(each);
      return { operation, result: canonical(resultFields(operation), result) };
    };
    return context.middleware === undefined ? inner(asked) : context.middleware(asked, inner);
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

/** The version that a fault is said in; becomes surer while the request is read. */
interface Told {
  version: SoapVersion;
}

/** The version of a document that can be read at all. */
function versionOfRoot({ type }: Incoming, root: Element, told: Told): SoapVersion {
  const version = versionOf(root.name.namespace);
  told.version = version ?? '1.1';
  if (version === undefined) throw versionMismatch(root.name.namespace);
  if (version === '1.1' && type.base !== 'text/xml') throw unsupportedType();
  return version;
}

/** What a request is for, as far as that can be said before its values are read. */
function addressed(incoming: Incoming, told: Told): Pick<RequestSource, 'operation' | 'version' | 'root'> {
  const route = routeOf(incoming);
  if ('fault' in route) {
    told.version = route.version;
    throw route.fault;
  }
  const { root, broken } = incoming.document;
  if (!soapTypes.includes(incoming.type.base)) throw unsupportedType();
  if (root === undefined) throw malformed();
  const version = versionOfRoot(incoming, root, told);
  if (broken !== undefined) throw malformed();
  return { operation: route.operation, version, root };
}

function carriedOut(context: SandboxContext, { received, mustUnderstand }: AsmxRequest): WholeResponse {
  const executed = execute(lenient(context), received);
  const [unknown] = mustUnderstand;
  // Such a service looks at its headers when it writes the answer: the work is done by then.
  if (unknown !== undefined) throw notUnderstood(unknown);
  return withBareReturns(writeResponse({ ...executed, namespace: context.namespace, version: received.version }));
}

function answer(context: SandboxContext, request: HttpRequest): WholeResponse {
  const asked = { type: mediaTypeOf(request.headers['content-type']), soapAction: soapActionIn(request.headers) };
  const told: Told = { version: guessedVersion(asked) };
  try {
    if (request.body.length > maxRequestBytes) throw tooLong();
    const text = requestText(request.body, asked.type);
    const incoming = { ...asked, document: readDocument(text), namespace: context.namespace };
    const { namespace, now } = context;
    return carriedOut(context, readAsmxRequest({ ...addressed(incoming, told), text, namespace, now }));
  } catch (thrown) {
    return asmxFault(thrown, { version: told.version, namespace: context.namespace });
  }
}

/** SOAP as a lenient .asmx service takes it: what it cannot use it passes over, and what is missing has its default. */
export function asmxSoap(context: SandboxContext, request: HttpRequest): HttpResponse {
  return streamed(answer(context, request));
}
