import type http from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import axios, { AxiosHeaders, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import type { RelctlError } from '../../core/errors/relctl-error.js';
import { CookieJar } from './cookies.js';
import { checkedUrl, hasLogin, portOf, routeTo, type Route, type TransportSettings } from './agents.js';
import { Exchange, type Peer } from './exchange.js';
import { decoded, defaultInflateLimits } from './gunzip.js';
import {
  headersIn,
  isStreamed,
  type ConnectionChoice,
  type ExchangeOptions,
  type Headers,
  type HttpClient,
  type HttpResponse,
  type HttpRequest,
} from './http.js';
import { readAhead } from './read-ahead.js';
import { interimError, proxyError, upgradeError } from './transport-errors.js';

/** An HTTP client that keeps its connections until it is closed. */
export interface Transport {
  readonly send: HttpClient;
  close(): void;
}

/** What all requests to an address have in common, made once. */
interface Destination {
  readonly url: URL;
  readonly route: Route;
  readonly settings: TransportSettings;
  readonly peer: Peer;
  readonly headers: AxiosHeaders;
  readonly jar: CookieJar;
  /** Connections of the transport that are ready for a request. */
  readonly open: WeakSet<Socket>;
}

interface Outgoing {
  readonly exchange: Exchange;
  readonly destination: Destination;
  /** The cookies of its origin; undefined where none are sent. */
  readonly jar: CookieJar | undefined;
  readonly sent: (() => void) | undefined;
}

const maxHeaderBytes = 32 * 1024;

/** Interim answers (1xx) to a request: a service sends one or two. Node takes any number: 100 MB of them took 20 s of each call. */
const mostInterim = 100;

/** A larger body is sent in parts, so that the watchdog sees progress; a smaller one is sent with its headers. */
const partBytes = 64 * 1024;

function watchSocket({ exchange, destination: { open } }: Outgoing, request: ClientRequest, socket: Socket): void {
  const touch = (): void => exchange.watchdog.touch();
  socket.on('drain', touch);
  // The connection outlives the request.
  request.once('close', () => socket.off('drain', touch));
  if (open.has(socket)) {
    exchange.handOver();
    return;
  }
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
    exchange.watchdog.enter('tls');
    socket.once('secureConnect', ready);
  };
  request.once('close', () => socket.off('connect', connected).off('secureConnect', ready));
  // The socket of a tunnel is connected already, but its TLS handshake is still to come.
  if (socket.connecting) socket.once('connect', connected);
  else connected();
}

/** The `transport` option of axios: makes the request and watches its socket. */
function observed(outgoing: Outgoing): { request: typeof http.request } {
  const { exchange, sent } = outgoing;
  const { route, peer } = outgoing.destination;
  const request = (options: RequestOptions, callback?: (response: IncomingMessage) => void): ClientRequest => {
    const parsing = { maxHeaderSize: maxHeaderBytes, insecureHTTPParser: peer.isLenient === true };
    const connecting = { givesUp: exchange.signal, connectMs: exchange.progress.limits.connectMs };
    // axios made the options for this request alone.
    const made = route.request(Object.assign(options, parsing, connecting), callback);
    let interim = 0;
    made
      .once('error', (minded) => exchange.note({ minded }))
      .on('socket', (socket) => watchSocket(outgoing, made, socket))
      .on('finish', () => {
        exchange.watchdog.touch();
        sent?.();
      })
      .on('information', () => {
        interim += 1;
        if (interim > mostInterim) exchange.stop(interimError(mostInterim, exchange.progress));
      })
      .on('upgrade', (_, socket) => {
        exchange.stop(upgradeError(exchange.progress));
        socket.destroy();
      })
      .on('proxyConnect', ({ statusCode, headers }: { readonly statusCode: number; readonly headers: unknown }) => {
        if (statusCode === 200) exchange.note({ proxy: undefined });
        else exchange.stop(refusedByProxy(outgoing, statusCode, headersIn(headers)));
      });
    return made;
  };
  // axios calls it with options and callback only, though http.request has more forms.
  return { request: request as typeof http.request };
}

function refusedByProxy({ exchange, destination }: Outgoing, status: number, headers: Headers): RelctlError {
  const { route, settings } = destination;
  const challenges = headers['proxy-authenticate'];
  const refusal = { status, host: route.proxyHost, challenges, isLoginSent: hasLogin(settings) };
  return proxyError(refusal, exchange.progress);
}

function* parts(body: Buffer): Generator<Buffer> {
  for (let from = 0; from < body.length; from += partBytes) yield body.subarray(from, from + partBytes);
}

