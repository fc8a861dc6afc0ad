import type { IncomingMessage } from 'node:http';
import type { Headers } from '../../soap/transport/http.js';

/** A request without its body. */
export interface RequestHead {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Headers;
}

const headersOf = ({ headers }: IncomingMessage): Headers =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
    ),
  );

/** How many headers Host a request has. With two of them, a proxy and we could each use another (RFC 9112, 3.2). */
export const hostCount = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;

/**
 * Method, path and headers of a request, with the requested host in `host`: an absolute target has precedence over the
 * header (RFC 9112, 3.2.2), and HTTP/1.0, which may leave the host out, means our own address.
 * @param port that we listen on
 */
export function headOf(request: IncomingMessage, port: number): RequestHead {
  const { method = '', url = '/', httpVersion } = request;
  const headers = headersOf(request);
  const [, authority, path = ''] = /^http:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (authority !== undefined) {
    return { method, url: path.startsWith('/') ? path : `/${path}`, headers: { ...headers, host: authority } };
  }
  const isHostless = headers['host'] === undefined && httpVersion === '1.0';
  return { method, url, headers: isHostless ? { ...headers, host: `127.0.0.1:${port}` } : headers };
}
