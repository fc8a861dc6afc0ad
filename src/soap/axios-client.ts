import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket, rootCertificates } from 'node:tls';
import axios, { type AxiosResponse } from 'axios';
import { RelctlError } from '../errors/relctl-error.js';
import { agentFor, checkedUrl, type TransportSettings } from './agents.js';
import { inflated } from './gunzip.js';
import type { ExchangeOptions, Headers, HttpClient, HttpRequest, HttpResponse, PhaseLimits } from './http.js';
import { proxyError, timeoutError, transportError, type Progress } from './transport-errors.js';
import { startWatchdog, type Watchdog } from './watchdog.js';

/** A client that keeps connections until it is closed. */
export interface Transport {
  readonly send: HttpClient;
  close(): void;
}

/** The state of one exchange, as its socket tells it. */
interface Exchange {
  readonly url: URL;
  readonly limits: PhaseLimits;
  readonly stopping: AbortController;
  readonly watchdog: Watchdog;
  handed: boolean;
  answered: boolean;
}

function progressOf({ url, limits, handed, answered }: Exchange): Progress {
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return { target: `${url.hostname}:${port}`, origin: url.origin, handed, answered, limits };
}

function watchSocket(exchange: Exchange, socket: Socket): void {
  const ready = (): void => {
    exchange.handed = true;
    exchange.watchdog.enter('first-byte');
    socket.on('drain', () => exchange.watchdog.touch());
  };
  const secured = (): void => {
    if (!(socket instanceof TLSSocket)) {
      ready();
      return;
    }
    exchange.watchdog.enter('tls');
    socket.once('secureConnect', ready);
  };
  if (socket.connecting) socket.once('connect', secured);
  // A socket that is connected is reused, or comes from the proxy with its handshake done.
  else ready();
}

/** The library's `transport` option: our own hand on request and socket. */
function observed(exchange: Exchange, proxyHost: string): { request: typeof http.request } {
  const request = (options: RequestOptions, callback?: (response: IncomingMessage) => void): ClientRequest => {
    const made = (exchange.url.protocol === 'https:' ? https : http).request(
      { ...options, maxHeaderSize: 32 * 1024 },
      callback,
    );
    made.once('socket', (socket) => watchSocket(exchange, socket));
    made.once('finish', () => exchange.watchdog.touch());
    made.once('proxyConnect', (connect: { readonly statusCode: number }) => {
      if (connect.statusCode !== 200)
        exchange.stopping.abort(proxyError(connect.statusCode, proxyHost, progressOf(exchange)));
    });
    return made;
  };
  // The library calls it with options and callback only, though http.request has more forms.
  return { request: request as typeof http.request };
}

function headersOf(response: AxiosResponse): Headers {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers as Record<string, unknown>)) {
    if (typeof value === 'string') headers[name.toLowerCase()] = value;
    else if (Array.isArray(value)) headers[name.toLowerCase()] = value.join(', ');
  }
  return headers;
}

/** The body as it comes in; its errors are ours, its silence is bounded. */
async function* received(exchange: Exchange, stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) {
      exchange.watchdog.touch();
      yield chunk;
    }
  } catch (thrown) {
    throw failure(exchange, thrown);
  } finally {
    exchange.watchdog.stop();
  }
}

function decoded(body: AsyncIterable<Uint8Array>, coding: string): AsyncIterable<Uint8Array> {
  switch (coding) {
    case '':
    case 'identity':
      return body;
    case 'gzip':
    case 'x-gzip':
      return inflated(body, 'gzip');
    case 'deflate':
      return inflated(body, 'deflate');
    default:
      throw new RelctlError(
        'bad-answer',
        `the answer comes in the content coding '${coding.slice(0, 40)}', which was not asked for`,
        {
          facts: { code: 'encoding' },
        },
      );
  }
}

function failure(exchange: Exchange, thrown: unknown): RelctlError {
  const reason: unknown = exchange.stopping.signal.aborted ? exchange.stopping.signal.reason : thrown;
  return reason instanceof RelctlError ? reason : transportError(reason, progressOf(exchange));
}

function begin(request: HttpRequest, options: ExchangeOptions): Exchange {
  const stopping = new AbortController();
  const exchange: Exchange = {
    url: checkedUrl(request.url),
    limits: options.limits,
    stopping,
    watchdog: startWatchdog(options.limits, (phase) => stopping.abort(timeoutError(phase, progressOf(exchange)))),
    handed: false,
    answered: false,
  };
  const passOn = (): void => stopping.abort(options.signal?.reason);
  if (options.signal?.aborted === true) passOn();
  else options.signal?.addEventListener('abort', passOn, { once: true, signal: stopping.signal });
  exchange.watchdog.enter('connect');
  return exchange;
}

async function exchanged(
  exchange: Exchange,
  request: HttpRequest,
  way: { agent: http.Agent; proxyHost: string },
): Promise<HttpResponse> {
  const response: AxiosResponse<AsyncIterable<Uint8Array>> = await axios.request({
    adapter: 'http',
    method: request.method,
    url: exchange.url.href,
    headers: { ...request.headers, 'accept-encoding': 'gzip, deflate', 'content-length': String(request.body.length) },
    data: Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength),
    httpAgent: way.agent,
    httpsAgent: way.agent,
    transport: observed(exchange, way.proxyHost),
    responseType: 'stream',
    decompress: false,
    maxRedirects: 0,
    proxy: false,
    maxBodyLength: Number.POSITIVE_INFINITY,
    validateStatus: () => true,
    transformRequest: [(body: unknown) => body],
    transformResponse: [(body: unknown) => body],
    signal: exchange.stopping.signal,
  });
  exchange.answered = true;
  exchange.watchdog.enter('idle');
  const headers = headersOf(response);
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  return { status: response.status, headers, body: decoded(received(exchange, response.data), coding) };
}

/**
 * HTTP for SOAP, on axios with its own ideas switched off: no redirects (the password is in the body), no decompression
 * (it takes a truncated body for whole), no proxy logic, and none of its errors, which carry the request. Errors are
 * RelctlError `no-answer`, `bad-answer` or `profile` with a code of transportCodes.
 */
export function createTransport(settings: TransportSettings): Transport {
  const kept = new Map<string, http.Agent>();
  const proxyHost = settings.proxy === undefined ? '' : new URL(settings.proxy.url).host;
  const systemCa = settings.ca === undefined ? [] : rootCertificates;
  const keptAgent = (url: URL): http.Agent => {
    const agent = kept.get(url.origin) ?? agentFor(url, settings, { keepAlive: 'yes', systemCa });
    kept.set(url.origin, agent);
    return agent;
  };
  return {
    async send(request, options) {
      const exchange = begin(request, options);
      const { url } = exchange;
      const agent =
        options.freshConnection === true ? agentFor(url, settings, { keepAlive: 'no', systemCa }) : keptAgent(url);
      try {
        return await exchanged(exchange, request, { agent, proxyHost });
      } catch (thrown) {
        exchange.watchdog.stop();
        throw failure(exchange, thrown);
      }
    },
    close() {
      for (const agent of kept.values()) agent.destroy();
      kept.clear();
    },
  };
}
