import type { Headers } from '../soap/http.js';

/** What is known about who asks. */
export interface Caller {
  /** Address at the other end of the socket. */
  readonly peer: string | undefined;
  readonly method: string;
  readonly headers: Headers;
  /** Port that we listen on. */
  readonly port: number;
}

const loopback = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/i;
const ownNames = ['localhost', '127.0.0.1', '[::1]'];
const sameSite: ReadonlySet<string> = new Set(['same-origin', 'none']);

const ownHosts = (port: number): readonly string[] => [
  ...ownNames.map((name) => `${name}:${port}`),
  // Clients leave out the port of http itself.
  ...(port === 80 ? ownNames : []),
];

/** What a browser says of the page that asks: clients that are no browser say nothing. */
const foreignPage = (method: string, headers: Headers, host: string): string | undefined => {
  const origin = headers['origin'];
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`)
    return 'The sandbox does not answer other origins.';
  const site = headers['sec-fetch-site'];
  // A link on another site may lead here by GET, which changes nothing.
  if (method !== 'GET' && site !== undefined && !sameSite.has(site)) return 'The sandbox does not answer other sites.';
  return undefined;
};

/**
 * Why a caller is turned away, or undefined when it is let in. The address alone is not enough: a page in a browser on
 * this machine reaches us from the loopback too, under the name of its own site (DNS rebinding) or with its own Origin.
 */
export function refusal(caller: Caller): string | undefined {
  const { peer, method, headers, port } = caller;
  if (peer === undefined || !loopback.test(peer)) return 'The sandbox answers this machine only.';
  const host = headers['host']?.toLowerCase() ?? '';
  if (!ownHosts(port).includes(host)) return `The sandbox does not answer under the name "${host}".`;
  return foreignPage(method, headers, host);
}
