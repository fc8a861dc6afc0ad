import http, { type RequestOptions } from 'node:http';
// By their names: so the built program loads the module when one of them is used, and leaves it for http.
import { Agent as SecureAgent, request as requestSecurely, type RequestOptions as SecureOptions } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { checkServerIdentity } from 'node:tls';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { defined } from '../../core/values/value.js';
import { connectTo, type ConnectOptions } from './connect.js';
import { isThisMachine, lookupHere } from './this-machine.js';
import { decodeLogin, type ConnectionChoice } from './http.js';

/** How to reach a service: all values as text, nothing read from the environment here. */
export interface TransportSettings {
  /** What requests say of the program that sends them, such as relctl/1.2.3. */
  readonly userAgent: string;
  readonly proxy?: {
    /** Address of the proxy; may hold a user name and password, which go to the proxy only. */
    readonly url: string;
    /** Hosts to reach directly, as NO_PROXY lists them. */
    readonly noProxy?: string;
  };
  /** PEM of authorities to trust besides those of Node. */
  readonly ca?: readonly string[];
  readonly clientCertificate?: { readonly cert: string; readonly key: string; readonly passphrase?: string };
  /** Headers for what stands in front of one origin: no other gets them, and no proxy by CONNECT. */
  readonly gateway?: { readonly origin: string; readonly headers: Readonly<Record<string, string>> };
  /** Accept any certificate; set by a profile or a flag only. */
  readonly verification?: 'none';
  /** Send no cookies back. */
  readonly withoutCookies?: boolean;
  /** Read answers that break rules of HTTP, as far as Node's parser forgives them. */
  readonly isLenient?: boolean;
}

/** How requests reach one origin: directly, through a CONNECT tunnel of a proxy, or forwarded by a proxy. */
export interface Route {
  readonly via: 'direct' | 'tunnel' | 'forward';
  readonly agent: http.Agent;
  /** `host:port` of the proxy, without its password; empty when there is none. */
  readonly proxyHost: string;
  /** Starts a request on this route, with options that are its own; the signal ends its attempts to connect. */
  readonly request: (
    options: RequestOptions & { readonly givesUp?: AbortSignal; readonly connectMs?: number },
    callback?: (response: http.IncomingMessage) => void,
  ) => http.ClientRequest;
}

/** What a route is made for. */
export interface RouteOptions {
  readonly connection: ConnectionChoice;
  /** PEM of the authorities that are trusted together with `ca`. */
  readonly systemCa: readonly string[];
}

/** Port of a URL, the scheme's own when it names none. */
export function portOf(url: URL): string {
  if (url.port !== '') return url.port;
  return url.protocol === 'https:' ? '443' : '80';
}

const withoutLastDot = (name: string): string => name.replace(/\.$/, '');

function matchesEntry(entry: string, hostname: string, port: string): boolean {
  const [, name = '', portOfEntry] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (portOfEntry !== undefined && portOfEntry !== port) return false;
  const suffix = withoutLastDot(name.replace(/^\*?\./, '').toLowerCase());
  return suffix === '*' || hostname === suffix || hostname.endsWith(`.${suffix}`);
}

