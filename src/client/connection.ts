import type { RecordValue } from '../plain/value.js';
import type { PhaseLimits } from '../soap/transport/http.js';
import type { SoapVersion } from '../soap/wire/version.js';
import type { ListEnd } from './paging.js';

/** Everything needed to call one service as one user. `cli/session.ts` makes it from a profile. */
export interface Connection {
  /** Name of the profile, for messages only. */
  readonly profile: string;
  /** Absolute URL of the endpoint. */
  readonly url: string;
  readonly namespace: string;
  readonly version: SoapVersion;
  /** An ApiCredentials record. Secret: it is written to envelopes only. */
  readonly credentials: RecordValue;
  /** Further texts that no error may show: the password of a proxy. */
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
}

/**
 * URL of the endpoint: the path of the interface document ("Transport rules") on the base URL, unless the base URL
 * already names an .asmx page.
 */
export function endpointUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.hash = '';
  if (/\.asmx\/?$/i.test(url.pathname)) return url.href.replace(/\/$/, '');
  url.search = '';
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/V1/service.asmx`;
  return url.href;
}
