import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket, createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** A port that accepts no more connections: whoever connects waits. */
export interface FullQueue {
  readonly port: number;
  /** Lets those who wait in: each request is answered with the word `slow`, once its connection is there. */
  open(): void;
  close(): void;
}

const listener = `const server = require('node:http').createServer((request, response) => response.end('slow'));
server.listen({ port: Number(process.argv[2]), host: process.argv[1], backlog: 1 }, () => console.log(server.address().port));`;

/** Starts a listener that is stopped before it accepts anything, and fills its queue. */
export async function fullQueue(host = '127.0.0.1', wanted = 0): Promise<FullQueue> {
  const child = spawn(process.execPath, ['-e', listener, host, String(wanted)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  child.kill('SIGSTOP');
  const sockets: Socket[] = [];
  // More than the queue of one holds; those beyond it stay on their way in.
  for (let number = 0; number < 8; number += 1) {
    const socket = connect(port, host);
    socket.on('error', () => undefined);
    sockets.push(socket);
  }
  await once(sockets[0] ?? child, 'connect');
  const leave = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    open: () => {
      leave();
      child.kill('SIGCONT');
    },
    close: () => {
      leave();
      child.kill('SIGKILL');
    },
  };
}

/** A request as it came over the socket. */
export interface SeenRequest {
  readonly method: string;
  readonly target: string;
  /** By name in lower case; the last one of a name wins. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Number of the connection that it came on, from 1. */
  readonly connection: number;
}

/** What to do with a request: write to the socket, end it, destroy it, or nothing at all. */
export type Reaction = (socket: Socket, request: SeenRequest) => void | Promise<void>;

/** How a server behaves. */
export interface Behaviour {
  /** Called before anything is read. */
  readonly atAccept?: (socket: Socket) => void;
  /** Called for every whole request; by default it is never answered. */
  readonly answer?: Reaction;
  /** Speak TLS. */
  readonly tls?: TlsOptions;
}

/** A server on a socket, for as long as a test needs it. */
export interface BrokenServer {
  /** `http://127.0.0.1:PORT`, or https with TLS. */
  readonly url: string;
  readonly port: number;
  /** What it was asked, in order. */
  readonly requests: readonly SeenRequest[];
  /** How many connections it took. */
  readonly connections: () => number;
  /** How many of them are open. */
  readonly open: () => number;
  close(): Promise<void>;
}

const headEnd = Buffer.from('\r\n\r\n');

function parsedHead(text: string): Pick<SeenRequest, 'method' | 'target' | 'headers'> {
  const [line = '', ...rest] = text.split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  const headers = rest.map((header) => {
    const colon = header.indexOf(':');
    return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()] as const;
  });
  return { method, target, headers: Object.fromEntries(headers) };
}

/** Cuts whole requests out of what a socket brings. */
function readRequests(socket: Socket, taken: (request: Omit<SeenRequest, 'connection'>) => void): void {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let wanted = 0;
  /** Takes one request; false when there is no whole one yet. */
  const takeOne = (waiting: Buffer): boolean => {
    chunks = [waiting];
    const end = waiting.indexOf(headEnd);
    if (end === -1) return false;
    const head = parsedHead(waiting.subarray(0, end).toString('latin1'));
    const from = end + headEnd.length;
    wanted = from + Number(head.headers['content-length'] ?? 0);
    if (waiting.length < wanted) return false;
    const rest = waiting.subarray(wanted);
    chunks = [rest];
    bytes = rest.length;
    taken({ ...head, body: Buffer.from(waiting.subarray(from, wanted)) });
    wanted = 0;
    // After CONNECT the connection is somebody else's.
    return head.method !== 'CONNECT';
  };
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes > 0 && bytes >= wanted && takeOne(Buffer.concat(chunks)));
  });
}

/** Starts a server that behaves as it is told. */
export async function brokenServer({ atAccept, answer, tls }: Behaviour = {}): Promise<BrokenServer> {
  const sockets = new Set<Socket>();
  const requests: SeenRequest[] = [];
  let connections = 0;
  const accepted = (socket: Socket): void => {
    connections += 1;
    const connection = connections;
    socket.on('error', () => undefined);
    atAccept?.(socket);
    readRequests(socket, (request) => {
      requests.push({ ...request, connection });
      void answer?.(socket, { ...request, connection });
    });
  };
  const server: Server = tls === undefined ? createTcpServer(accepted) : createTlsServer(tls, accepted);
  server.on('tlsClientError', () => undefined);
  // With TLS these are the raw connections below it: they must end with the test as well.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Waits until a socket is closed, in order or by a reset. */
export const closeOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => void socket.once('close', () => resolve()));

/** A port of the loopback address on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = await brokenServer();
  await server.close();
  return server.port;
}

/** An HTTP answer, byte for byte. */
export interface AnswerText {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The bytes of an answer. Content-Length is added when neither it nor Transfer-Encoding is given. */
export function httpAnswer({ status = 200, headers = {}, body = '' }: AnswerText): Buffer {
  const content = Buffer.from(body);
  const isFramed = Object.keys(headers).some((name) => /^(?:content-length|transfer-encoding)$/i.test(name));
  const all = isFramed ? headers : { ...headers, 'Content-Length': String(content.length) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`, 'latin1'), content]);
}

/** Answers in full and keeps the connection. */
export const answers =
  (answer: AnswerText): Reaction =>
  (socket) =>
    void socket.write(httpAnswer(answer));

/** Writes these bytes and then ends the connection. */
export const writesAndEnds =
  (bytes: string | Uint8Array): Reaction =>
  (socket) =>
    void socket.end(Buffer.from(bytes));

/** Writes these bytes and then nothing more. */
export const writesAndStalls =
  (bytes: string | Uint8Array): Reaction =>
  (socket) =>
    void socket.write(Buffer.from(bytes));

/** Ends the connection by a reset. */
export const resets: Reaction = (socket) => void socket.resetAndDestroy();

/** The head of an answer, and half of it. */
export const endsWithinHead: Reaction = writesAndEnds('HTTP/1.1 200 OK\r\nContent-Type: text/x');

/** Promises the whole body and sends the first `bytes` of it. */
export const endsWithinBody =
  (body: string, bytes: number, headers: Readonly<Record<string, string>> = {}): Reaction =>
  (socket) => {
    const whole = httpAnswer({ headers, body });
    socket.end(whole.subarray(0, whole.length - Buffer.byteLength(body) + bytes));
  };

/** One chunk of a chunked body, and then the end of the connection instead of the next. */
export const endsWithinChunks =
  (body: string): Reaction =>
  (socket) => {
    const first = body.slice(0, body.length / 2);
    const chunk = `${Buffer.byteLength(first).toString(16)}\r\n${first}\r\n`;
    socket.end(httpAnswer({ headers: { 'Transfer-Encoding': 'chunked' }, body: chunk }));
  };

/** Sends an answer in pieces of so many bytes, one in each interval. */
export const drips =
  (answer: AnswerText, bytes: number, everyMs: number): Reaction =>
  (socket) => {
    const whole = httpAnswer(answer);
    let from = 0;
    const timer = setInterval(() => {
      socket.write(whole.subarray(from, from + bytes));
      from += bytes;
      if (from >= whole.length) clearInterval(timer);
    }, everyMs);
    socket.once('close', () => clearInterval(timer));
  };

/** Another reaction for each request, the last one for all that follow. */
export function inTurn(...reactions: readonly Reaction[]): Reaction {
  let next = 0;
  return (socket, request) => {
    const reaction = reactions[Math.min(next, reactions.length - 1)];
    next += 1;
    return reaction?.(socket, request);
  };
}
