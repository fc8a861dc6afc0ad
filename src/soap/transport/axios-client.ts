import type http from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';
import axios, { AxiosHeaders, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import type { RelctlError } from '../../core/errors/relctl-error.js';
import { defined } from '../../core/values/value.js';
import { CookieJar } from './cookies.js';
import { checkedUrl, hasLogin, portOf, routeTo, type Route, type TransportSettings } from './agents.js';
import { Exchange } from './exchange.js';
import { decoded, defaultInflateLimits } from './gunzip.js';
import {
  headersIn,
  isStreamed,
  type ConnectionChoice,
  type ExchangeOptions,
  type Headers,
  type HttpClient,
  type HttpResponse,
  type OutgoingRequest,
} from './http.js';
import { readAhead } from './read-ahead.js';
import { interimError, proxyError, upgradeError } from './transport-errors.js';

/** An HTTP client that keeps its connections until it is closed. */
export interface Transport {
  readonly send: HttpClient;
  close(): void;
}

interface Outgoing {
  readonly exchange: Exchange;
  readonly url: URL;
  readonly route: Route;
  readonly settings: TransportSettings;
  /** The cookies of its origin; undefined where none are sent. */
  readonly jar: CookieJar | undefined;
  /** Connections of the transport that are ready for a request. */
  readonly open: WeakSet<Socket>;
  readonly sent: () => void;
}

const maxHeaderBytes = 32 * 1024;

/** Interim answers (1xx) to a request: a service sends one or two. Node takes any number: 100 MB of them took 20 s of each call. */
const mostInterim = 100;

/** A larger body is sent in parts, so that the watchdog sees progress; a smaller one is sent with its headers. */
const partBytes = 64 * 1024;

function watchSocket({ exchange, open }: Outgoing, request: ClientRequest, socket: Socket): void {
  const { watchdog } = exchange;
  const touch = (): void => watchdog.touch();
  const ready = (): void => {
    open.add(socket);
    exchange.handOver();
  };
  const connected = (): void => {
    // What only sockets with TLS have; asking for their class would load all of TLS.
    if (!('encrypted' in socket)) {
      ready();
      return;
    }
    exchange.note({ securing: true });
    watchdog.enter('tls');
    socket.once('secureConnect', ready);
  };
  socket.on('drain', touch);
  request.once('close', () => {
    // The connection outlives the request.
    socket.off('drain', touch).off('connect', connected).off('secureConnect', ready);
  });
  if (open.has(socket)) ready();
  else if (socket.connecting) socket.once('connect', connected);
  // The socket of a tunnel is connected already, but its TLS handshake is still to come.
  else connected();
}

/** The `transport` option of axios: makes the request and watches its socket. */
function observed(outgoing: Outgoing): { request: typeof http.request } {
  const { exchange, route, sent, settings } = outgoing;
  const parsing = { maxHeaderSize: maxHeaderBytes, insecureHTTPParser: settings.isLenient === true };
  const connecting = { givesUp: exchange.signal, connectMs: exchange.progress.limits.connectMs };
  const request = (options: RequestOptions, callback?: (response: IncomingMessage) => void): ClientRequest => {
    const made = route.request({ ...options, ...parsing, ...connecting }, callback);
    made.once('error', (minded) => exchange.note({ minded }));
    made.once('socket', (socket) => watchSocket(outgoing, made, socket));
    made.once('finish', () => {
      exchange.watchdog.touch();
      sent();
    });
    let interim = 0;
    made.on('information', () => {
      interim += 1;
      if (interim > mostInterim) exchange.stop(interimError(mostInterim, exchange.progress));
    });
    made.once('upgrade', (_, socket) => {
      exchange.stop(upgradeError(exchange.progress));
      socket.destroy();
    });
    made.once('proxyConnect', ({ statusCode, headers }: { readonly statusCode: number; readonly headers: unknown }) => {
      if (statusCode === 200) exchange.note({ proxy: undefined });
      else exchange.stop(refusedByProxy(outgoing, statusCode, headersIn(headers)));
    });
    return made;
  };
  // axios calls it with options and callback only, though http.request has more forms.
  return { request: request as typeof http.request };
}

const refusedByProxy = ({ exchange, route, settings }: Outgoing, status: number, headers: Headers): RelctlError =>
  proxyError(
    {
      status,
      host: route.proxyHost,
      challenges: headers['proxy-authenticate'],
      isLoginSent: hasLogin(settings),
    },
    exchange.progress,
  );

function* parts(body: Buffer): Generator<Buffer> {
  for (let from = 0; from < body.length; from += partBytes) yield body.subarray(from, from + partBytes);
}

function content(body: OutgoingRequest['body'], exchange: Exchange): Buffer | Readable {
  const streamed = (made: Iterable<Uint8Array>): Readable =>
    Readable.from(exchange.watchParts(made), { objectMode: false });
  if (isStreamed(body)) return streamed(body.open());
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return bytes.length > partBytes ? streamed(parts(bytes)) : bytes;
}

/** The part of axios that makes requests: the rest, settings and interceptors, takes as long again for nothing. */
const adapter = axios.getAdapter('http');

const common = {
  responseType: 'stream',
  decompress: false,
  maxRedirects: 0,
  proxy: false,
  maxBodyLength: -1,
  validateStatus: () => true,
} as const;

function requestOf(outgoing: Outgoing, { method, headers, body }: OutgoingRequest): InternalAxiosRequestConfig {
  const { exchange, url, route, settings, jar } = outgoing;
  const { userAgent, gateway } = settings;
  // Of two of one name the later one counts: a profile may name another program.
  const usual = { 'user-agent': userAgent, ...(gateway?.origin === url.origin ? gateway.headers : {}) };
  const axiosHeaders = new AxiosHeaders({ ...usual, ...headers });
  const cookies = jar?.headerFor(url, axiosHeaders.get('cookie')?.toString());
  const own = { 'accept-encoding': 'gzip, deflate', 'content-length': String(body.length) };
  return {
    ...common,
    method,
    url: url.href,
    headers: axiosHeaders.set(own).set(defined({ cookie: cookies })),
    data: content(body, exchange),
    httpAgent: route.agent,
    httpsAgent: route.agent,
    transport: observed(outgoing),
    signal: exchange.signal,
  };
}

async function exchanged(
  outgoing: Outgoing,
  request: OutgoingRequest,
  { received = () => undefined, maxInflateRatio: maxRatio = defaultInflateLimits.maxRatio }: ExchangeOptions,
): Promise<HttpResponse> {
  const { exchange, url, route, jar } = outgoing;
  const response = (await adapter(requestOf(outgoing, request))) as AxiosResponse<Readable>;
  if (route.via === 'forward' && response.status === 407) {
    response.data.destroy();
    throw refusedByProxy(outgoing, 407, headersIn(response.headers));
  }
  exchange.takeHead();
  const { 'set-cookie': set, ...headers } = headersIn(response.headers);
  if (set !== undefined) jar?.store([response.headers['set-cookie']].flat() as string[], url, headers['date']);
  const coding = (headers['content-encoding'] ?? '').trim();
  const pieces = readAhead(response.data, { came: () => exchange.watchdog.touch(), ended: received });
  const body = decoded(exchange.receive(pieces), coding, { ...defaultInflateLimits, maxRatio });
  return { status: response.status, headers, body, ...(jar?.headerFor(url) === undefined ? {} : { hasCookies: true }) };
}

/** Lets Node read what came on a kept connection without a request, which drops it before it is used. */
async function turnOfTheLoop(): Promise<void> {
  // The first may still run in the present turn of the loop, after its reading.
  await setImmediate();
  await setImmediate();
}

/**
 * HTTP for SOAP on axios, without its redirects (the password is in the body), its decompression (it accepts a truncated
 * body), its proxies and its errors (they hold the request). Throws `usage` for a bad URL, `no-answer`, `bad-answer` or
 * `profile` with a code, and the reason of the signal (`interrupted` when that is no RelctlError).
 */
export function createTransport(settings: TransportSettings): Transport {
  const routes = new Map<string, Promise<Route>>();
  const open = new WeakSet<Socket>();
  const jars = new Map<string, CookieJar>();
  const jarOf = (
    { origin }: URL,
    { withoutCookies = settings.withoutCookies }: ExchangeOptions,
  ): CookieJar | undefined => {
    const jar = jars.get(origin) ?? new CookieJar();
    jars.set(origin, jar);
    return withoutCookies === true ? undefined : jar;
  };
  const systemCa = settings.ca === undefined ? [] : rootCertificates;
  const routeOf = (url: URL, connection: ConnectionChoice): Promise<Route> => {
    const name = `${connection} ${url.origin}`;
    const route = routes.get(name) ?? routeTo(url, settings, { connection, systemCa });
    if (connection !== 'fresh') routes.set(name, route);
    return route;
  };
  return {
    async send(request, options) {
      const url = checkedUrl(request.url);
      const { connection = 'kept' } = options;
      const route = await routeOf(url, connection);
      if (connection !== 'fresh') await turnOfTheLoop();
      const peer = {
        target: `${url.hostname}:${portOf(url)}`,
        origin: url.origin,
        isLenient: settings.isLenient === true,
        ...(route.via === 'direct' ? {} : { proxy: route.proxyHost }),
      };
      const exchange = new Exchange(peer, options);
      const { sent = () => undefined } = options;
      const outgoing = { exchange, url, route, settings, jar: jarOf(url, options), open, sent };
      return exchange.run(() => exchanged(outgoing, request, options));
    },
    close() {
      const pending = [...routes.values()];
      // A route that could not be made has thrown to its caller already.
      for (const route of pending) void route.then(({ agent }) => agent.destroy()).catch(() => undefined);
      routes.clear();
    },
  };
}
