import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { Exchanges, serverLimits, type ServerOptions } from './exchange.js';

/** A server that listens. */
export interface RunningServer {
  /** Base address without a path, for example `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly port: number;
  /** Finishes answers that are being sent, ends idle connections and releases the port. May be called twice. */
  close(): Promise<void>;
}

const listening = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new RelctlError('local', `The sandbox cannot listen on 127.0.0.1:${port}: ${cause.code ?? cause.message}.`, {
          facts: { code: cause.code },
          advice: 'Choose another port; 0 takes a free one.',
          hint: '--port 0',
          cause,
        }),
      ),
    );
    server.listen({ host: '127.0.0.1', port }, resolve);
  });

/** Carries out the requests of each connection one after the other. One on which too many wait is ended. */
function inLine(): (socket: Socket, work: () => Promise<void>) => void {
  const lines = new WeakMap<Socket, { waiting: number; last: Promise<void> }>();
  return (socket, work) => {
    const line = lines.get(socket) ?? { waiting: 0, last: Promise.resolve() };
    lines.set(socket, line);
    line.waiting += 1;
    if (line.waiting > serverLimits.pipelined) socket.destroy();
    if (socket.destroyed) return;
    line.last = line.last.then(async () => {
      if (!socket.destroyed) await work().catch(() => void socket.destroy());
      line.waiting -= 1;
    });
  };
}

/** What is answered to what is no HTTP; 400 to all else. */
const refusals: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers what is no HTTP, and ends the connection. */
function refuse(socket: Socket, { code = '' }: NodeJS.ErrnoException): void {
  const status = refusals[code] ?? '400 Bad Request';
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  socket.destroySoon();
}

/** Answers what is no HTTP: behind the answers to what came before it, unless it is the end of a request that was begun. */
function refuseBroken(server: Server, queue: ReturnType<typeof inLine>): void {
  const latest = new WeakMap<Socket, ServerResponse>();
  server.on('request', (request, response) => latest.set(request.socket, response));
  server.on('checkExpectation', (request, response) => {
    latest.set(request.socket, response);
    response.writeHead(417).end();
  });
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    // A server on TCP has no other streams.
    const socket = stream as Socket;
    const response = latest.get(socket);
    const answer = (): Promise<void> => {
      // Nothing comes behind an answer that said so.
      if (response?.headersSent === true && !response.shouldKeepAlive) socket.destroySoon();
      else refuse(socket, error);
      return Promise.resolve();
    };
    if (response?.req.complete === true) queue(socket, answer);
    else void answer();
  });
}

/** Serves an endpoint on the loopback address, within `serverLimits`. Throws RelctlError `local` without the port. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const server = createServer({
    maxHeaderSize: serverLimits.headerBytes,
    headersTimeout: serverLimits.headersTimeoutMs,
    requestTimeout: serverLimits.requestTimeoutMs,
    keepAliveTimeout: serverLimits.keepAliveMs,
    connectionsCheckingInterval: 1_000,
  });
  /** The connections that wait for their client, who was silent longest in the first one. */
  const quiet = new Set<Socket>();
  let connections = 0;
  // Fewer than there may be are being answered at once, so that there is one: idle and half requests keep nobody out.
  const endQuietest = (): void => {
    const [first] = quiet;
    if (connections > serverLimits.connections) first?.destroy();
  };
  const exchanges = new Exchanges(options);
  const queue = inLine();
  refuseBroken(server, queue);
  let closing: Promise<void> | undefined;
  // A property of Node that its types lack: a client that sends nothing more still gets its answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket: Socket) => {
    connections += 1;
    quiet.add(socket);
    socket.once('close', () => {
      connections -= 1;
      quiet.delete(socket);
    });
    // Who says that nothing more comes may still want the answer, or may have gone, which shows only when it is sent.
    socket.once('end', () => setTimeout(() => socket.destroy(), serverLimits.requestTimeoutMs).unref());
    // What has come already is read in the next turn of the event loop: who has sent a request is not silent.
    if (connections > serverLimits.connections) setImmediate(() => setImmediate(endQuietest));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    if (closing !== undefined) response.setHeader('connection', 'close');
    const heard = (): void => {
      quiet.delete(socket);
      quiet.add(socket);
    };
    request.once('end', () => quiet.delete(socket));
    response.once('close', () => {
      if (closing !== undefined) socket.end();
      else if (!socket.destroyed) quiet.add(socket);
    });
    queue(socket, () => exchanges.carryOut(request, response, heard));
  });
  await listening(server, options.port ?? 0);
  // A server that listens on TCP has an address object; the other forms belong to pipes and to servers not listening.
  const { port } = server.address() as AddressInfo;
  const closed = async (): Promise<void> => {
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of quiet) socket.destroy();
    const grace = setTimeout(() => server.closeAllConnections(), serverLimits.closeGraceMs);
    await ended;
    clearTimeout(grace);
  };
  return { url: `http://127.0.0.1:${port}`, port, close: () => (closing ??= closed()) };
}
