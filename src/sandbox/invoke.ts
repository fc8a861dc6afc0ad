import { type RecordValue, defined } from '../core/values/value.js';
import type { Operation } from '../contract/build.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import type { OutgoingResponse } from '../soap/transport/http.js';
import type { FaultSubcode } from '../soap/wire/fault.js';
import { type WholeResponse, writeFault, writeResponse } from '../soap/wire/response.js';
import type { FaultSide, SoapVersion } from '../soap/wire/version.js';
import { streamed } from './answers.js';
import type { OperationRequest, Executed, ReadRequest, SandboxContext } from './context.js';
import { knownCredentials } from './dataset/known.js';
import { activityHandlers } from './handlers/activity.js';
import { type Call, type Handlers, idOf, isKnown, type Refusal, refuse, Refused } from './handlers/handler.js';
import { productHandlers } from './handlers/product.js';
import { relationHandlers } from './handlers/relation.js';
import { zeroOf } from './walk.js';
import type { OutputOf } from '../contract/infer.js';
import type { ApiCredentials } from '../contract/records/shared.js';
import type { Store } from './store/open.js';

const handlers: Handlers = { ...activityHandlers, ...productHandlers, ...relationHandlers };

type AnyHandler = (call: Call, input: RecordValue) => RecordValue;

const byName: ReadonlyMap<string, unknown> = new Map(Object.entries(handlers));

/** The handler of an operation; undefined for one that is not in the contract. */
export function handlerOf(operation: Operation): AnyHandler | undefined {
  const handler = byName.get(operation.name);
  // Input is decoded by the plan of the same operation that the handler is typed by, so the two fit; a map of all
  // operations cannot say so.
  return typeof handler === 'function' ? (handler as AnyHandler) : undefined;
}

/** Credentials of a request; undefined when the element is absent. */
export type ReceivedCredentials = OutputOf<typeof ApiCredentials> | undefined;

const sameId = (id: string, right: string): boolean => id.toLowerCase() === right;

const signIn = ({ UserName, Password }: NonNullable<ReceivedCredentials>): string | undefined => {
  if ((UserName ?? Password ?? undefined) === undefined) return undefined;
  if (UserName === knownCredentials.UserName && Password === knownCredentials.Password) return undefined;
  return 'The user name and the password do not match.';
};

/** Why credentials are refused (Authentication; assumptions.json, "How credentials combine"), without what was given. */
export function credentialsRefusal(store: Store, credentials: ReceivedCredentials): string | undefined {
  if (credentials === undefined) return 'Credentials are required.';
  const { ApiKey, DatabaseId, UserId } = credentials;
  if (typeof ApiKey !== 'string' || !sameId(ApiKey, knownCredentials.ApiKey)) return 'The ApiKey is not valid.';
  if (typeof DatabaseId === 'string' && !sameId(DatabaseId, knownCredentials.DatabaseId)) {
    return 'The DatabaseId is not a database of this ApiKey.';
  }
  if (typeof UserId === 'string' && !isKnown(store, 'User', UserId))
    return 'The UserId is not a user of this database.';
  return signIn(credentials);
}

/** Writes a failure as a fault. A `bug` blames the server; otherwise the failure says which side, or `usual` does. */
export const fault = (
  thrown: unknown,
  { version, namespace, usual }: { version: SoapVersion; namespace: string; usual: FaultSide },
): WholeResponse => {
  const failure = RelctlError.from(thrown);
  const code = failure.kind === 'bug' ? 'Server' : usual;
  return writeFault({ version, code, message: failure.message, ...faultCodes(failure, namespace) });
};

/** A result with Succeeded=false. Its required members have their zero, because their elements must be there. */
export const refusedResult = (operation: Operation, refusal: Refusal): RecordValue => {
  const required = Object.entries(operation.result).filter(([, field]) => field.presence === 'req');
  return {
    Result: { Succeeded: false, Number: refusal.number, Code: refusal.code, Description: refusal.description },
    ...Object.fromEntries(required.map(([name, field]) => [name, zeroOf(field.type) ?? null])),
  };
};

