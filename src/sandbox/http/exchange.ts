import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { openTemporaryFile, type TemporaryFile } from '../../state/temporary-file.js';
import type {
  Body,
  HttpHandler,
  HttpResponse,
  IncomingRequest,
  OutgoingResponse,
  Headers,
} from '../../soap/transport/http.js';
import { BrokenOff, mostBodyBytes, plain, readWhole, tooLarge } from '../answers.js';
import type { PublicUrl } from '../context.js';
import { headOf, hostCount, isDirect, refusal, type RequestHead, withoutPrefix } from './access.js';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Smaller answers are sent as they are: compressing costs more than it saves. */
const gzipFromBytes = 1024;

const gzipped = promisify(gzip);

const acceptsGzip = (accepted = ''): boolean =>
  accepted.split(',').some((part) => {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return coding === 'gzip' && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
  });

/** Bytes that are written at once, so that it shows whether a client takes a long answer. */
const sliceBytes = 256 * 1024;

/** Called with the bytes of an answer that are in memory: at first, and when some were taken. */
type OnHeld = (bytes: number) => void;

const taken = (response: ServerResponse): Promise<void> =>
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
    if (!response.write(chunk)) await taken(response);
    if (response.destroyed) return;
  }
  response.end();
}

async function sendMeasured(response: ServerResponse, answer: OutgoingResponse, onHeld: OnHeld): Promise<void> {
  const whole = await readWhole(answer);
  onHeld(whole.body.length);
  const isSmaller = acceptsGzip(response.req.headers['accept-encoding']) && whole.body.length > gzipFromBytes;
  const body = isSmaller ? await gzipped(whole.body, { level: 1 }) : whole.body;
  const coding: Headers = isSmaller ? { 'content-encoding': 'gzip' } : {};
  response.writeHead(answer.status, { ...answer.headers, ...coding, 'content-length': String(body.length) });
  for (let at = 0; at < body.length; at += sliceBytes) {
    onHeld(body.length - at);
    if (!response.write(body.subarray(at, at + sliceBytes))) await taken(response);
    if (response.destroyed) return;
  }
  response.end();
}

/** Sends an answer with a length or coding as it is; any other in memory is measured, and compressed if that helps. */
async function send(response: ServerResponse, answer: OutgoingResponse, onHeld: OnHeld): Promise<void> {
  if ('content-length' in answer.headers || 'content-encoding' in answer.headers) return sendStreamed(response, answer);
  const { length } = answer;
  const headers = { ...answer.headers, vary: 'Accept-Encoding' };
  if (length === undefined) return sendMeasured(response, { ...answer, headers }, onHeld);
  return sendStreamed(response, { ...answer, headers: { ...headers, 'content-length': String(length) } });
}

/** Answers without reading the body, and ends the connection when its sender had time to see the answer. */
async function sendUnread(response: ServerResponse, answer: OutgoingResponse, forMs: number): Promise<void> {
  const { status, headers, body } = await readWhole(answer);
  response.writeHead(status, { ...headers, 'content-length': String(body.length), connection: 'close' });
  response.write(body);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, forMs);
    const over = (): void => {
      clearTimeout(timer);
      resolve();
    };
    response.req.once('end', over).once('close', over).resume();
    response.once('close', over);
  });
  response.end();
}

/** Limits of each request, of each connection and of the server as a whole; times in milliseconds. */
export const serverLimits = {
  bodyBytes: mostBodyBytes,
  /** A body that is longer waits in a file, not in memory. */
  heldBytes: 64 * 1024,
  /** Of all bodies together that wait in files. */
  diskBytes: 4 * 1024 * 1024 * 1024,
  headerBytes: 32 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  keepAliveMs: 15_000,
  connections: 512,
  /** Requests that are being answered at once. */
  requests: 128,
  /** Requests of one connection that wait for the answer to an earlier one. */
  pipelined: 64,
  /** Of all answers together that were not taken yet. */
  unsentBytes: 64 * 1024 * 1024,
  /** Where there is no room for an answer, a client that takes nothing for so long is dropped. */
  stuckMs: 2_000,
  /** How long the rest of a body is thrown away that is not read, so that its sender sees the answer. */
  lingerMs: 1_000,
  /** How long closing waits for answers that are being sent. */
  closeGraceMs: 1_000,
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
  readonly onTurnedAway?: (request: RequestHead, status: number) => void;
}

