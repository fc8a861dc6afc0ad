import { RelctlError, type Remedy } from '../core/errors/relctl-error.js';
import { shellWord } from '../core/text/shell/command.js';
import { schemesIn, unspoken, type Headers } from '../soap/transport/http.js';
import { baseOf, type Connection } from './connection.js';

/** Codes of the errors for a 401 or 403 without SOAP: what stands in front of the service says it. */
const codes: ReadonlySet<string> = new Set(['http-401', 'http-403']);

/** What can be done when what stands in front of a service refuses: more where nothing was sent for it. */
function remedyOf({ gatewayHeaders = [] }: Pick<Connection, 'gatewayHeaders'>, schemes: readonly string[]): Remedy {
  const unknown = unspoken(schemes, ['Basic', 'Bearer']);
  if (unknown !== undefined)
    return {
      advice: `${unknown} Ask who runs it to turn on one of these, or call it through a local proxy that logs in, whose address is then the base URL.`,
      hint: 'relctl profile show NAME --origin',
    };
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

/** What can be done where a service leads from http to https of the same host and page; undefined for another redirect. */
function towardsTls(location: string | undefined, called: string): Remedy | undefined {
  if (location === undefined || !URL.canParse(location)) return undefined;
  const [to, from] = [new URL(location), new URL(called)];
  const isSame = to.hostname === from.hostname && to.pathname === from.pathname;
  if (from.protocol !== 'http:' || to.protocol !== 'https:' || !isSame) return undefined;
  const base = baseOf(to.href);
  const line = base === undefined ? 'show NAME' : `edit NAME --base-url ${shellWord(base)}`;
  return { advice: 'It is the same page by https: write https in the base URL.', hint: `relctl profile ${line}` };
}

/** The error with what can be done about it, when a gateway refused, or leads to https; else the same error. */
export function explainAccess(error: RelctlError, connection: Connection): RelctlError {
  const { code = '', schemes = [], location } = error.facts;
  if (error.kind === 'profile' && codes.has(code)) return error.but(remedyOf(connection, schemes));
  const remedy = code === 'redirect' ? towardsTls(location, connection.url) : undefined;
  return remedy === undefined ? error : error.but(remedy);
}

/** The error for a 401 or 403 on a document of the service; undefined for another status. */
export function refusedDocument(
  { url, status, isOwn, headers }: { url: string; status: number; isOwn: boolean; headers: Headers },
  connection: Pick<Connection, 'gatewayHeaders' | 'profile'>,
): RelctlError | undefined {
  if (status !== 401 && status !== 403) return undefined;
  return new RelctlError('profile', `the web server refused access to ${url} with HTTP ${status}`, {
    facts: { httpStatus: status, code: `http-${status}`, profile: connection.profile },
    ...(isOwn
      ? remedyOf(connection, schemesIn(headers['www-authenticate']))
      : { advice: 'It is another server than that of the profile, and gets neither its login nor its headers.' }),
  });
}
