import { type RecordValue, defined } from '../core/values/value.js';
import type { Operation } from '../contract/build.js';
import { operationWith } from '../contract/widen.js';
import type { Input, Output } from '../contract/infer.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import type {
  ConnectionChoice,
  ExchangeOptions,
  HttpClient,
  HttpResponse,
  OutgoingRequest,
} from '../soap/transport/http.js';
import { readResponse } from '../soap/wire/answer.js';
import type { Rows } from '../soap/codec/decode-bytes.js';
import type { ContentSink } from '../soap/codec/decoder-options.js';
import { secretsOf } from '../soap/codec/credentials.js';
import { writeRequest, type Written } from '../soap/wire/request.js';
import { withContent, type StreamedContent } from '../soap/wire/streamed-request.js';
import type { Note } from '../soap/codec/notes.js';
import type { SoapVersion } from '../soap/wire/version.js';
import { explainAccess } from './access.js';
import { readableIn, type Connection } from './connection.js';
import { explainAction } from './namespace.js';
import { isBusy, type Pace } from './pace.js';
import { delayMs, isTooSlow, lastFailure } from './retry.js';

/** The answer to a call that succeeded. */
export interface Reply {
  readonly result: RecordValue;
  readonly envelope?: RecordValue;
  readonly notes: readonly Note[];
  /** The service keeps cookies with its clients. */
  readonly hasCookies?: boolean;
  /** SOAP version of the answer. */
  readonly version: SoapVersion;
  /** The Date header of the answer, when it has one: the clock of the service. */
  readonly serverDate?: string;
  readonly attempts: number;
  readonly elapsedMs: number;
}

/** A reply whose result has the type that the contract gives the operation. */
type TypedReply<O extends Operation> = Omit<Reply, 'result'> & { readonly result: Output<O> };

/** What a trace gets of each attempt: never the envelope, so that it cannot show secrets. */
export interface Attempt {
  readonly operation: Operation;
  readonly input: RecordValue;
  readonly written?: Written;
  readonly number: number;
  readonly elapsedMs: number;
  readonly outcome:
    { readonly kind: 'reply'; readonly reply: Reply } | { readonly kind: 'error'; readonly error: RelctlError };
}

/** A call as a recorder gets it: its request is written anew, so that it cannot hold credentials. */
export interface CallToRecord {
  readonly operation: Operation;
  readonly input: RecordValue;
  readonly written?: Written;
  readonly content?: StreamedContent;
}

/** Keeps a copy of one exchange. */
export interface ExchangeRecord {
  /** The same answer, which is copied while it is read. */
  answered(response: HttpResponse): HttpResponse;
  failed(error: RelctlError): void;
}

/** What a client uses of its process. It is passed in, so that tests decide about time and chance. */
export interface ClientSurroundings {
  readonly send: HttpClient;
  readonly signal: AbortSignal;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Waits before a call is repeated after an error; rejects with the signal's reason when it is aborted. */
  readonly pause: (ms: number, signal: AbortSignal, after: RelctlError) => Promise<void>;
  /** How often calls that read are made; a write is made at once, for what sends many of them has a pace of its own. */
  readonly pace: Pace;
  /** Told of each attempt. What it gives is awaited: a long answer is told in pieces. */
  readonly onAttempt?: (attempt: Attempt) => Promise<void> | undefined;
  /** Called, perhaps often, while an answer comes that takes more memory than most. */
  readonly onLongAnswer?: () => void;
  /** Called before each attempt is sent. What it throws ends the call, with nothing sent. */
  readonly record?: (call: CallToRecord) => ExchangeRecord;
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** A request that the user wrote; it is sent instead of the input. */
  readonly written?: Written;
  /** An attempt that takes too long is not repeated: the caller has something smaller to ask for. */
  readonly endsWhenSlow?: boolean;
  /** Gets the bytes of the answer as they arrive, of every attempt. */
  readonly tee?: (chunk: Uint8Array) => void;
  /** Called when the request is on its way as a whole; again when the call is repeated. */
  readonly sent?: () => void;
  /** Called when the answer has come as a whole, before it is decoded, with its bytes; again when the call is repeated. */
  readonly received?: (bytes: number) => void;
  /** Takes the text of one member of the answer as it arrives. */
  readonly sink?: ContentSink;
  /** Makes, for each attempt, what becomes of the records of one list of the answer. */
  readonly rows?: () => Rows;
  /** The answer is kept as a whole until it is printed, also that of an operation that gives a list. */
  readonly isWhole?: boolean;
  /** Send no cookies. */
  readonly withoutCookies?: boolean;
  /** The value of one member of the input, made while it is sent. */
  readonly content?: StreamedContent;
  /** Which connection a write uses; usually `fresh`. */
  readonly connection?: ConnectionChoice;
}

