import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Headers } from '../../soap/transport/http.js';
import { isDirect, isOwnOrigin } from '../http/access.js';
import type { SandboxContext } from '../context.js';

/** The sentence that is shown instead of a form (interface document, "What the service does", rule 5). */
export const localOnly = 'The test form is only available for requests from the local machine.';

/** True when a page may show its form: not to other sites that link here or frame us, nor through a proxy. */
export function mayShowForm(headers: Headers): boolean {
  const site = headers['sec-fetch-site'] ?? 'none';
  const destination = headers['sec-fetch-dest'] ?? 'document';
  const isOurs = headers['origin'] === undefined || isOwnOrigin(headers);
  return isDirect(headers) && isOurs && ['none', 'same-origin'].includes(site) && destination === 'document';
}

const tokens = new WeakMap<SandboxContext['store'], string>();

/** The token of a form, so that only readers of our pages can post it. New with each start. */
export function formToken({ store }: SandboxContext): string {
  const token = tokens.get(store) ?? randomBytes(24).toString('base64url');
  tokens.set(store, token);
  return token;
}

function isToken(given: string, right: string): boolean {
  const [left, expected] = [Buffer.from(given), Buffer.from(right)];
  return left.length === expected.length && timingSafeEqual(left, expected);
}

/** Why a posted form is refused; undefined when it is accepted. Its browser must say that the page is ours. */
export function postRefusal(context: SandboxContext, headers: Headers, token: string): string | undefined {
  const site = headers['sec-fetch-site'];
  const isSameOrigin = headers['origin'] === undefined ? site === 'same-origin' : isOwnOrigin(headers);
  const isOurs = isDirect(headers) && isSameOrigin && (site === undefined || site === 'same-origin');
  if (!isOurs) return localOnly;
  return isToken(token, formToken(context))
    ? undefined
    : 'The form is out of date: the sandbox was started anew. Open its page again.';
}
