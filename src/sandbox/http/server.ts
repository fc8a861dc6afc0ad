import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { RelctlError } from '../../core/errors/relctl-error.js';
import type {
  Body,
  Headers,
  HttpHandler,
  HttpResponse,
  HttpRequest,
  OutgoingResponse,
} from '../../soap/transport/http.js';
import { openTemporaryFile, type TemporaryFile } from '../../state/temporary-file.js';
import { BrokenOff, mostBodyBytes, plain, readWhole, tooLarge } from '../answers.js';
import type { PublicUrl } from '../context.js';
import { headOf, hostCount, isDirect, refusal, type RequestHead, withoutPrefix } from './access.js';

/** Limits of each request and connection; times in milliseconds. */
export const serverLimits = {
  bodyBytes: mostBodyBytes,
  /** A body that is longer waits in a file, not in memory. */
  heldBytes: 64 * 1024,
  headerBytes: 32 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  keepAliveMs: 15_000,
  requests: 128,
  connections: 512,
  /** How long the rest of a body is thrown away that is not read, so that its sender sees the answer. */
  lingerMs: 1_000,
  /** How long closing waits for answers that are being sent. */
  closeGraceMs: 1_000,
} as const;

/** A request of any method, for what is served besides the endpoint. */
export interface AnyRequest extends Omit<HttpRequest, 'method'> {
  readonly method: string;
}

interface ServerOptions {
  readonly endpoint: HttpHandler;
  /** 0 or left out: a free port. */
  readonly port?: number;
  /** Answers direct requests from this machine, of any method; undefined leaves a request to the endpoint. */
  readonly besides?: (request: AnyRequest) => HttpResponse | undefined;
  /** The address under which other machines may reach the server; without one, only this machine may. */
  readonly publicUrl?: PublicUrl | undefined;
  /** Called for requests that are refused before the endpoint sees them. */
  readonly onTurnedAway?: (request: RequestHead, status: number) => void;
}

interface ServerState extends ServerOptions {
  /** True while it answers as many requests as it may. */
  readonly isBusy: boolean;
}

/** A server that listens. */
export interface RunningServer {
  /** Base address without a path, for example `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly port: number;
  /** Finishes answers that are being sent, ends idle connections and releases the port. May be called twice. */
  close(): Promise<void>;
}

/** Smaller answers are sent as they are: compressing costs more than it saves. */
const gzipFromBytes = 1024;

const compress = promisify(gzip);

const acceptsGzip = (accepted = ''): boolean =>
  accepted.split(',').some((part) => {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return coding === 'gzip' && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
  });

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });

async function sendStreamed(response: ServerResponse, { status, headers, body }: OutgoingResponse): Promise<void> {
  response.writeHead(status, headers);
  response.flushHeaders();
  for await (const chunk of body) {
    if (!response.write(chunk)) await drained(response);
    if (response.destroyed) return;
  }
  response.end();
}

async function sendWhole(response: ServerResponse, answer: OutgoingResponse): Promise<void> {
  const { status, headers, body } = await readWhole(answer);
  const isSmaller = acceptsGzip(response.req.headers['accept-encoding']) && body.length > gzipFromBytes;
  const bytes = isSmaller ? await compress(body, { level: 1 }) : body;
  const coding: Headers = isSmaller ? { 'content-encoding': 'gzip' } : {};
  response.writeHead(status, { ...headers, ...coding, 'content-length': String(bytes.length) }).end(bytes);
}

/** Answers without reading the body, and ends the connection when its sender had time to see the answer. */
async function sendUnread(response: ServerResponse, answer: OutgoingResponse): Promise<void> {
  const { status, headers, body } = await readWhole(answer);
  response.writeHead(status, { ...headers, 'content-length': String(body.length), connection: 'close' });
  response.write(body);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, serverLimits.lingerMs);
    const over = (): void => {
      clearTimeout(timer);
      resolve();
    };
    response.req.once('end', over).once('close', over).resume();
    response.once('close', over);
  });
  response.end();
}

/** Sends an answer with a length or coding as it is; any other in memory is measured, and compressed if that helps. */
async function send(response: ServerResponse, answer: OutgoingResponse): Promise<void> {
  // The unread body of a refused request must not be parsed as the next request.
  if (!response.req.complete) return sendUnread(response, answer);
  if ('content-length' in answer.headers || 'content-encoding' in answer.headers) return sendStreamed(response, answer);
  const headers = { ...answer.headers, vary: 'Accept-Encoding' };
  if (answer.length === undefined) return sendWhole(response, { ...answer, headers });
  return sendStreamed(response, { ...answer, headers: { ...headers, 'content-length': String(answer.length) } });
}

/** How long a request says that its body is; where it does not say, more than is held in memory. */
const announcedBytes = ({ headers }: IncomingMessage): number =>
  Number(headers['content-length'] ?? (headers['transfer-encoding'] === undefined ? 0 : serverLimits.heldBytes));

/** Reads a body into memory, or into a file that is given up with the response; undefined for one that is too long. */
async function readBody(request: IncomingMessage, response: ServerResponse): Promise<Body | undefined> {
  const { bodyBytes, heldBytes } = serverLimits;
  const announced = announcedBytes(request);
  if (announced > bodyBytes) return undefined;
  // One piece of memory: a piece as it comes, however short, keeps all that was read with it.
  const held = Buffer.allocUnsafeSlow(Math.min(announced, heldBytes));
  let file: TemporaryFile | undefined;
  let length = 0;
  // Whoever reads no further leaves the request as it is: it is still to be answered.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    // Without an encoding, pieces are bytes.
    const bytes = chunk as Buffer;
    const before = length;
    length += bytes.length;
    if (length > bodyBytes) return undefined;
    if (length <= heldBytes) bytes.copy(held, before);
    else {
      if (file === undefined) {
        const opened = (file = openTemporaryFile());
        opened.append(held.subarray(0, before));
        // Also where an answer never comes.
        response.once('close', () => opened.close());
      }
      file.append(bytes);
    }
  }
  const temporaryFile = file;
  if (temporaryFile === undefined) return held.subarray(0, length);
  return { length, open: () => temporaryFile.pieces(), close: () => temporaryFile.close() };
}

