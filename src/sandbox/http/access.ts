import type { IncomingMessage } from 'node:http';
import type { Headers } from '../../soap/transport/http.js';
import { type PublicUrl, servicePath } from '../context.js';
import { usage } from '../../core/errors/relctl-error.js';

/** Scheme, host, port and path; no user, no query. */
const form = /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?((?:\/[\w.~-]+)*)\/*$/i;

/** Reads such an address. Throws RelctlError `usage` for one that is none, or that holds more than host, port and path. */
export function readPublicUrl(text: string): PublicUrl {
  const [whole, path = ''] = form.exec(text) ?? [];
  if (whole !== undefined && URL.canParse(whole)) {
    const { origin, host } = new URL(whole);
    return { origin, host, path };
  }
  // What was given is not repeated: it may hold a password.
  throw usage(
    '--public-url',
    '--public-url needs an http or https URL with only host, port and path',
    '--public-url https://sandbox.example:8443',
  );
}

/** Path of a request without what the public address puts before it; some proxies leave that in place. */
export function withoutPrefix(url: string, publicUrl: PublicUrl | undefined): string {
  const prefix = publicUrl?.path ?? '';
  return prefix !== '' && url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : url;
}

/** Path of the service in links. */
export const serviceLink = ({ publicUrl }: { readonly publicUrl?: PublicUrl }): string =>
  `${publicUrl?.path ?? ''}${servicePath}`;

/** A request without its body. */
export interface RequestHead {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Headers;
}

const headersOf = ({ headers }: IncomingMessage): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));

/**
 * Method, path and headers of a request, with the requested host in `host`: an absolute target has precedence over the
 * header (RFC 9112, 3.2.2), and HTTP/1.0, which may leave the host out, means our own address.
 */
export function headOf(request: IncomingMessage): RequestHead {
  const { method = '', url = '/', httpVersion, socket } = request;
  const headers = headersOf(request);
  const [, authority, path = ''] = /^http:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (authority !== undefined) {
    return { method, url: path.startsWith('/') ? path : `/${path}`, headers: { ...headers, host: authority } };
  }
  const isHostless = headers['host'] === undefined && httpVersion === '1.0';
  return { method, url, headers: isHostless ? { ...headers, host: `127.0.0.1:${String(socket.localPort)}` } : headers };
}

/** How many headers Host a request has. With two of them, a proxy and we could each use another (RFC 9112, 3.2). */
export const hostCount = ({ headersDistinct }: IncomingMessage): number => headersDistinct['host']?.length ?? 0;

/** Who sends a request. */
export interface Caller extends Omit<RequestHead, 'url'> {
  readonly peer: string | undefined;
  readonly publicUrl?: PublicUrl | undefined;
}
const loopback = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/i;
/** Any port: one that is forwarded to ours has its own number. */
const ownHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;
const sameSite: ReadonlySet<string> = new Set(['same-origin', 'none']);

const forwardedBy = (headers: Headers): string | undefined => forwarding.find((name) => headers[name] !== undefined);

/** True for a request whose host is this machine, and that has no header of a proxy. */
export const isDirect = (headers: Headers): boolean =>
  ownHost.test(headers['host'] ?? '') && forwardedBy(headers) === undefined;

/** True when the Origin of a request is its own Host. */
export const isOwnOrigin = (headers: Headers): boolean =>
  headers['origin']?.toLowerCase() === `http://${(headers['host'] ?? '').toLowerCase()}`;

const foreignPage = ({ method, headers, publicUrl }: Caller): string | undefined => {
  const origin = headers['origin']?.toLowerCase();
  const isOurs = origin === undefined || isOwnOrigin(headers) || origin === publicUrl?.origin;
  if (!isOurs) return 'The sandbox does not answer other origins.';
  const site = headers['sec-fetch-site'];
  // A link on another site may lead here by GET, which changes nothing.
  if (method !== 'GET' && site !== undefined && !sameSite.has(site)) return 'The sandbox does not answer other sites.';
  return undefined;
};

/**
 * Why a caller is refused, or undefined when it is not. The address alone is not enough: a page in a browser on this
 * machine also calls from the loopback, under the name of its own site (DNS rebinding) or with its own Origin, and a
 * proxy on this machine forwards requests of others. With a public address such a proxy is allowed, under that name or ours.
 */
export function refusal(caller: Caller): string | undefined {
  const { peer, headers, publicUrl } = caller;
  if (peer === undefined || !loopback.test(peer)) return 'The sandbox answers this machine only.';
  const host = headers['host'] ?? '';
  if (!ownHost.test(host) && host.toLowerCase() !== publicUrl?.host)
    return `The sandbox does not answer under the name "${host.toLowerCase()}".`;
  const proxied = forwardedBy(headers);
  if (proxied !== undefined && publicUrl === undefined)
    return `The sandbox answers this machine only; the header ${proxied} speaks for another.`;
  return foreignPage(caller);
}
