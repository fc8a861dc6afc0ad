import type { Operation } from '../contract/build.js';
import type { AllowedValues } from '../contract/widen.js';
import type { RecordValue } from '../core/values/value.js';
import type { PhaseLimits } from '../soap/transport/http.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import type { SoapActionForm, SoapVersion } from '../soap/wire/version.js';
import type { ListEnd } from './paging.js';

/** Everything needed to call one service as one user. `kit/session/session.ts` makes it from a profile. */
export interface Connection {
  /** Name of the profile, for messages only. */
  readonly profile: string;
  /** Absolute URL of the endpoint. */
  readonly url: string;
  readonly namespace: string;
  readonly version: SoapVersion;
  /** The profile or the command line chose the version: it holds for a service whose WSDL has the other one alone, too. */
  readonly isVersionChosen?: boolean;
  /** How the header SOAPAction names the operation, where it is not as the interface document says. */
  readonly soapAction?: SoapActionForm;
  /** An ApiCredentials record. Secret: it is written to envelopes only. */
  readonly credentials: RecordValue;
  /** Names of the headers that the gateway in front of the service gets; the transport has their values. */
  readonly gatewayHeaders?: readonly string[];
  /** Values that enumerations have at this service besides those of the contract. */
  readonly allowedValues?: AllowedValues | undefined;
  /** Further texts that no error may show: the password of a proxy, what a gateway gets. */
  readonly secrets?: readonly string[];
  /** Codes of this service that say that the credentials are refused, besides the usual ones. */
  readonly credentialCodes?: readonly string[];
  /** Number of the first page, 0 or 1 (interface document, Limits: not shown). */
  readonly firstPage: number;
  readonly pageSize: number;
  /** How the service marks the end of a list, as far as that is known. */
  readonly listEnd: ListEnd;
  readonly limits: PhaseLimits;
  /** How often a call may be repeated after its first attempt. */
  readonly retries: number;
  /** Gives an operation as this service answers it, where its profile has its WSDL; what is sent stays as it is. */
  readonly readable?: (operation: Operation) => Operation;
}

/** The path of the interface document ("Transport rules"). */
const usualPath = '/V1/service.asmx';

/**
 * URL of the endpoint: the path behind the base URL, or the base URL itself where it names an .asmx page. Throws `profile`
 * when both say where the page is.
 * @param path begins with /, and may have a query; that of the interface document when left out
 */
export function endpointUrl(baseUrl: string, path?: string): string {
  const url = new URL(baseUrl);
  url.hash = '';
  if (/\.asmx\/?$/i.test(url.pathname)) {
    if (path === undefined) return url.href.replace(/\/$/, '');
    throw new RelctlError('profile', `the base URL already has the page ${url.pathname}, and the path is ${path}`, {
      facts: { path: 'path' },
      advice: 'Remove one of them.',
      hint: 'relctl profile edit NAME --unset path',
    });
  }
  const [pathname = '', ...search] = (path ?? usualPath).split('?');
  url.search = search.join('?');
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${pathname}`;
  return url.href;
}

/** The base URL of an endpoint of the usual path; undefined for another one, which a profile may name in two ways. */
export const baseOf = (endpoint: string): string | undefined =>
  endpoint.endsWith(usualPath) ? endpoint.slice(0, -usualPath.length) : undefined;

/** An operation as the service of a connection answers it. Throws `profile` and `local` when what the profile keeps is unreadable. */
export const readableIn = ({ readable }: Pick<Connection, 'readable'>, operation: Operation): Operation =>
  readable?.(operation) ?? operation;