const methodOf = (method: string): HttpRequest['method'] | undefined =>
  method === 'POST' || method === 'GET' ? method : undefined;

const notAllowed = (method: string): HttpResponse => ({
  ...plain(405, `The method ${method} is not allowed.`),
  headers: { allow: 'GET, POST' },
});

function refuse(request: IncomingMessage, head: RequestHead, options: ServerOptions): HttpResponse | undefined {
  const { publicUrl, besides } = options;
  if (hostCount(request) > 1) return plain(400, 'A request has one header Host; this one has more.');
  const refused = refusal({ peer: request.socket.remoteAddress, publicUrl, ...head });
  if (refused !== undefined) return plain(403, refused);
  return methodOf(head.method) === undefined && besides === undefined ? notAllowed(head.method) : undefined;
}

function answerWhole(request: AnyRequest, { besides, endpoint }: ServerOptions) {
  const httpResponse = isDirect(request.headers) ? besides?.(request) : undefined;
  const method = methodOf(request.method);
  return httpResponse ?? (method && endpoint({ ...request, method }));
}

const busy = (): OutgoingResponse => {
  const answer = plain(503, `The sandbox answers ${serverLimits.requests} requests at a time.`);
  return { ...answer, headers: { ...answer.headers, 'retry-after': '1' } };
};

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ServerState,
): Promise<OutgoingResponse> {
  const own = headOf(request);
  const head = { ...own, url: withoutPrefix(own.url, options.publicUrl) };
  const turnAway = (refused: OutgoingResponse): OutgoingResponse => {
    options.onTurnedAway?.(head, refused.status);
    return refused;
  };
  const refused = refuse(request, head, options);
  if (refused !== undefined) return turnAway(refused);
  if (options.isBusy) return turnAway(busy());
  const body = await readBody(request, response);
  if (body === undefined) return turnAway(tooLarge());
  if (response.destroyed) throw new BrokenOff('close');
  return (await answerWhole({ ...head, body }, options)) ?? turnAway(notAllowed(head.method));
}

/** A client that gets bytes and a reset at once sees an ordinary end: it has this long to read the bytes. */
const readingMs = 10;

function breakOff(socket: Socket, { how }: BrokenOff): void {
  const end = (): void => {
    // resetAndDestroy() ends in good order first and resets what is closed by then: the caller would see no reset. This
    // is the mark by which it tells destroy() to reset.
    if (how === 'reset') Object.assign(socket, { resetAndClosing: true });
    socket.destroy();
  };
  socket.write('', () => (how === 'reset' ? setTimeout(end, readingMs) : end()));
}

async function carryOut(request: IncomingMessage, response: ServerResponse, options: ServerState): Promise<void> {
  const { socket } = request;
  try {
    await send(response, await answer(request, response, options));
  } catch (thrown) {
    // The client has gone, or part of the answer was sent: only the end of the connection can show the failure.
    if (thrown instanceof BrokenOff) breakOff(socket, thrown);
    else if (response.headersSent || socket.destroyed) response.destroy();
    else await send(response, plain(500, 'The sandbox failed to answer.')).catch(() => void socket.destroy());
  }
}

const listening = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new RelctlError('local', `The sandbox cannot listen on 127.0.0.1:${port}: ${cause.code ?? cause.message}.`, {
          facts: { foreignCode: cause.code },
          advice: 'Choose another port; 0 chooses a free one.',
          hint: '--port 0',
          cause,
        }),
      ),
    );
    server.listen({ host: '127.0.0.1', port }, resolve);
  });

/**
 * Serves an endpoint on the loopback address, within `serverLimits`: it stands in for a service to one user and what tests on
 * one machine, and what is no HTTP is left to Node. Throws RelctlError `local` without the port.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const server = createServer({
    maxHeaderSize: serverLimits.headerBytes,
    headersTimeout: serverLimits.headersTimeoutMs,
    requestTimeout: serverLimits.requestTimeoutMs,
    keepAliveTimeout: serverLimits.keepAliveMs,
    connectionsCheckingInterval: 1_000,
  });
  server.maxConnections = serverLimits.connections;
  // A property of Node that its types lack: a client that sends nothing more still gets its answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  let closing: Promise<void> | undefined;
  let inFlight = 0;
  /** Connections without a request, of which Node ends only those that had one. */
  const idle = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    idle.add(socket);
    socket.once('close', () => idle.delete(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    idle.delete(socket);
    if (closing !== undefined) response.setHeader('connection', 'close');
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
      if (closing !== undefined) socket.end();
      else if (!socket.destroyed) idle.add(socket);
    });
    void carryOut(request, response, { ...options, isBusy: inFlight > serverLimits.requests });
  });
  await listening(server, options.port ?? 0);
  // A server that listens on TCP has an address object; the other forms belong to pipes and to servers not listening.
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of idle) socket.destroy();
    const grace = setTimeout(() => server.closeAllConnections(), serverLimits.closeGraceMs);
    await ended;
    clearTimeout(grace);
  };
  return { url: `http://127.0.0.1:${port}`, port, close: () => (closing ??= close()) };
}
