import http, { type RequestOptions } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { checkServerIdentity } from 'node:tls';
import { RelctlError } from '../../errors/relctl-error.js';
import { usage } from '../../errors/usage.js';
import { defined } from '../../plain/defined.js';

/** How to reach a service: all values as text, nothing read from the environment here. */
export interface TransportSettings {
  readonly proxy?: {
    /** Address of the proxy; may hold a user name and password, which go to the proxy only. */
    readonly url: string;
    /** Hosts to reach directly, as NO_PROXY lists them. */
    readonly noProxy?: string;
  };
  /** PEM of authorities to trust besides those of Node. */
  readonly ca?: readonly string[];
  readonly clientCertificate?: { readonly cert: string; readonly key: string; readonly passphrase?: string };
  /** Take any certificate. Only a profile or a flag that says so in full sets it. */
  readonly verification?: 'none';
}

/** The way to one origin: straight, through a tunnel that a proxy opens, or by a proxy that passes the request on. */
export interface Route {
  readonly via: 'direct' | 'tunnel' | 'forward';
  readonly agent: http.Agent;
  /** `host:port` of the proxy, without its password; empty when there is none. */
  readonly proxyHost: string;
  /** The request as it is put on this way. */
  readonly request: (
    options: RequestOptions,
    callback?: (response: http.IncomingMessage) => void,
  ) => http.ClientRequest;
}

/** What a route is made for. */
export interface RouteOptions {
  readonly keepAlive: 'yes' | 'no';
  /** PEM of the authorities that are trusted together with `ca`. */
  readonly systemCa: readonly string[];
}

const loopback = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/i;

/** True for names and addresses of this machine, which no proxy can reach. */
export function isLoopback(hostname: string): boolean {
  return loopback.test(hostname);
}

/** Port of a URL, the scheme's own when it names none. */
export function portOf(url: URL): string {
  if (url.port !== '') return url.port;
  return url.protocol === 'https:' ? '443' : '80';
}