/** Calls operations of one service. */
export interface Client {
  readonly connection: Connection;
  /** Calls with the types of the contract. Throws RelctlError of any kind, whose facts name operation and profile. */
  call<O extends Operation>(operation: O, input: Input<O>, options?: CallOptions): Promise<TypedReply<O>>;
  /** The same for an operation that is chosen at run time. */
  callUntyped(operation: Operation, input: RecordValue, options?: CallOptions): Promise<Reply>;
}

interface Call extends CallOptions {
  readonly operation: Operation;
  readonly input: RecordValue;
  readonly request: OutgoingRequest;
  readonly signal: AbortSignal;
}

/** Bytes of an answer that is kept as a whole: what is made of them until it is printed takes up to eight times as many. */
const mostWholeBytes = 32 * 1024 * 1024;

const givesList = ({ source, result }: Operation): boolean =>
  source === 'imported' || Object.values(result).some(({ type }) => type.kind === 'list');

/** Bytes that an answer may have; undefined where its rows, or a file in it, do not stay in memory. */
const mostBytesOf = ({ operation, sink, isWhole }: Call): number | undefined =>
  sink === undefined && (isWhole === true || !givesList(operation)) ? mostWholeBytes : undefined;

async function* watched(body: AsyncIterable<Uint8Array>, tee: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    tee(chunk);
    yield chunk;
  }
}

/** Sends as the surroundings do, and lets them keep a copy of the exchange. */
async function sentAndRecorded(
  { send, record }: ClientSurroundings,
  { operation, input, written, content, request }: Call,
  options: ExchangeOptions,
): Promise<HttpResponse> {
  const kept = record?.({ operation, input, ...defined({ written, content }) });
  if (kept === undefined) return send(request, options);
  try {
    return kept.answered(await send(request, options));
  } catch (thrown) {
    kept.failed(RelctlError.from(thrown));
    throw thrown;
  }
}

async function exchange(
  connection: Connection,
  surroundings: ClientSurroundings,
  call: Call,
): Promise<Omit<Reply, 'attempts' | 'elapsedMs'>> {
  const { operation, tee, sink, rows, signal, sent, received, withoutCookies } = call;
  const response = await sentAndRecorded(surroundings, call, {
    limits: connection.limits,
    signal,
    connection: operation.access === 'read' ? 'kept' : (call.connection ?? 'fresh'),
    // A file of zeros shrinks to almost nothing, and what a sink takes is never in memory as a whole.
    ...defined({ sent, received, withoutCookies, maxInflateRatio: sink && Infinity }),
  });
  const { namespace, credentials, secrets: others = [], credentialCodes = [], soapAction } = connection;
  const seen = tee === undefined ? response : { ...response, body: watched(response.body, tee) };
  const secrets = [...secretsOf(credentials), ...others];
  const mostBytes = mostBytesOf(call);
  const { onLongAnswer: onLong } = surroundings;
  const made = rows?.();
  const read = defined({ sink, soapAction, mostBytes, onLong, rows: made });
  const expected = { namespace, secrets, credentialCodes, ...read };
  const answer = await readResponse(operation, seen, expected).catch((thrown: unknown) => {
    made?.drop?.();
    throw thrown;
  });
  return { ...answer, ...defined({ serverDate: response.headers['date'], hasCookies: response.hasCookies }) };
}

/** What makes the attempts of one call. */
interface Attempting {
  readonly connection: Connection;
  readonly surroundings: ClientSurroundings;
  readonly call: Call;
}

