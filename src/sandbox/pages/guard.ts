import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Headers } from '../../soap/transport/http.js';
import { isDirect, isOwnOrigin } from '../http/access.js';
import type { SandboxContext } from '../context.js';

/** The sentence that takes the place of a form (interface document, "What the service does", rule 5). */
export const localOnly = 'The test form is only available for requests from the local machine.';

/**
 * True when a page may show its form. The server lets only this machine in; this looks at who in it asks: not a page of
 * another site that links here or frames us, and nobody for whom a proxy speaks.
 */
export function mayShowForm(headers: Headers): boolean {
  const site = headers['sec-fetch-site'] ?? 'none';
  const destination = headers['sec-fetch-dest'] ?? 'document';
  const isOurs = headers['origin'] === undefined || isOwnOrigin(headers);
  return isDirect(headers) && isOurs && ['none', 'same-origin'].includes(site) && destination === 'document';
}

const tokens = new WeakMap<SandboxContext['store'], string>();

/** The word that a form carries, so that only who has read one of our pages can post it. New with each start. */
export function formToken({ store }: SandboxContext): string {
  const token = tokens.get(store) ?? randomBytes(24).toString('base64url');
  tokens.set(store, token);
  return token;
}

function isToken(given: string, right: string): boolean {
  const [left, expected] = [Buffer.from(given), Buffer.from(right)];
  return left.length === expected.length && timingSafeEqual(left, expected);
}

/** Why a form that was posted is not taken; undefined when it is. It must come from a page of ours, by what the browser says. */
export function postRefusal(context: SandboxContext, headers: Headers, token: string): string | undefined {
  const site = headers['sec-fetch-site'];
  const isSameOrigin = headers['origin'] === undefined ? site === 'same-origin' : isOwnOrigin(headers);
  const isOurs = isDirect(headers) && isSameOrigin && (site === undefined || site === 'same-origin');
  if (!isOurs) return localOnly;
  return isToken(token, formToken(context))
    ? undefined
    : 'The form is out of date: the sandbox was started anew. Open its page again.';
}
