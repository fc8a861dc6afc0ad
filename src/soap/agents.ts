import http from 'node:http';
import https from 'node:https';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { RelctlError } from '../errors/relctl-error.js';

/** How to reach a service: all values as text, nothing read from the environment here. */
export interface TransportSettings {
  readonly proxy?: {
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

const loopback = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/i;

/** True for names and addresses of this machine, which no proxy can reach. */
export function isLoopback(hostname: string): boolean {
  return loopback.test(hostname);
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
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const entries = (noProxy ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  return entries.some((entry) => matchesEntry(entry, url.hostname.toLowerCase(), port));
}

function tlsOptions(settings: TransportSettings, systemCa: readonly string[]): https.AgentOptions {
  const { ca, clientCertificate } = settings;
  return {
    minVersion: 'TLSv1.2',
    // Said in full, so that NODE_TLS_REJECT_UNAUTHORIZED cannot weaken it.
    rejectUnauthorized: settings.verification !== 'none',
    ...(ca === undefined ? {} : { ca: [...systemCa, ...ca] }),
    ...(clientCertificate === undefined ? {} : clientCertificate),
  };
}

/** Checks the address of a service. Throws `usage` for anything but http and https, and for credentials within the URL. */
export function checkedUrl(text: string): URL {
  if (!URL.canParse(text)) throw new RelctlError('usage', `'${text}' is not a URL`, { facts: { path: 'baseUrl' } });
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new RelctlError('usage', `a service is reached by http or https, not by ${url.protocol}`, {
      facts: { path: 'baseUrl' },
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new RelctlError('usage', 'a base URL must not hold a user name or password', {
      facts: { path: 'baseUrl' },
      hint: 'relctl profile edit NAME, and give them to the profile instead',
    });
  }
  return url;
}

/** Makes an agent for one URL: direct or through a CONNECT proxy; kept alive or for one exchange. */
export function agentFor(
  url: URL,
  settings: TransportSettings,
  options: { readonly keepAlive: 'yes' | 'no'; readonly systemCa: readonly string[] },
): http.Agent {
  const agentOptions = { keepAlive: options.keepAlive === 'yes', maxSockets: 8, scheduling: 'lifo' as const };
  const secure = url.protocol === 'https:' ? tlsOptions(settings, options.systemCa) : {};
  const { proxy } = settings;
  if (proxy !== undefined && !bypassesProxy(url, proxy.noProxy)) {
    return new HttpsProxyAgent(proxy.url, { ...agentOptions, ...secure });
  }
  return url.protocol === 'https:' ? new https.Agent({ ...agentOptions, ...secure }) : new http.Agent(agentOptions);
}
