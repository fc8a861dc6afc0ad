import type { Operation } from '../contract/build.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import { defined } from '../core/values/value.js';
import { secretsOf } from '../soap/codec/credentials.js';
import type { ExchangeOptions, HttpResponse } from '../soap/transport/http.js';
import { readResponse } from '../soap/wire/answer.js';
import type { Call, ClientSurroundings, Reply } from './call.js';
import type { Connection } from './connection.js';

/** Bytes of an answer that is kept as a whole: what is made of them until it is printed takes up to eight times as many. */
const mostWholeBytes = 32 * 1024 * 1024;

const givesList = ({ source, result }: Operation): boolean =>
  source === 'imported' || Object.values(result).some(({ type }) => type.kind === 'list');

/** Bytes that an answer may have; undefined where its rows, or a file in it, do not stay in memory. */
const mostBytesOf = ({ operation, sink, isWhole }: Call): number | undefined =>
  sink === undefined && (isWhole === true || !givesList(operation)) ? mostWholeBytes : undefined;

async function* copyTo(tee: (chunk: Uint8Array) => void, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    tee(chunk);
    yield chunk;
  }
}

async function sendRecorded(
  { send, record }: ClientSurroundings,
  { operation, input, written, content, request }: Call,
  options: ExchangeOptions,
): Promise<HttpResponse> {
  const copy = record?.({ operation, input, ...defined({ written, content }) });
  if (copy === undefined) return send(request, options);
  try {
    return copy.answered(await send(request, options));
  } catch (thrown) {
    copy.failed(RelctlError.from(thrown));
    throw thrown;
  }
}

/** What came of an exchange: a reply, but for how often and how long it was tried. */
export type Answer = Omit<Reply, 'attempts' | 'elapsedMs'>;

/** Sends the request of a call and reads the answer. Throws RelctlError of any kind. */
export async function exchange(connection: Connection, surroundings: ClientSurroundings, call: Call): Promise<Answer> {
  const { operation, tee, sink, signal, sent, received, withoutCookies } = call;
  const response = await sendRecorded(surroundings, call, {
    limits: connection.limits,
    signal,
    connection: operation.access === 'read' ? 'kept' : (call.connection ?? 'fresh'),
    // A file of zeros shrinks to almost nothing, and what a sink takes is never in memory as a whole.
    ...defined({ sent, received, withoutCookies, maxInflateRatio: sink && Infinity }),
  });
  const { namespace, credentials, secrets = [], credentialCodes = [], soapAction } = connection;
  const rows = call.rows?.();
  const expected = {
    namespace,
    secrets: [...secretsOf(credentials), ...secrets],
    credentialCodes,
    ...defined({ sink, soapAction, mostBytes: mostBytesOf(call), onLong: surroundings.onLongAnswer, rows }),
  };
  const body = tee === undefined ? response.body : copyTo(tee, response.body);
  const answer = await readResponse(operation, { ...response, body }, expected).catch((thrown: unknown) => {
    rows?.drop?.();
    throw thrown;
  });
  return { ...answer, ...defined({ serverDate: response.headers['date'], hasCookies: response.hasCookies }) };
}
