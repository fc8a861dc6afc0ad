import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { request as httpRequest, type Agent, type IncomingHttpHeaders } from 'node:http';

/** A connection of a client that writes what it likes. */
export interface RawClient {
  readonly socket: Socket;
  /** What has come so far. */
  readonly said: () => string;
  /** Resolves when this has come, so many times. Fails when the connection ends before. */
  until(text: string, times?: number): Promise<void>;
  /** Resolves with all that came when the connection has ended. */
  readonly ended: Promise<string>;
}

/** Opens such a connection. */
export async function rawClient(port: number): Promise<RawClient> {
  const socket = connect(port, '127.0.0.1');
  let said = '';
  socket.setEncoding('utf8').on('data', (text: string) => (said += text));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(said)));
  const isThere = (text: string, times: number): boolean => said.split(text).length > times;
  return {
    socket,
    said: () => said,
    ended,
    until: (text, times = 1) =>
      new Promise((resolve, reject) => {
        const look = (): void => (isThere(text, times) ? resolve() : undefined);
        socket.on('data', look);
        socket.once('close', () => reject(new Error(`the connection ended behind: ${said}`)));
        look();
      }),
  };
}

/** The head of a POST whose body is to have so many bytes. */
export const postHead = (bytes: number): string =>
  `POST /V1/service.asmx HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes}\r\n\r\n`;

/** What goes over the wire. */
export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Pieces to send one by one, without a Content-Length. */
  readonly chunks?: readonly (string | Buffer)[];
  readonly agent?: Agent;
}

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

/** One exchange over a real socket. */
export function exchange(port: number, sent: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'POST', path = '/V1/service.asmx', headers = {}, body = '', chunks, agent } = sent;
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method, headers, agent: agent ?? false },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(pieces);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString('utf8') });
        });
      },
    );
    request.on('error', reject);
    for (const chunk of chunks ?? []) request.write(chunk);
    if (chunks === undefined) request.end(body);
    else request.end();
  });
}