/** True when a URL is reached without the proxy: this machine, and NO_PROXY (host, .domain, host:port, *). */
export function bypassesProxy(url: URL, noProxy: string | undefined): boolean {
  if (isThisMachine(url.hostname)) return true;
  const entries = (noProxy ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  const hostname = withoutLastDot(url.hostname);
  return entries.some((entry) => matchesEntry(entry, hostname, portOf(url)));
}

/** The address of a service. Throws `usage` for anything but http and https, and for credentials in the URL. */
export function checkedUrl(text: string): URL {
  if (!URL.canParse(text)) throw usage('baseUrl', `'${text}' is not a URL`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw usage('baseUrl', `a service needs http or https, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw usage('baseUrl', 'a base URL must not hold a user name or password', {
      advice: 'Save them in the profile instead.',
      hint: 'relctl profile edit NAME',
    });
  }
  return url;
}

type Trust = Pick<SecureOptions, 'minVersion' | 'rejectUnauthorized' | 'ca'>;

function trust(settings: TransportSettings, systemCa: readonly string[]): Trust {
  return {
    minVersion: 'TLSv1.2',
    // Always set, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    rejectUnauthorized: settings.verification !== 'none',
    ...defined({ ca: settings.ca && [...systemCa, ...settings.ca] }),
  };
}

/**
 * TLS options for the service. They are options of the request, because the agent of a tunnel has its own for the proxy.
 * checkServerIdentity is not among them: since Node 22 it would limit a connection to one request.
 */
function serviceTls(settings: TransportSettings, systemCa: readonly string[]): SecureOptions {
  return { ...trust(settings, systemCa), ...settings.clientCertificate };
}

/** The address of a proxy without user and password, and the header with them, so that no log of the URL shows them. */
function proxyAddress(text: string): { readonly url: URL; readonly headers: Readonly<Record<string, string>> } {
  const url = new URL(text);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  if (username === '' && password === '') return { url, headers: {} };
  const login = Buffer.from(`${decodeLogin(username)}:${decodeLogin(password)}`).toString('base64');
  return { url, headers: { 'Proxy-Authorization': `Basic ${login}` } };
}

/** True when the proxy gets a user name and password. */
export const hasLogin = ({ proxy }: TransportSettings): boolean =>
  new URL(proxy?.url ?? 'http://none.invalid').username !== '';

/** When the system probes a silent connection: axios sets the same with each request, so that nothing is set anew. */
const probeAfterMs = 60_000;

/** How long a connection may be idle before a write takes it: services close those that are idle for some seconds. */
const busyIdleMs = 1_000;

// No limit on sockets: a call that waits for one would get it without an idle moment in between, in which the agent checks
// it. The callers limit how many calls are open.
function poolOptions(connection: ConnectionChoice): http.AgentOptions {
  if (connection === 'fresh') return { keepAlive: false };
  const options = { keepAlive: true, keepAliveMsecs: probeAfterMs, scheduling: 'lifo' } as const;
  // By its timeout the agent ends connections that are idle; of those in use nothing comes of it.
  return connection === 'busy' ? { ...options, timeout: busyIdleMs } : options;
}

/** The agent, which drops a kept connection with data that no request asked for: the next one would get it. */
function watchingIdle<Pool extends http.Agent>(agent: Pool): Pool {
  // It returns whether the agent keeps the socket; Node's types do not say so.
  const keep: (socket: Duplex) => unknown = agent.keepSocketAlive.bind(agent);
  const reuse = agent.reuseSocket.bind(agent);
  const drop = function (this: Duplex): void {
    this.destroy();
  };
  agent.keepSocketAlive = (socket) => {
    const isReusable = keep(socket) !== false && socket.readableLength === 0;
    if (isReusable) socket.on('data', drop);
    return isReusable;
  };
  agent.reuseSocket = (socket, request) => {
    socket.off('data', drop);
    reuse(socket, request);
  };
  return agent;
}

type Made = (error: Error | null, socket?: Duplex) => void;

/** The agent, which connects to all addresses of a host by its name; the TLS of that connection is Node's. */
function connectingToAll<Pool extends http.Agent>(agent: Pool, isSecure: boolean): Pool {
  // As Node calls it; its types know nothing of a socket that is made later.
  type Connects = (options: ConnectOptions & { socket?: Socket }, made: Made) => Duplex | undefined;
  const within = agent as unknown as { createConnection: Connects };
  const usual = within.createConnection.bind(agent);
  within.createConnection = (options, made) => {
    if (isIP(options.host ?? '') !== 0) return usual(options, made);
    connectTo(options, (error, socket) => {
      made(error, socket !== undefined && isSecure ? usual({ ...options, socket }, made) : socket);
    });
    return undefined;
  };
  return agent;
}

function directRoute(url: URL, settings: TransportSettings, { connection, systemCa }: RouteOptions): Route {
  const pool = poolOptions(connection);
  const isSecure = url.protocol === 'https:';
  const own = { ...(isSecure ? serviceTls(settings, systemCa) : {}), ...defined({ lookup: lookupHere(url.hostname) }) };
  return {
    via: 'direct',
    agent: watchingIdle(connectingToAll(isSecure ? new SecureAgent(pool) : new http.Agent(pool), isSecure)),
    proxyHost: '',
    request: (options, callback) => (isSecure ? requestSecurely : http.request)(Object.assign(options, own), callback),
  };
}

async function tunnelRoute(
  url: URL,
  settings: TransportSettings,
  options: RouteOptions & { readonly proxy: string },
): Promise<Route> {
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  const { url: proxy, headers } = proxyAddress(options.proxy);
  const named = { ...headers, 'User-Agent': settings.userAgent };
  const tls = serviceTls(settings, options.systemCa);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const pool = poolOptions(options.connection);
  const agent = new HttpsProxyAgent(proxy, { ...pool, ...trust(settings, options.systemCa), headers: named });
  // In a tunnel Node would check an IP address as 'localhost'.
  const check: typeof checkServerIdentity = (_, certificate) => checkServerIdentity(hostname, certificate);
  const connect = agent.connect.bind(agent);
  agent.connect = (request, there) => {
    // The package connects in Node's way: each address of a proxy but the last gets half of the time, not 250 ms.
    const { connectMs } = there as { readonly connectMs?: number };
    if (connectMs !== undefined)
      Object.assign(agent.connectOpts, { autoSelectFamilyAttemptTimeout: Math.ceil(connectMs / 2) });
    return connect(request, Object.assign(there, { checkServerIdentity: check }));
  };
  return {
    via: 'tunnel',
    agent: watchingIdle(agent),
    proxyHost: proxy.host,
    request: (request, callback) => requestSecurely({ ...request, ...tls }, callback),
  };
}

/** Plain HTTP goes to the proxy as a request of its own: few proxies open tunnels to a port without TLS. */
function forwardRoute(
  url: URL,
  settings: TransportSettings,
  options: RouteOptions & { readonly proxy: string },
): Route {
  const { url: proxy, headers } = proxyAddress(options.proxy);
  const isSecure = proxy.protocol === 'https:';
  const pool = poolOptions(options.connection);
  const there = {
    protocol: proxy.protocol,
    hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: portOf(proxy),
    path: `${url.origin}${url.pathname}${url.search}`,
    ...(isSecure ? trust(settings, options.systemCa) : {}),
  };
  return {
    via: 'forward',
    agent: watchingIdle(connectingToAll(isSecure ? new SecureAgent(pool) : new http.Agent(pool), isSecure)),
    proxyHost: proxy.host,
    request: (request, callback) => {
      const made = (isSecure ? requestSecurely : http.request)({ ...request, ...there }, callback);
      for (const [name, value] of Object.entries({ ...headers, Host: url.host })) made.setHeader(name, value);
      return made;
    },
  };
}

/**
 * The route to a URL: direct for this machine and the hosts of NO_PROXY, else through the proxy, by CONNECT for https and
 * forwarded for http. Throws `profile` when the address of the proxy is neither http nor https.
 */
export async function routeTo(url: URL, settings: TransportSettings, options: RouteOptions): Promise<Route> {
  const { proxy } = settings;
  if (proxy === undefined || bypassesProxy(url, proxy.noProxy)) return directRoute(url, settings, options);
  if (!/^https?:/i.test(proxy.url)) {
    throw new RelctlError('profile', 'a proxy needs http or https', {
      facts: { code: 'proxy', path: 'proxy' },
      hint: 'relctl profile show NAME --origin',
    });
  }
  return url.protocol === 'https:'
    ? tunnelRoute(url, settings, { ...options, proxy: proxy.url })
    : forwardRoute(url, settings, { ...options, proxy: proxy.url });
}
