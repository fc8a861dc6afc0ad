import type { Operation, Type } from '../contract/build.js';
import { RelctlError } from '../errors/relctl-error.js';
import type { HttpHandler, HttpRequest, HttpResponse } from '../soap/http.js';
import { readRequest, type ReceivedRequest } from '../soap/receive.js';
import { writeFault, writeResponse, type WholeResponse } from '../soap/response.js';
import type { RecordValue, Value } from '../soap/values.js';
import type { FaultSide, SoapVersion } from '../soap/version.js';
import { invalidCredentials } from './assumptions.js';
import { servicePath, type SandboxContext } from './context.js';
import { credentialsRefusal } from './credentials.js';
import { handlerOf } from './handlers/index.js';
import { outcomeOf, refused, type Outcome, type Refusal } from './handlers/handler.js';
import { idOf } from './handlers/known.js';

const soapTypes: Readonly<Record<string, SoapVersion>> = { 'text/xml': '1.1', 'application/soap+xml': '1.2' };

const faultSides: readonly FaultSide[] = ['Client', 'Server', 'MustUnderstand', 'VersionMismatch'];

// eslint-disable-next-line @typescript-eslint/require-await -- an answer held in memory still has the shape of a stream
async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

const plain = (status: number, text: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: once(Buffer.from(text === '' ? '' : `${text}\n`)),
});

const streamed = (whole: WholeResponse): HttpResponse => ({
  status: whole.status,
  headers: { 'cache-control': 'private, max-age=0', ...whole.headers },
  body: once(whole.body),
});

/** A failure as a fault. Reading blames the caller, working blames us, unless the failure itself says whom. */
const fault = (version: SoapVersion, thrown: unknown, usual: FaultSide): WholeResponse => {
  const failure = RelctlError.from(thrown);
  const [side, subcode] = (failure.facts.code ?? '').split('.');
  const code = faultSides.find((known) => known === side) ?? (failure.kind === 'bug' ? 'Server' : usual);
  return writeFault({ version, code, message: failure.message, ...(subcode === undefined ? {} : { subcode }) });
};

const zeroOf = (type: Type): Value => {
  if (type.kind === 'scalar' && (type.name === 'int' || type.name === 'short')) return 0;
  return type.kind === 'scalar' && type.name === 'boolean' ? false : null;
};

/** A result that says no: required members of its own have their zero, because the element must be there. */
const refusedResult = (operation: Operation, refusal: Refusal): RecordValue => {
  const required = Object.entries(operation.result).filter(([, field]) => field.presence === 'req');
  return {
    Result: { Succeeded: false, Number: refusal.number, Code: refusal.code, Description: refusal.description },
    ...Object.fromEntries(required.map(([name, field]) => [name, zeroOf(field.type)])),
  };
};

const clientFault = (message: string): RelctlError =>
  new RelctlError('refused', message, { facts: { code: 'Client' } });

/** A refusal in the form of the operation (interface document, Errors; assumptions.ts, "How operations refuse"). */
const sayNo = (operation: Operation, refusal: Refusal): RecordValue => {
  if (operation.envelope) return refusedResult(operation, refusal);
  const isOfCredentials = refusal.code === invalidCredentials.code;
  if (Object.hasOwn(operation.result, 'ErrorInformation') && !isOfCredentials) {
    return { ErrorInformation: refusal.description };
  }
  throw new RelctlError('refused', refusal.description, { facts: { code: `Client.${refusal.code}` } });
};

const outcomeFor = (context: SandboxContext, request: ReceivedRequest, operation: Operation): Outcome<RecordValue> => {
  const wrong = credentialsRefusal(context.store, request.credentials);
  if (wrong !== undefined) return refused({ ...invalidCredentials, description: wrong });
  const handler = handlerOf(operation);
  if (handler === undefined) throw new RelctlError('bug', `${operation.name} has no handler`);
  const { store } = context;
  const UserId = request.credentials?.['UserId'];
  const call = { ...context, userId: idOf(typeof UserId === 'string' ? UserId : null) };
  const work = (): Outcome<RecordValue> => outcomeOf(() => handler(call, request.input));
  return operation.access === 'read' ? store.read(work) : store.write(work);
};

const resultOf = (context: SandboxContext, request: ReceivedRequest, operation: Operation): RecordValue => {
  const outcome = outcomeFor(context, request, operation);
  if ('refused' in outcome) return sayNo(operation, outcome.refused);
  return operation.envelope ? { Result: { Succeeded: true, Number: 0 }, ...outcome.result } : outcome.result;
};

const answer = (context: SandboxContext, request: ReceivedRequest): WholeResponse => {
  const { operation, operationName, version } = request;
  try {
    if (operation === undefined) throw clientFault(`The sandbox does not know the operation ${operationName}.`);
    const result = resultOf(context, request, operation);
    return writeResponse({ operation, result, namespace: context.namespace, version });
  } catch (thrown) {
    return fault(version, thrown, 'Server');
  }
};

const soap = (context: SandboxContext, request: HttpRequest): HttpResponse => {
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const version = Object.hasOwn(soapTypes, mediaType) ? soapTypes[mediaType] : undefined;
  if (version === undefined) return plain(415, '');
  try {
    return streamed(answer(context, readRequest(request, { namespace: context.namespace })));
  } catch (thrown) {
    return streamed(fault(version, thrown, 'Client'));
  }
};

const page = (context: SandboxContext): string =>
  `relctl sandbox\n\nSOAP 1.1 and 1.2 by POST to ${servicePath}, namespace ${context.namespace}.\n` +
  `${context.dataset.relations} relations, seed ${context.dataset.seed}.`;

/**
 * The service as a function from request to answer, without sockets (interface document, "What the service does"). It
 * never throws: what goes wrong is an answer.
 */
export function createEndpoint(context: SandboxContext): HttpHandler {
  return (request) => {
    const path = request.url.split('?')[0] ?? '';
    if (path.toLowerCase() !== servicePath.toLowerCase()) return Promise.resolve(plain(404, 'There is nothing here.'));
    return Promise.resolve(request.method === 'GET' ? plain(200, page(context)) : soap(context, request));
  };
}
