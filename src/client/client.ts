import { type RecordValue, defined } from '../core/values/value.js';
import type { Operation } from '../contract/build.js';
import { operationWith } from '../contract/widen.js';
import type { Input, Output } from '../contract/infer.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import { writeRequest } from '../soap/wire/request.js';
import { withContent } from '../soap/wire/content.js';
import { explainError } from './explain.js';
import type { Attempt, Call, CallOptions, ClientSurroundings, MakeAttempt, Reply } from './call.js';
import { readableIn, type Connection } from './connection.js';
import { exchange, type Answer } from './exchange.js';
import { isBusy } from './pace.js';
import { retry } from './retry.js';

/** A reply whose result has the type that the contract gives the operation. */
type TypedReply<O extends Operation> = Omit<Reply, 'result'> & { readonly result: Output<O> };

/** Calls operations of one service. */
export interface Client {
  readonly connection: Connection;
  /** Calls with the types of the contract. Throws RelctlError of any kind, whose facts name operation and profile. */
  call<O extends Operation>(operation: O, input: Input<O>, options?: CallOptions): Promise<TypedReply<O>>;
  /** The same for an operation that is chosen at run time. */
  callUntyped(operation: Operation, input: RecordValue, options?: CallOptions): Promise<Reply>;
}

function settle(
  exchangeOnce: (call: Call) => Promise<Answer>,
  { nowMs, onAttempt }: Pick<ClientSurroundings, 'nowMs' | 'onAttempt'>,
): MakeAttempt {
  return async (call, number) => {
    const started = nowMs();
    const report = async (outcome: Attempt['outcome']): Promise<void> => {
      const { operation, input, written } = call;
      await onAttempt?.({ operation, input, ...defined({ written }), number, elapsedMs: nowMs() - started, outcome });
    };
    try {
      const answer = await exchangeOnce(call);
      const reply = { ...answer, attempts: number, elapsedMs: nowMs() - started };
      await report({ kind: 'reply', reply });
      return reply;
    } catch (thrown) {
      const error = RelctlError.from(thrown);
      await report({ kind: 'error', error });
      return error;
    }
  };
}

/** Makes attempts of reads when their turn has come, and tells the pace how they ended. Writes have a pace of their own. */
function takeTurns(attempt: MakeAttempt, { pace, nowMs }: Pick<ClientSurroundings, 'pace' | 'nowMs'>): MakeAttempt {
  return async (call, number) => {
    const { operation, sink, signal } = call;
    if (operation.access !== 'read') return attempt(call, number);
    await pace.turn(signal);
    const startedMs = nowMs();
    const outcome = await attempt(call, number);
    if (!(outcome instanceof RelctlError))
      pace.answered({ operation: operation.name, elapsedMs: sink === undefined ? outcome.elapsedMs : undefined });
    else if (isBusy(outcome)) pace.refused(outcome, startedMs);
    return outcome;
  };
}

type Send<C> = (call: C) => Promise<Reply>;
type UnwrittenCall = Omit<Call, 'request'>;

/** Writes the request of a call, for an operation as the service of the connection has it. */
function write(send: Send<Call>, connection: Connection): Send<UnwrittenCall> {
  const { url, namespace, version, isVersionChosen, soapAction, credentials } = connection;
  return async (unwritten) => {
    const operation = operationWith(readableIn(connection, unwritten.operation), connection.allowedValues);
    const call = { ...unwritten, operation };
    const text = { ...call, credentials, namespace, version, isVersionChosen, soapAction, url };
    return send({ ...call, request: withContent(writeRequest(text), call.content) });
  };
}

/** Adds operation and profile to the error of a call, and what can be done about it. */
function explain(
  send: Send<UnwrittenCall>,
  caller: ClientSurroundings & { readonly connection: Connection },
): Send<UnwrittenCall> {
  return async (call) => {
    try {
      return await send(call);
    } catch (thrown) {
      const error = await explainError(RelctlError.from(thrown), call.operation, caller);
      throw error.with({ operation: call.operation.name, profile: caller.connection.profile });
    }
  };
}

/**
 * A client for one connection. A call goes through these layers from the outside in: its error is explained, its request is
 * written, it is attempted again, each attempt waits for its turn, is timed and reported, and is one exchange.
 */
export function createClient(connection: Connection, surroundings: ClientSurroundings): Client {
  const settled = settle((call) => exchange(connection, surroundings, call), surroundings);
  const attempted = retry(takeTurns(settled, surroundings), connection.retries, surroundings);
  const send = explain(write(attempted, connection), { ...surroundings, connection });
  const callUntyped = (operation: Operation, input: RecordValue, options: CallOptions = {}): Promise<Reply> =>
    send({ signal: surroundings.signal, ...options, operation, input });
  return {
    connection,
    callUntyped,
    // The decoder gives exactly the members that the contract lists; the generic cannot be proven from plain data.
    call: callUntyped as Client['call'],
  };
}