/** A refusal in the form of the operation (interface document, Errors; assumptions.json, "How operations refuse"). */
const answerRefusal = (operation: Operation, refusal: Refusal): RecordValue => {
  if (operation.envelope) return refusedResult(operation, refusal);
  if (Object.hasOwn(operation.result, 'ErrorInformation') && refusal.code !== 'InvalidCredentials') {
    return { ErrorInformation: refusal.description };
  }
  throw new RelctlError('refused', refusal.description, { facts: { foreignCode: `Client.${refusal.code}` } });
};

type Worked = Pick<Executed, 'result' | 'content'>;

const workOf = (context: SandboxContext, request: ReadRequest, operation: Operation): Worked => {
  const { store } = context;
  const wrong = credentialsRefusal(store, request.credentials);
  if (wrong !== undefined) refuse('InvalidCredentials', wrong);
  const more = context.more?.get(operation.name);
  const handler: AnyHandler | undefined = more === undefined ? handlerOf(operation) : (_, input) => more.handler(input);
  if (handler === undefined) throw new RelctlError('bug', `${operation.name} has no handler`);
  const UserId = request.credentials?.['UserId'];
  const userId = idOf(typeof UserId === 'string' ? UserId : null);
  let content: Executed['content'];
  const placeContent: Call['place'] = (placedContent) => (content = placedContent);
  const call = { ...context, userId, place: placeContent, ...defined({ content: request.content }) };
  const work = (): RecordValue => handler(call, request.input);
  const result = operation.access === 'read' ? store.read(work) : store.write(work);
  return { result, ...defined({ content }) };
};

const resultOf = (context: SandboxContext, request: ReadRequest, operation: Operation): Worked => {
  try {
    const { result, ...content } = workOf(context, request, operation);
    return { result: operation.envelope ? { Result: { Succeeded: true, Number: 0 }, ...result } : result, ...content };
  } catch (thrown) {
    if (thrown instanceof Refused) return { result: answerRefusal(operation, thrown.refusal) };
    throw thrown;
  }
};

/** Executes a request whose operation is known. Throws `refused` where the operation refuses by a fault. */
export const execute = (context: SandboxContext, operationRequest: OperationRequest): Executed => {
  const work = (request: OperationRequest): Executed => ({
    operation: request.operation,
    ...resultOf(context, request, request.operation),
  });
  return context.middleware?.(operationRequest, work) ?? work(operationRequest);
};

/** Answers a request that was read; a failure becomes a fault. */
export const invoke = (context: SandboxContext, request: ReadRequest): OutgoingResponse => {
  const { operation, operationName, version } = request;
  const { namespace } = context;
  try {
    if (operation === undefined)
      throw new RelctlError('refused', `The sandbox does not know the operation ${operationName}.`, {
        facts: { foreignCode: 'Client' },
      });
    const { content, ...executed } = execute(context, { ...request, operation });
    return streamed(writeResponse({ ...executed, namespace, version }), content);
  } catch (thrown) {
    return streamed(fault(thrown, { version, namespace, usual: 'Server' }));
  }
};

const sides: readonly FaultSide[] = ['Client', 'Server', 'MustUnderstand', 'VersionMismatch'];

/** The codes of a fault: of `Client.NotFound` the second is a subcode of the service. Empty when no side is blamed. */
export function faultCodes(
  { facts }: RelctlError,
  namespace: string,
): { readonly code?: FaultSide; readonly subcode?: FaultSubcode } {
  const [side, ...rest] = (facts.foreignCode ?? '').split('.');
  const code = sides.find((known) => known === side);
  if (code === undefined) return {};
  return rest.length === 0 ? { code } : { code, subcode: { name: rest.join('.'), namespace } };
}