const allowed = (method: string): IncomingRequest['method'] | undefined =>
  method === 'POST' || method === 'GET' ? method : undefined;

const notAllowed = (method: string): HttpResponse => ({
  ...plain(405, `The method ${method} is not allowed.`),
  headers: { allow: 'GET, POST' },
});

const later = (words: string): HttpResponse => {
  const answer = plain(503, words);
  return { ...answer, headers: { ...answer.headers, 'retry-after': '1' } };
};

/** A body that was read to its end; what holds it is given up when its response is closed. */
type ReadBody = Body | 'too-large' | 'no-room';

const unread: Readonly<Record<'too-large' | 'no-room', () => HttpResponse>> = {
  'too-large': tooLarge,
  'no-room': () => later(`All requests together hold at most ${serverLimits.diskBytes} bytes.`),
};

/** How long a request says that its body is; where it does not say, more than is held in memory. */
const announcedBytes = ({ headers }: IncomingMessage): number =>
  Number(headers['content-length'] ?? (headers['transfer-encoding'] === undefined ? 0 : serverLimits.heldBytes));

const bodyOf = (file: TemporaryFile): Body => ({
  length: file.length,
  open: () => file.pieces(),
  close: () => file.close(),
});

/** A client that gets bytes and a reset at once sees an ordinary end: it has this long to read the bytes. */
const readingMs = 10;

const breakOff = (socket: Socket, { how }: BrokenOff): void => {
  const end = (): void => {
    // resetAndDestroy() ends in good order first and resets what is closed by then: the caller would see no reset. This
    // is the mark by which it tells destroy() to reset.
    if (how === 'reset') Object.assign(socket, { resetAndClosing: true });
    socket.destroy();
  };
  socket.write('', () => (how === 'reset' ? setTimeout(end, readingMs) : end()));
};

/** Carries out the requests of a server, and bounds what they hold. */
export class Exchanges {
  readonly #served: ServerOptions;
  #diskBytes = 0;
  /** Requests that are whole and whose answer was not taken, with what of that is in memory. */
  readonly #atWork = new Map<ServerResponse, { bytes: number; sinceMs: number }>();

  constructor(served: ServerOptions) {
    this.#served = served;
  }

  /** Answers a request. Resolves when the answer was taken, or cannot be taken any more. */
  async carryOut(request: IncomingMessage, response: ServerResponse, onProgress: () => void): Promise<void> {
    const { socket } = request;
    if (response.destroyed) return;
    const over = new Promise<void>((resolve) => void response.once('close', resolve));
    try {
      await this.#deliver(response, await this.#answer(request, response, onProgress));
    } catch (thrown) {
      // The client has gone, or part of the answer was sent: only the end of the connection can show the failure.
      if (thrown instanceof BrokenOff) breakOff(socket, thrown);
      else if (response.headersSent || socket.destroyed) response.destroy();
      else await this.#deliver(response, plain(500, 'The sandbox failed to answer.'));
    }
    await over;
  }

  async #answer(request: IncomingMessage, response: ServerResponse, onProgress: () => void): Promise<OutgoingResponse> {
    const { publicUrl, onTurnedAway } = this.#served;
    const own = headOf(request);
    const head = { ...own, url: withoutPrefix(own.url, publicUrl) };
    const turnedAway = (answer: OutgoingResponse): OutgoingResponse => {
      onTurnedAway?.(head, answer.status);
      return answer;
    };
    const refused = this.#refusal(request, head);
    if (refused !== undefined) return turnedAway(refused);
    const body = await this.#read(request, response, onProgress);
    if (typeof body === 'string') return turnedAway(unread[body]());
    if (response.destroyed) throw new BrokenOff('close');
    const busy = this.#busy();
    if (busy !== undefined) return turnedAway(busy);
    this.#atWork.set(response, { bytes: 0, sinceMs: Infinity });
    response.once('close', () => this.#atWork.delete(response));
    return (await this.#answerWhole({ ...head, body })) ?? turnedAway(notAllowed(head.method));
  }

  #refusal(request: IncomingMessage, head: RequestHead): HttpResponse | undefined {
    const { publicUrl, besides } = this.#served;
    if (hostCount(request) > 1) return plain(400, 'A request has one header Host; this one has more.');
    const refused = refusal({ peer: request.socket.remoteAddress, publicUrl, ...head });
    if (refused !== undefined) return plain(403, refused);
    return allowed(head.method) === undefined && besides === undefined ? notAllowed(head.method) : undefined;
  }

