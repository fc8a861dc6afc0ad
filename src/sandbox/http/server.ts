import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { RelctlError } from '../../errors/relctl-error.js';
import {
  type Body,
  type HttpHandler,
  type HttpResponse,
  type OutgoingResponse,
  type IncomingRequest,
  isStreamed,
} from '../../soap/transport/http.js';
import { BrokenOff, plain } from '../answers.js';
import { isDirect, refusal } from './access.js';
import { keepConnections, type Connections } from './connections.js';
import type { PublicUrl } from '../context.js';
import { withoutPrefix } from './public-url.js';
import { headOf, hostCount } from './request-head.js';
import { send } from './send.js';
import { readBody } from '../../files/body-file.js';

/** Limits of each request and of the server. */
export const serverLimits = {
  bodyBytes: 128 * 1024 * 1024,
  /** What is more than this waits in a file, not in memory. */
  heldBytes: 1024 * 1024,
  headerBytes: 32 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  connections: 200,
  keepAliveMs: 15_000,
  /** How long closing waits for answers that are being sent. */
  closeGraceMs: 2_000,
} as const;

/** A request of any method, for what is served besides the endpoint. */
export interface AnyRequest extends Omit<IncomingRequest, 'method'> {
  readonly method: string;
}

/** What to serve, and where. */
export interface ServerOptions {
  readonly endpoint: HttpHandler;
  /** 0 or left out: a free port. */
  readonly port?: number;
  /** Answers direct requests from this machine, of any method; undefined leaves a request to the endpoint. */
  readonly besides?: (request: AnyRequest) => HttpResponse | undefined;
  /** The address under which other machines may reach the server; without one, only this machine may. */
  readonly publicUrl?: PublicUrl | undefined;
  /** Called for requests that are refused before the endpoint sees them. */
  readonly onTurnedAway?: (request: Omit<AnyRequest, 'body'>, status: number) => void;
}

/** A server that listens. */
export interface RunningServer {
  /** Base address without a path, for example `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly port: number;
  /** Finishes answers that are being sent, ends idle connections and releases the port. May be called twice. */
  close(): Promise<void>;
}

/** The whole body, or undefined when it is larger than allowed. */
const bodyOf = async (request: IncomingMessage): Promise<Body | undefined> => {
  const { bodyBytes: most, heldBytes: held } = serverLimits;
  if (Number(request.headers['content-length'] ?? 0) > most) return undefined;
  return await readBody(request as AsyncIterable<Buffer>, { held, most });
};

const allowed = (method: string): IncomingRequest['method'] | undefined =>
  method === 'POST' || method === 'GET' ? method : undefined;

const notAllowed = (method: string): HttpResponse => ({
  ...plain(405, `The method ${method} is not allowed.`),
  headers: { allow: 'GET, POST' },
});

interface Exchange {
  readonly request: IncomingMessage;
  readonly served: ServerOptions;
  readonly port: number;
}

/** The answer to a request that is whole; undefined for a method that nothing answers. */
const answerWhole = async (request: AnyRequest, served: ServerOptions): Promise<OutgoingResponse | undefined> => {
  const besides = isDirect(request.headers) ? served.besides?.(request) : undefined;
  if (besides !== undefined) return besides;
  const method = allowed(request.method);
  return method === undefined ? undefined : served.endpoint({ ...request, method });
};

const answerTo = async ({ request, served, port }: Exchange): Promise<OutgoingResponse> => {
  const { publicUrl } = served;
  const own = headOf(request, port);
  const head = { ...own, url: withoutPrefix(own.url, publicUrl) };
  const turnedAway = (answer: OutgoingResponse): OutgoingResponse => {
    served.onTurnedAway?.(head, answer.status);
    return answer;
  };
  if (hostCount(request) > 1) return turnedAway(plain(400, 'A request has one header Host; this one has more.'));
  const refused = refusal({ peer: request.socket.remoteAddress, publicUrl, ...head });
  if (refused !== undefined) return turnedAway(plain(403, refused));
  if (allowed(head.method) === undefined && served.besides === undefined) return turnedAway(notAllowed(head.method));
  const body = await bodyOf(request);
  if (body === undefined) return turnedAway(plain(413, `A request holds at most ${serverLimits.bodyBytes} bytes.`));
  try {
    const answer = await answerWhole({ ...head, body }, served);
    return answer ?? turnedAway(notAllowed(head.method));
  } finally {
    if (isStreamed(body)) body.close?.();
  }
};

/** A client that gets bytes and a reset at once sees an ordinary end: it has this long to read the bytes. */
const readingMs = 10;

/** Ends a connection within an answer, after the bytes that were written. */
const breakOff = ({ socket }: IncomingMessage, { how }: BrokenOff): void => {
  const end = (): void => {
    // resetAndDestroy() ends in good order first and resets what is closed by then: the caller would see no reset. This
    // is the mark by which it tells destroy() to reset.
    if (how === 'reset') Object.assign(socket, { resetAndClosing: true });
    socket.destroy();
  };
  socket.write('', () => (how === 'reset' ? setTimeout(end, readingMs) : end()));
};

const exchange = async (about: Exchange, response: ServerResponse, connections: Connections): Promise<void> => {
  const { request } = about;
  connections.begin(request.socket);
  response.once('close', () => connections.end(request.socket));
  try {
    const answer = await answerTo(about);
    // The unread body of a refused request must not be parsed as the next request.
    if (!request.complete || connections.closing) response.setHeader('connection', 'close');
    await send(response, answer, request.headers['accept-encoding']);
  } catch (thrown) {
    // The client has gone, or part of the answer was sent: only the end of the connection can show the failure.
    if (thrown instanceof BrokenOff) breakOff(request, thrown);
    else if (response.headersSent || request.socket.destroyed) response.destroy();
    else await send(response, plain(500, 'The sandbox failed to answer.'), undefined);
  }
};

const listening = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new RelctlError('local', `The sandbox cannot listen on 127.0.0.1:${port}: ${cause.code ?? cause.message}.`, {
          facts: { code: cause.code },
          advice: 'Choose another port, or leave --port out to take a free one.',
          cause,
        }),
      ),
    );
    server.listen({ host: '127.0.0.1', port }, resolve);
  });

const closed = async (server: Server, connections: Connections): Promise<void> => {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  connections.endIdle();
  const grace = setTimeout(() => server.closeAllConnections(), serverLimits.closeGraceMs);
  await ended;
  clearTimeout(grace);
};

/**
 * Serves an endpoint on the loopback address. Throws RelctlError `local` when the port cannot be had. Who may ask is
 * decided in access.ts; sizes, times and connections are bounded by `serverLimits`.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const server = createServer({
    maxHeaderSize: serverLimits.headerBytes,
    headersTimeout: serverLimits.headersTimeoutMs,
    requestTimeout: serverLimits.requestTimeoutMs,
    keepAliveTimeout: serverLimits.keepAliveMs,
    connectionsCheckingInterval: 1_000,
  });
  const connections = keepConnections(serverLimits.connections);
  server.on('connection', (socket: Socket) => connections.add(socket));
  await listening(server, options.port ?? 0);
  // A server that listens on TCP has an address object; the other forms belong to pipes and to servers not listening.
  const { port } = server.address() as AddressInfo;
  server.on('request', (request, response) => {
    void exchange({ request, served: options, port }, response, connections);
  });
  let closing: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () => (closing ??= closed(server, connections)),
  };
}
