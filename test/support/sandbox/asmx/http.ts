import { request as httpRequest, type Agent, type IncomingHttpHeaders } from 'node:http';

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
