import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpHandler, HttpResponse, IncomingRequest, OutgoingResponse } from '../../soap/transport/http.js';
import { BrokenOff, plain } from '../answers.js';
import type { PublicUrl } from '../context.js';
import { isDirect, refusal } from './access.js';
import type { ReadRequestBody } from './bodies.js';
import type { Connections } from './connections.js';
import { serverLimits } from './limits.js';
import { withoutPrefix } from './public-url.js';
import { headOf, hostCount, type RequestHead } from './request-head.js';
import { send, sendUnread, type Sending } from './send.js';
import type { Turns } from './turns.js';
import type { Unsent } from './unsent.js';

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
  /** What shares the time between requests; its own when left out. */
  readonly turns?: Turns;
  /** Called for requests that are refused before the endpoint sees them. */
  readonly onTurnedAway?: (request: Omit<AnyRequest, 'body'>, status: number) => void;
}

const allowed = (method: string): IncomingRequest['method'] | undefined =>
  method === 'POST' || method === 'GET' ? method : undefined;

const notAllowed = (method: string): HttpResponse => ({
  ...plain(405, `The method ${method} is not allowed.`),
  headers: { allow: 'GET, POST' },
});

/** What the exchanges of a server share. */
export interface Desk {
  readonly served: ServerOptions;
  readonly port: number;
  readonly connections: Connections;
  readonly readBody: ReadRequestBody;
  /** Resolves when the next request may be carried out. */
  readonly turn: () => Promise<void>;
  readonly unsent: Unsent;
}

/** A request, and where its answer goes. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The request has no socket any more when its body was given up. */
  readonly socket: Socket;
  /** Too many of its connection wait before it. */
  readonly isOver: boolean;
}

const later = (words: string): HttpResponse => {
  const answer = plain(503, words);
  return { ...answer, headers: { ...answer.headers, 'retry-after': '1' } };
};

/** The refusal of a request by its head alone. */
function refusedByHead({ served, connections }: Desk, exchange: Exchange, head: RequestHead): HttpResponse | undefined {
  const { request, socket, isOver } = exchange;
  const { publicUrl, besides } = served;
  if (connections.isSurplus(socket))
    return later(`The sandbox answers ${serverLimits.connections} connections at once.`);
  if (isOver) return later(`At most ${serverLimits.pipelined} requests of a connection wait for their turn.`);
  if (hostCount(request) > 1) return plain(400, 'A request has one header Host; this one has more.');
  const refused = refusal({ peer: socket.remoteAddress, publicUrl, ...head });
  if (refused !== undefined) return plain(403, refused);
  return allowed(head.method) === undefined && besides === undefined ? notAllowed(head.method) : undefined;
}

const unread: Readonly<Record<'too-large' | 'no-room', () => HttpResponse>> = {
  'too-large': () => plain(413, `A request holds at most ${serverLimits.bodyBytes} bytes.`),
  'no-room': () => later(`All requests together hold at most ${serverLimits.diskBytes} bytes.`),
};

/** The answer to a request that is whole; undefined for a method that nothing answers. */
const answerWhole = async (request: AnyRequest, served: ServerOptions): Promise<OutgoingResponse | undefined> => {
  const besides = isDirect(request.headers) ? served.besides?.(request) : undefined;
  if (besides !== undefined) return besides;
  const method = allowed(request.method);
  return method === undefined ? undefined : served.endpoint({ ...request, method });
};

const answerTo = async (desk: Desk, exchange: Exchange): Promise<OutgoingResponse> => {
  const { served, port, connections } = desk;
  const { request, response, socket } = exchange;
  const own = headOf(request, port);
  const head = { ...own, url: withoutPrefix(own.url, served.publicUrl) };
  const turnedAway = (answer: OutgoingResponse): OutgoingResponse => {
    served.onTurnedAway?.(head, answer.status);
    return answer;
  };
  const refused = refusedByHead(desk, exchange, head);
  if (refused !== undefined) return turnedAway(refused);
  const read = await desk.readBody(request, () => connections.expect(socket, 'body'));
  if (typeof read === 'string') return turnedAway(unread[read]());
  // An answer that never comes must not keep the body for ever.
  response.once('close', () => read.close());
  connections.answering(socket);
  await desk.turn();
  if (response.destroyed) throw new BrokenOff('close');
  if (connections.closing) return turnedAway(later('The sandbox is stopping.'));
  try {
    return (await answerWhole({ ...head, body: read.body }, served)) ?? turnedAway(notAllowed(head.method));
  } finally {
    read.close();
  }
};

/** A client that gets bytes and a reset at once sees an ordinary end: it has this long to read the bytes. */
const readingMs = 10;

/** Ends a connection within an answer, after the bytes that were written. */
const breakOff = (socket: Socket, { how }: BrokenOff): void => {
  const end = (): void => {
    // resetAndDestroy() ends in good order first and resets what is closed by then: the caller would see no reset. This
    // is the mark by which it tells destroy() to reset.
    if (how === 'reset') Object.assign(socket, { resetAndClosing: true });
    socket.destroy();
  };
  socket.write('', () => (how === 'reset' ? setTimeout(end, readingMs) : end()));
};

/** Sends an answer, and counts what of it is in memory until it was taken. */
const deliver = async (desk: Desk, exchange: Exchange, answer: OutgoingResponse): Promise<void> => {
  const { connections, unsent } = desk;
  const { request, response, socket, isOver } = exchange;
  connections.expect(socket, 'taking');
  // The unread body of a refused request must not be parsed as the next request.
  if (!request.complete) return sendUnread(response, answer, serverLimits.lingerMs);
  if (connections.closing || isOver || connections.isSurplus(socket)) response.setHeader('connection', 'close');
  const sending: Sending = {
    accepted: request.headers['accept-encoding'],
    onHeld: (bytes) => {
      unsent.add(bytes);
      response.once('close', () => unsent.remove(bytes));
    },
    onTaken: () => connections.expect(socket, 'taking'),
  };
  return send(response, answer, sending);
};

const failed = async (desk: Desk, exchange: Exchange, thrown: unknown): Promise<void> => {
  const { response, socket } = exchange;
  // The client has gone, or part of the answer was sent: only the end of the connection can show the failure.
  if (thrown instanceof BrokenOff) breakOff(socket, thrown);
  else if (response.headersSent || socket.destroyed) response.destroy();
  else await deliver(desk, exchange, plain(500, 'The sandbox failed to answer.'));
};

/** Answers a request. Resolves when the answer was taken, or cannot be taken any more. */
export async function carryOut(desk: Desk, exchange: Exchange): Promise<void> {
  const { response, socket } = exchange;
  const { connections } = desk;
  if (response.destroyed) return;
  const over = new Promise<void>((resolve) => {
    response.once('close', () => {
      connections.expect(socket, 'request');
      resolve();
    });
  });
  connections.expect(socket, 'body');
  try {
    await deliver(desk, exchange, await answerTo(desk, exchange));
  } catch (thrown) {
    await failed(desk, exchange, thrown);
  }
  await over;
}
