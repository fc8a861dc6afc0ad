import { RelctlError, type Remedy } from '../errors/relctl-error.js';
import type { Connection } from './connection.js';

/** Codes of the errors for a 401 or 403 without SOAP: what stands in front of the service says it. */
const codes: ReadonlySet<string> = new Set(['http-401', 'http-403']);

/** What can be done when what stands in front of a service refuses: more where nothing was sent for it. */
function remedyOf({ gatewayHeaders = [] }: Pick<Connection, 'gatewayHeaders'>): Remedy {
  if (gatewayHeaders.length === 0)
    return {
      advice:
        'Something in front of the service wants a login or a permission; ask who runs it. The profile can send a login ' +
        '(--set gatewayUser=… --secret gatewayPassword=…), a token (--secret gatewayToken=…) or a header (--secret headers.NAME=…).',
      hint: 'relctl profile show NAME --origin',
    };
  const sent = gatewayHeaders.join(' and ');
  return {
    advice: `It was sent ${sent}, and does not take ${gatewayHeaders.length === 1 ? 'it' : 'them'}, or does not let this caller in; ask who runs it.`,
    hint: 'relctl profile show NAME --origin',
  };
}

/** The error with what can be done about it, when a gateway refused; else the same error. */
export const explainAccess = (error: RelctlError, connection: Connection): RelctlError =>
  error.kind === 'profile' && codes.has(error.facts.code ?? '') ? error.but(remedyOf(connection)) : error;

/** The error for a 401 or 403 on a document of the service; undefined for another status. */
export function refusedDocument(
  { url, status, isOwn }: { readonly url: string; readonly status: number; readonly isOwn: boolean },
  connection: Pick<Connection, 'gatewayHeaders' | 'profile'>,
): RelctlError | undefined {
  if (status !== 401 && status !== 403) return undefined;
  return new RelctlError('profile', `the web server refused access to ${url} with HTTP ${status}`, {
    facts: { httpStatus: status, code: `http-${status}`, profile: connection.profile },
    ...(isOwn
      ? remedyOf(connection)
      : { advice: 'It is another server than that of the profile, and gets neither its login nor its headers.' }),
  });
}