  /** Reads a body, into memory or a file. */
  async #read(request: IncomingMessage, response: ServerResponse, onProgress: () => void): Promise<ReadBody> {
    const { bodyBytes, heldBytes, diskBytes } = serverLimits;
    const announced = announcedBytes(request);
    if (announced > bodyBytes) return 'too-large';
    // One piece of memory: a piece as it comes, however short, keeps all that was read with it.
    const held = Buffer.allocUnsafeSlow(Math.min(announced, heldBytes));
    let file: TemporaryFile | undefined;
    let length = 0;
    // Whoever reads no further leaves the request as it is: it is still to be answered.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      onProgress();
      // Without an encoding, pieces are bytes.
      const bytes = chunk as Buffer;
      const before = length;
      length += bytes.length;
      if (length > bodyBytes) return 'too-large';
      if (length <= heldBytes) bytes.copy(held, before);
      else if (this.#diskBytes + length > diskBytes) return 'no-room';
      else this.#append((file ??= this.#openFile(response, held.subarray(0, before))), bytes);
    }
    return file === undefined ? held.subarray(0, length) : bodyOf(file);
  }

  #append(file: TemporaryFile, bytes: Uint8Array): void {
    file.append(bytes);
    this.#diskBytes += bytes.length;
  }

  #openFile(response: ServerResponse, beginning: Uint8Array): TemporaryFile {
    const file = openTemporaryFile();
    this.#append(file, beginning);
    // Also where an answer never comes.
    response.once('close', () => {
      this.#diskBytes -= file.length;
      file.close();
    });
    return file;
  }

  /** The refusal of a whole request where there is no room for one more. */
  #busy(): HttpResponse | undefined {
    if (this.#atWork.size >= serverLimits.requests)
      return later(`The sandbox answers ${serverLimits.requests} requests at once.`);
    if (this.#unsentBytes() <= serverLimits.unsentBytes) return undefined;
    const stuckSince = performance.now() - serverLimits.stuckMs;
    for (const [response, { sinceMs }] of this.#atWork) if (sinceMs < stuckSince) response.destroy();
    return later('The answers that clients have not taken yet leave no room for others.');
  }

  #unsentBytes(): number {
    let sum = 0;
    for (const { bytes } of this.#atWork.values()) sum += bytes;
    return sum;
  }

  /** The answer to a request that is whole; undefined for a method that nothing answers. */
  async #answerWhole(request: AnyRequest): Promise<OutgoingResponse | undefined> {
    const { besides, endpoint } = this.#served;
    const answer = isDirect(request.headers) ? besides?.(request) : undefined;
    if (answer !== undefined) return answer;
    const method = allowed(request.method);
    return method === undefined ? undefined : endpoint({ ...request, method });
  }

  /** Sends an answer, and counts what of it is in memory until it was taken. */
  async #deliver(response: ServerResponse, answer: OutgoingResponse): Promise<void> {
    const { req: request } = response;
    // The unread body of a refused request must not be parsed as the next request.
    if (!request.complete) return sendUnread(response, answer, serverLimits.lingerMs);
    const onHeld: OnHeld = (bytes) => {
      const unsent = this.#atWork.get(response);
      if (unsent !== undefined) Object.assign(unsent, { bytes, sinceMs: performance.now() });
    };
    return send(response, answer, onHeld);
  }
}
