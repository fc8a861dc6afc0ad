import type http from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';
import axios, { AxiosHeaders, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { defined } from '../../core/values/value.js';
import { CookieJar } from './cookies.js';
import { checkedUrl, hasLogin, portOf, routeTo, type Route, type TransportSettings } from './agents.js';
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
  type PhaseLimits,
} from './http.js';
import { readAhead } from './read-ahead.js';
import {
  interimError,
  proxyError,
  timeoutError,
  transportError,
  upgradeError,
  type Progress,
  type ProxyRefusal,
} from './transport-errors.js';
import { startWatchdog, type Watchdog } from './watchdog.js';

/** An HTTP client that keeps its connections until it is closed. */
export interface Transport {
  readonly send: HttpClient;
  close(): void;
}

interface Exchange {
  readonly url: URL;
  readonly route: Route;
  readonly settings: TransportSettings;
  /** The cookies of its origin; undefined where none are sent. */
  readonly jar: CookieJar | undefined;
  /** Connections of the transport that are ready for a request. */
  readonly open: WeakSet<Socket>;
  readonly limits: PhaseLimits;
  readonly stopping: AbortController;
  readonly watchdog: Watchdog;
  readonly sent: () => void;
  readonly ended: (bytes: number) => void;
  /** Stops the watchdog and the listener on the caller's signal. */
  readonly settle: () => void;
  tunnelled: boolean;
  securing: boolean;
  handed: boolean;
  answered: boolean;
  /** What ended the request: of a body that breaks rules, its stream says only that it was cut off. */
  minded?: unknown;
}

const maxHeaderBytes = 32 * 1024;

/** Interim answers (1xx) to a request: a service sends one or two. Node takes any number: 100 MB of them took 20 s of each call. */
const mostInterim = 100;

/** A larger body is sent in parts, so that the watchdog sees progress; a smaller one is sent with its headers. */
const partBytes = 64 * 1024;

function progressOf({
  url,
  route,
  tunnelled,
  securing,
  handed,
  answered,
  limits,
  minded,
  settings,
}: Exchange): Progress {
  const isAtProxy = route.via !== 'direct' && !tunnelled && !handed;
  const target = `${url.hostname}:${portOf(url)}`;
  const isLenient = settings.isLenient === true;
  const progress = { target, origin: url.origin, securing, handed, answered, limits, minded, isLenient };
  return isAtProxy ? { ...progress, proxy: route.proxyHost } : progress;
}