function matchesEntry(entry: string, hostname: string, port: string): boolean {
  const [, name = '', wantedPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const suffix = name.replace(/^\*?\./, '').toLowerCase();
  return suffix === '*' || hostname === suffix || hostname.endsWith(`.${suffix}`);
}

/** True when a URL is to be reached without the proxy: loopback always, and what NO_PROXY lists (host, .domain, host:port, *). */
export function bypassesProxy(url: URL, noProxy: string | undefined): boolean {
  if (isLoopback(url.hostname)) return true;
  const entries = (noProxy ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  return entries.some((entry) => matchesEntry(entry, url.hostname.toLowerCase(), portOf(url)));
}

/** Checks the address of a service. Throws `usage` for anything but http and https, and for credentials within the URL. */
export function checkedUrl(text: string): URL {
  if (!URL.canParse(text)) throw usage('baseUrl', `'${text}' is not a URL`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw usage('baseUrl', `a service is reached by http or https, not by ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw usage(
      'baseUrl',
      'a base URL must not hold a user name or password',
      'relctl profile edit NAME, and give them to the profile instead',
    );
  }
  return url;
}

type Trust = Pick<https.RequestOptions, 'minVersion' | 'rejectUnauthorized' | 'ca'>;

function trust(settings: TransportSettings, systemCa: readonly string[]): Trust {
  return {
    minVersion: 'TLSv1.2',
    // Said in full, so that NODE_TLS_REJECT_UNAUTHORIZED cannot weaken it.
    rejectUnauthorized: settings.verification !== 'none',
    ...defined({ ca: settings.ca && [...systemCa, ...settings.ca] }),
  };
}

/**
 * TLS with the service. They go with the request, because an agent that makes tunnels keeps its own for the proxy. No
 * checkServerIdentity among them: from Node 22 on a connection is then for one request.
 */
function serviceTls(settings: TransportSettings, systemCa: readonly string[]): https.RequestOptions {
  return { ...trust(settings, systemCa), ...settings.clientCertificate };
}

/** The proxy's own address, and what it wants to hear of who asks; the password stands in no object that logs its URL. */
function proxyAddress(text: string): { readonly url: URL; readonly headers: Readonly<Record<string, string>> } {
  const url = new URL(text);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  if (username === '' && password === '') return { url, headers: {} };
  const login = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  return { url, headers: { 'Proxy-Authorization': `Basic ${login}` } };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A password with a bare % was not meant as an escape.
    return part;
  }
}

/** The password in the address of a proxy, as it stands there and as it goes out: what a proxy must not bring back. */
export function secretsOfProxy({ proxy }: TransportSettings): readonly string[] {
  const { password } = new URL(proxy?.url ?? 'http://none.invalid');
  return password === '' ? [] : [password, decoded(password)];
}

// No bound on the sockets: calls that wait for one would be handed it without a moment in which it is idle. How many calls
// are under way is bounded by whoever makes them.
const poolOptions = (keepAlive: RouteOptions['keepAlive']): http.AgentOptions =>
  keepAlive === 'yes' ? { keepAlive: true, scheduling: 'lifo' } : { keepAlive: false };

/**
 * The agent, which drops a kept connection on which something comes while nothing is asked: it would be read as the
 * answer to the next request.
 */
function watchingIdle<Pool extends http.Agent>(agent: Pool): Pool {
  // It answers whether it keeps the socket, which Node's types do not tell.
  const keep: (socket: Duplex) => unknown = agent.keepSocketAlive.bind(agent);
  const reuse = agent.reuseSocket.bind(agent);
  const drop = function (this: Duplex): void {
    this.destroy();
  };
  agent.keepSocketAlive = (socket) => {
    const isKept = keep(socket) !== false && socket.readableLength === 0;
    if (isKept) socket.on('data', drop);
    return isKept;
  };
  agent.reuseSocket = (socket, request) => {
    socket.off('data', drop);
    reuse(socket, request);
  };
  return agent;
}

function directRoute(url: URL, settings: TransportSettings, { keepAlive, systemCa }: RouteOptions): Route {
  const pool = poolOptions(keepAlive);
  if (url.protocol === 'http:') {
    return { via: 'direct', agent: watchingIdle(new http.Agent(pool)), proxyHost: '', request: http.request };
  }
  const tls = serviceTls(settings, systemCa);
  return {
    via: 'direct',
    agent: watchingIdle(new https.Agent(pool)),
    proxyHost: '',
    request: (options, callback) => https.request({ ...options, ...tls }, callback),
  };
}

async function tunnelRoute(
  url: URL,
  settings: TransportSettings,
  options: RouteOptions & { readonly proxy: string },
): Promise<Route> {
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  const { url: proxy, headers } = proxyAddress(options.proxy);
  const tls = serviceTls(settings, options.systemCa);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const pool = poolOptions(options.keepAlive);
  const agent = new HttpsProxyAgent(proxy, { ...pool, ...trust(settings, options.systemCa), headers });
  // Within a tunnel Node does not know an address that is no name, and would look for 'localhost'.
  const check: typeof checkServerIdentity = (_, certificate) => checkServerIdentity(hostname, certificate);
  const connect = agent.connect.bind(agent);
  agent.connect = (request, there) => connect(request, Object.assign(there, { checkServerIdentity: check }));
  return {
    via: 'tunnel',
    agent: watchingIdle(agent),
    proxyHost: proxy.host,
    request: (request, callback) => https.request({ ...request, ...tls }, callback),
  };
}

/** Plain HTTP is handed to the proxy whole: few proxies open tunnels to a port without TLS. */
function forwardRoute(
  url: URL,
  settings: TransportSettings,
  options: RouteOptions & { readonly proxy: string },
): Route {
  const { url: proxy, headers } = proxyAddress(options.proxy);
  const isSecure = proxy.protocol === 'https:';
  const pool = poolOptions(options.keepAlive);
  const there = {
    protocol: proxy.protocol,
    hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: portOf(proxy),
    path: `${url.origin}${url.pathname}${url.search}`,
    ...(isSecure ? trust(settings, options.systemCa) : {}),
  };
  return {
    via: 'forward',
    agent: watchingIdle(isSecure ? new https.Agent(pool) : new http.Agent(pool)),
    proxyHost: proxy.host,
    request: (request, callback) => {
      const made = (isSecure ? https : http).request({ ...request, ...there }, callback);
      for (const [name, value] of Object.entries({ ...headers, Host: url.host })) made.setHeader(name, value);
      return made;
    },
  };
}

/**
 * The way to one URL: straight for loopback and what NO_PROXY lists, by CONNECT for https through a proxy, by forwarding
 * for http through one. Throws `profile` when the proxy's address is not one of http or https.
 */
export async function routeTo(url: URL, settings: TransportSettings, options: RouteOptions): Promise<Route> {
  const { proxy } = settings;
  if (proxy === undefined || bypassesProxy(url, proxy.noProxy)) return directRoute(url, settings, options);
  if (!/^https?:/i.test(proxy.url)) {
    throw new RelctlError('profile', 'a proxy is reached by http or https', {
      facts: { code: 'proxy', path: 'proxy' },
    });
  }
  return url.protocol === 'https:'
    ? tunnelRoute(url, settings, { ...options, proxy: proxy.url })
    : forwardRoute(url, settings, { ...options, proxy: proxy.url });
}