function content(body: HttpRequest['body'], exchange: Exchange): Buffer | Readable {
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

function requestOf(outgoing: Outgoing, { method, headers, body }: HttpRequest): InternalAxiosRequestConfig {
  const { exchange, destination, jar } = outgoing;
  const cookie = jar?.headerFor(destination.url, destination.headers.get('cookie')?.toString());
  const own = { 'accept-encoding': 'gzip, deflate', 'content-length': String(body.length) };
  // Of two of one name the later one counts, which axios sees to.
  const sent = new AxiosHeaders();
  Object.assign(sent, destination.headers, headers, own, cookie === undefined ? {} : { cookie });
  return {
    ...common,
    method,
    url: destination.url.href,
    headers: sent,
    data: content(body, exchange),
    httpAgent: destination.route.agent,
    httpsAgent: destination.route.agent,
    transport: observed(outgoing),
    signal: exchange.signal,
  };
}

async function exchanged(
  outgoing: Outgoing,
  request: HttpRequest,
  { received, maxInflateRatio: maxRatio = defaultInflateLimits.maxRatio }: ExchangeOptions,
): Promise<HttpResponse> {
  const { exchange, destination, jar } = outgoing;
  const response = (await adapter(requestOf(outgoing, request))) as AxiosResponse<Readable>;
  if (destination.route.via === 'forward' && response.status === 407) {
    response.data.destroy();
    throw refusedByProxy(outgoing, 407, headersIn(response.headers));
  }
  exchange.takeHead();
  const { 'set-cookie': set, ...headers } = headersIn(response.headers);
  if (set !== undefined)
    jar?.store([response.headers['set-cookie']].flat() as string[], destination.url, headers['date']);
  const coding = (headers['content-encoding'] ?? '').trim();
  const pieces = readAhead(response.data, { came: () => exchange.watchdog.touch(), ended: received });
  const body = decoded(exchange.receive(pieces), coding, { ...defaultInflateLimits, maxRatio });
  const { status } = response;
  return jar?.headerFor(destination.url) === undefined
    ? { status, headers, body }
    : { status, headers, body, hasCookies: true };
}

/** Lets Node read what came on a kept connection without a request, which drops it before it is used. */
const turnOfTheLoop = (): Promise<void> =>
  // The first may still run in the present turn of the loop, after its reading.
  new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/**
 * HTTP for SOAP on axios, without its redirects (the password is in the body), its decompression (it accepts a truncated
 * body), its proxies and its errors (they hold the request). Throws `usage` for a bad URL, `no-answer`, `bad-answer` or
 * `profile` with a code, and the reason of the signal (`interrupted` when that is no RelctlError).
 */
export function createTransport(settings: TransportSettings): Transport {
  const destinations = new Map<string, Promise<Destination>>();
  const open = new WeakSet<Socket>();
  const jars = new Map<string, CookieJar>();
  const systemCa = settings.ca === undefined ? [] : rootCertificates;
  const reach = async (address: string, connection: ConnectionChoice): Promise<Destination> => {
    const url = checkedUrl(address);
    const { origin, hostname } = url;
    const { userAgent, gateway, isLenient = false } = settings;
    const jar = jars.get(origin) ?? new CookieJar();
    jars.set(origin, jar);
    // A profile may name another program.
    const own = gateway?.origin === origin ? gateway.headers : {};
    const headers = new AxiosHeaders({ 'user-agent': userAgent, ...own });
    const route = await routeTo(url, settings, { connection, systemCa });
    const proxy = route.via === 'direct' ? {} : { proxy: route.proxyHost };
    const peer = { target: `${hostname}:${portOf(url)}`, origin, isLenient, ...proxy };
    return { url, route, settings, peer, headers, jar, open };
  };
  const destinationOf = (address: string, connection: ConnectionChoice): Promise<Destination> => {
    const name = `${connection} ${address}`;
    const destination = destinations.get(name) ?? reach(address, connection);
    if (connection !== 'fresh') destinations.set(name, destination);
    return destination;
  };
  return {
    async send(request, options) {
      const { connection = 'kept', withoutCookies = settings.withoutCookies, sent } = options;
      const destination = await destinationOf(request.url, connection);
      if (connection !== 'fresh') await turnOfTheLoop();
      const exchange = new Exchange(destination.peer, options);
      const outgoing = { exchange, destination, jar: withoutCookies === true ? undefined : destination.jar, sent };
      return exchange.run(() => exchanged(outgoing, request, options));
    },
    close() {
      // A destination that could not be made has thrown to its caller already.
      for (const destination of destinations.values())
        void destination.then(({ route }) => route.agent.destroy()).catch(() => undefined);
      destinations.clear();
    },
  };
}
