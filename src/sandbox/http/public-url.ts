import { servicePath, type PublicUrl } from '../context.js';
import { usage } from '../../errors/usage.js';

/** Scheme, host, port and path; no user, no query. */
const form = /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?((?:\/[\w.~-]+)*)\/*$/i;

/** Reads such an address. Throws RelctlError `usage` for one that is none, or that holds more than host, port and path. */
export function readPublicUrl(given: string): PublicUrl {
  const [whole, path = ''] = form.exec(given) ?? [];
  if (whole !== undefined && URL.canParse(whole)) {
    const { origin, host } = new URL(whole);
    return { origin, host, path };
  }
  // What was given is not repeated: it may hold a password.
  throw usage(
    '--public-url',
    '--public-url takes an http or https address with host, port and path, and nothing else',
    '--public-url https://sandbox.example:8443',
  );
}

/** Path of a request without what the public address puts before it; some proxies leave that in place. */
export function withoutPrefix(url: string, publicUrl: PublicUrl | undefined): string {
  const prefix = publicUrl?.path ?? '';
  return prefix !== '' && url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : url;
}

/** Path of the service in links. */
export const serviceLink = ({ publicUrl }: { readonly publicUrl?: PublicUrl }): string =>
  `${publicUrl?.path ?? ''}${servicePath}`;
