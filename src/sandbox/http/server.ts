import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { RelctlError } from '../../errors/relctl-error.js';
import { keepConnections, type Connections } from './connections.js';
import { carryOut, type Desk, type ServerOptions } from './exchange.js';
import { serverLimits } from './limits.js';
import { openBodies } from './bodies.js';
import { openLines, openTurns } from './turns.js';
import { openUnsent } from './unsent.js';

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

const closed = async (server: Server, connections: Connections): Promise<void> => {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  connections.close();
  const grace = setTimeout(() => server.closeAllConnections(), serverLimits.closeGraceMs);
  await ended;
  clearTimeout(grace);
};

function deskOf(served: ServerOptions, port: number, connections: Connections): Desk {
  const unsent = openUnsent(serverLimits.unsentBytes, () => connections.endStuck(serverLimits.stuckMs));
  const { begin } = served.turns ?? openTurns();
  const turn = (): Promise<void> => begin(() => unsent.room());
  return { served, port, connections, readBody: openBodies(), turn, unsent };
}

/**
 * Serves an endpoint on the loopback address. Throws RelctlError `local` when the port cannot be had. Who may ask is
 * decided in access.ts; sizes, times and connections are bounded by `serverLimits` (limits.ts).
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const server = createServer({
    maxHeaderSize: serverLimits.headerBytes,
    headersTimeout: serverLimits.headersTimeoutMs,
    requestTimeout: serverLimits.requestTimeoutMs,
    keepAliveTimeout: serverLimits.keepAliveMs,
    connectionsCheckingInterval: 1_000,
  });
  const connections = keepConnections(serverLimits.connections, serverLimits.requestTimeoutMs);
  // A property of Node that its types lack: a client that sends nothing more still gets its answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket: Socket) => connections.add(socket));
  await listening(server, options.port ?? 0);
  // A server that listens on TCP has an address object; the other forms belong to pipes and to servers not listening.
  const { port } = server.address() as AddressInfo;
  const desk = deskOf(options, port, connections);
  const inLine = openLines(serverLimits.pipelined);
  server.on('request', (request, response) => {
    const { socket } = request;
    inLine(socket, (isOver) => carryOut(desk, { request, response, socket, isOver }));
  });
  let closing: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () => (closing ??= closed(server, connections)),
  };
}