function watchSocket(exchange: Exchange, request: ClientRequest, socket: Socket): void {
  const { watchdog, open } = exchange;
  const touch = (): void => watchdog.touch();
  const ready = (): void => {
    open.add(socket);
    exchange.securing = false;
    exchange.handed = true;
    watchdog.enter('first-byte');
  };
  const connected = (): void => {
    // What only sockets with TLS have; asking for their class would load all of TLS.
    if (!('encrypted' in socket)) {
      ready();
      return;
    }
    exchange.securing = true;
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
function observed(exchange: Exchange): { request: typeof http.request } {
  const { route, stopping, watchdog, sent, settings } = exchange;
  const parsing = { maxHeaderSize: maxHeaderBytes, insecureHTTPParser: settings.isLenient === true };
  const connecting = { givesUp: stopping.signal, connectMs: exchange.limits.connectMs };
  const request = (options: RequestOptions, callback?: (response: IncomingMessage) => void): ClientRequest => {
    const made = route.request({ ...options, ...parsing, ...connecting }, callback);
    made.once('error', (error) => (exchange.minded = error));
    made.once('socket', (socket) => watchSocket(exchange, made, socket));
    made.once('finish', () => {
      watchdog.touch();
      sent();
    });
    let interim = 0;
    made.on('information', () => {
      interim += 1;
      if (interim > mostInterim) stopping.abort(interimError(mostInterim, progressOf(exchange)));
    });
    made.once('upgrade', (_, socket) => {
      stopping.abort(upgradeError(progressOf(exchange)));
      socket.destroy();
    });
    made.once('proxyConnect', ({ statusCode, headers }: { readonly statusCode: number; readonly headers: unknown }) => {
      if (statusCode === 200) exchange.tunnelled = true;
      else stopping.abort(proxyError(refusalOf(exchange, statusCode, headersIn(headers)), progressOf(exchange)));
    });
    return made;
  };
  // axios calls it with options and callback only, though http.request has more forms.
  return { request: request as typeof http.request };
}

const refusalOf = ({ route, settings }: Exchange, status: number, headers: Headers): ProxyRefusal => ({
  status,
  host: route.proxyHost,
  challenges: headers['proxy-authenticate'],
  isLoginSent: hasLogin(settings),
});

/** The chunks of the body; the idle limit counts only while one is awaited. Throws as transport-errors.ts says. */
async function* received(exchange: Exchange, stream: Readable): AsyncGenerator<Uint8Array> {
  const { watchdog, ended } = exchange;
  try {
    for await (const chunk of readAhead(stream, { came: () => watchdog.touch(), ended })) {
      watchdog.rest();
      yield chunk;
      watchdog.enter('idle');
    }
  } catch (thrown) {
    throw failure(exchange, thrown);
  } finally {
    exchange.settle();
  }
}

function failure(exchange: Exchange, thrown: unknown): RelctlError {
  const { signal } = exchange.stopping;
  if (!signal.aborted) return transportError(thrown, progressOf(exchange));
  // The errors of the watchdog say whether the request was sent; the reason of another signal cannot.
  const reason = RelctlError.from(signal.reason);
  return exchange.handed ? reason : reason.with({ unsent: true });
}

function stopped(signal: AbortSignal): RelctlError {
  const reason: unknown = signal.reason;
  return reason instanceof RelctlError ? reason : new RelctlError('interrupted', 'the call was stopped');
}

function begin(
  request: Pick<Exchange, 'url' | 'route' | 'settings' | 'jar' | 'open'>,
  { limits, signal, sent = () => undefined, received: ended = () => undefined }: ExchangeOptions,
): Exchange {
  const stopping = new AbortController();
  const watchdog = startWatchdog(limits, (phase) => stopping.abort(timeoutError(phase, progressOf(exchange))));
  const passOn = (): void => {
    if (signal !== undefined) stopping.abort(stopped(signal));
  };
  const settle = (): void => {
    watchdog.stop();
    signal?.removeEventListener('abort', passOn);
  };
  const progress = { tunnelled: false, securing: false, handed: false, answered: false };
  const exchange: Exchange = { ...request, limits, stopping, watchdog, sent, ended, settle, ...progress };
  if (signal?.aborted === true) passOn();
  else signal?.addEventListener('abort', passOn, { once: true });
  watchdog.enter('connect');
  return exchange;
}

function* parts(body: Buffer): Generator<Buffer> {
  for (let from = 0; from < body.length; from += partBytes) yield body.subarray(from, from + partBytes);
}

/** The parts of a body. Each one is progress for the watchdog; an error while one is made ends the exchange. */
function* watchedParts(body: Iterable<Uint8Array>, { watchdog, stopping }: Exchange): Generator<Uint8Array> {
  try {
    for (const part of body) {
      watchdog.touch();
      yield part;
    }
  } catch (thrown) {
    stopping.abort(RelctlError.from(thrown));
    throw thrown;
  }
}

function content(body: OutgoingRequest['body'], exchange: Exchange): Buffer | Readable {
  const streamed = (made: Iterable<Uint8Array>): Readable =>
    Readable.from(watchedParts(made, exchange), { objectMode: false });
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

function requestOf(exchange: Exchange, { method, headers, body }: OutgoingRequest): InternalAxiosRequestConfig {
  const { url, route, stopping, settings } = exchange;
  const { userAgent, gateway } = settings;
  // Of two of one name the later one counts: a profile may name another program.
  const usual = { 'user-agent': userAgent, ...(gateway?.origin === url.origin ? gateway.headers : {}) };
  const given = new AxiosHeaders({ ...usual, ...headers });
  const cookies = exchange.jar?.headerFor(url, given.get('cookie')?.toString());
  const own = { 'accept-encoding': 'gzip, deflate', 'content-length': String(body.length) };
  return {
    ...common,
    method,
    url: url.href,
    headers: given.set(own).set(defined({ cookie: cookies })),
    data: content(body, exchange),
    httpAgent: route.agent,
    httpsAgent: route.agent,
    transport: observed(exchange),
    signal: stopping.signal,
  };
}

async function exchanged(
  exchange: Exchange,
  request: OutgoingRequest,
  { maxInflateRatio: maxRatio = defaultInflateLimits.maxRatio }: ExchangeOptions,
): Promise<HttpResponse> {
  const { url, route, jar, watchdog, stopping } = exchange;
  // The adapter would send the request all the same.
  if (stopping.signal.aborted) throw failure(exchange, undefined);
  const response = (await adapter(requestOf(exchange, request))) as AxiosResponse<Readable>;
  if (route.via === 'forward' && response.status === 407) {
    response.data.destroy();
    throw proxyError(refusalOf(exchange, 407, headersIn(response.headers)), progressOf(exchange));
  }
  exchange.answered = true;
  watchdog.enter('idle');
  const { 'set-cookie': set, ...headers } = headersIn(response.headers);
  if (set !== undefined) jar?.keep([response.headers['set-cookie']].flat() as string[], url, headers['date']);
  const coding = (headers['content-encoding'] ?? '').trim();
  const inflateLimits = { ...defaultInflateLimits, maxRatio };
  const body = decoded(received(exchange, response.data), coding, inflateLimits);
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
 * `profile` with a TransportCode, and the reason of the signal (`interrupted` when that is no RelctlError).
 */
export function createTransport(settings: TransportSettings): Transport {
  const kept = new Map<string, Promise<Route>>();
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
    const route = kept.get(name) ?? routeTo(url, settings, { connection, systemCa });
    if (connection !== 'fresh') kept.set(name, route);
    return route;
  };
  return {
    async send(request, options) {
      const url = checkedUrl(request.url);
      const { connection = 'kept' } = options;
      const route = await routeOf(url, connection);
      if (connection !== 'fresh') await turnOfTheLoop();
      const exchange = begin({ url, route, settings, jar: jarOf(url, options), open }, options);
      try {
        return await exchanged(exchange, request, options);
      } catch (thrown) {
        exchange.settle();
        throw thrown instanceof RelctlError ? thrown : failure(exchange, thrown);
      }
    },
    close() {
      const left = [...kept.values()];
      // A route that could not be made has thrown to its caller already.
      for (const route of left) void route.then(({ agent }) => agent.destroy()).catch(() => undefined);
      kept.clear();
    },
  };
}