async function attempt({ connection, surroundings, call }: Attempting, number: number): Promise<Reply | RelctlError> {
  const started = surroundings.nowMs();
  const tell = async (outcome: Attempt['outcome']): Promise<void> => {
    const { operation, input, written } = call;
    const elapsedMs = surroundings.nowMs() - started;
    await surroundings.onAttempt?.({ operation, input, ...defined({ written }), number, elapsedMs, outcome });
  };
  try {
    const answer = await exchange(connection, surroundings, call);
    const reply = { ...answer, attempts: number, elapsedMs: surroundings.nowMs() - started };
    await tell({ kind: 'reply', reply });
    return reply;
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    await tell({ kind: 'error', error });
    return error;
  }
}

/** An attempt when its turn has come, which the pace is told of. Throws the signal's reason. */
async function attemptInTurn(attempting: Attempting, number: number): Promise<Reply | RelctlError> {
  const { pace, nowMs } = attempting.surroundings;
  const { operation, sink, signal } = attempting.call;
  if (operation.access !== 'read') return attempt(attempting, number);
  await pace.turn(signal);
  const startedMs = nowMs();
  const outcome = await attempt(attempting, number);
  if (!(outcome instanceof RelctlError))
    pace.answered({ operation: operation.name, elapsedMs: sink === undefined ? outcome.elapsedMs : undefined });
  else if (isBusy(outcome)) pace.refused(outcome, startedMs);
  return outcome;
}

/** True when the call is not attempted again, however often it may be. */
const isOver = ({ signal, endsWhenSlow }: Pick<Call, 'signal' | 'endsWhenSlow'>, error: RelctlError): boolean =>
  signal.aborted || (endsWhenSlow === true && isTooSlow(error));

async function callWithRetries(
  surroundings: ClientSurroundings,
  connection: Connection,
  asked: Omit<Call, 'request'>,
): Promise<Reply> {
  const { operation, signal, content } = asked;
  const { url, namespace, version, isVersionChosen, soapAction, credentials } = connection;
  const text = { ...asked, credentials, namespace, version, isVersionChosen, soapAction, url };
  const request = withContent(writeRequest(text), content);
  const attempting = { connection, surroundings, call: { ...asked, request } };
  for (let number = 1; ; number += 1) {
    const outcome = await attemptInTurn(attempting, number);
    if (!(outcome instanceof RelctlError)) return outcome;
    const error = number > 1 ? outcome.with({ attempts: number }) : outcome;
    const left = isOver(asked, error) ? 0 : connection.retries - number + 1;
    const failure = lastFailure(operation.access, left, error);
    if (failure !== undefined) throw failure;
    const waitMs = delayMs(number, error, surroundings.random());
    if (waitMs === undefined) throw error;
    await surroundings.pause(waitMs, signal, error);
  }
}

/**
 * A client for one connection. A call encodes the input (and refuses a bad one before anything is sent), exchanges
 * request and answer, and decodes the answer; retry.ts decides about another attempt. Every error names operation and
 * profile.
 */
export function createClient(connection: Connection, surroundings: ClientSurroundings): Client {
  const explained = async (error: RelctlError, operation: Operation): Promise<RelctlError> =>
    error.facts.code === 'unknown-action'
      ? explainAction(error, operation, { connection, source: surroundings })
      : explainAccess(error, connection);
  const callUntyped = async (operation: Operation, input: RecordValue, options: CallOptions = {}): Promise<Reply> => {
    try {
      return await callWithRetries(surroundings, connection, {
        signal: surroundings.signal,
        ...options,
        operation: operationWith(readableIn(connection, operation), connection.allowedValues),
        input,
      });
    } catch (thrown) {
      const error = await explained(RelctlError.from(thrown), operation);
      throw error.with({ operation: operation.name, profile: connection.profile });
    }
  };
  return {
    connection,
    callUntyped,
    // The decoder gives exactly the members that the contract lists; the generic cannot be proven from plain data.
    call: async <O extends Operation>(operation: O, input: Input<O>, options: CallOptions = {}) =>
      (await callUntyped(operation, input, options)) as TypedReply<O>,
  };
}
