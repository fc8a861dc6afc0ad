import type { Code } from '../core/errors/codes.js';
import type { Operation } from '../contract/build.js';
import { findOperation } from '../contract/service.js';
import { RelctlError, type Remedy } from '../core/errors/relctl-error.js';
import { shellWord, forMessage } from '../core/text/text.js';
import { wsdlTarget } from '../wsdl/target.js';
import type { ClientSurroundings } from './call.js';
import { type Connection, baseOf } from './connection.js';
import { hasActionHeader } from '../soap/wire/version.js';
import { schemesIn, unspoken, type Headers } from '../soap/transport/http.js';

/** Longest time for reading the WSDL, in milliseconds: it only explains an error. */
const longestMs = 10_000;

/** The address of the WSDL of an endpoint. */
export function wsdlUrl(endpoint: string): string {
  const url = new URL(endpoint);
  url.search = url.search === '' ? '?WSDL' : `${url.search}&WSDL`;
  return url.href;
}

/**
 * The target namespace in the WSDL of a service. The request takes the same way as a call, but without credentials and
 * within ten seconds. Undefined when the WSDL cannot be read or has no namespace.
 */
async function targetNamespace(
  { url, limits }: Connection,
  { send, signal }: Pick<ClientSurroundings, 'send' | 'signal'>,
): Promise<string | undefined> {
  const request = {
    method: 'GET',
    url: wsdlUrl(url),
    headers: { accept: 'text/xml' },
    body: new Uint8Array(0),
  } as const;
  try {
    // The limit of the whole ends what its phases, which are as usual, would not.
    const wholeMs = Math.min(limits.wholeMs, longestMs);
    const { body } = await send(request, { limits: { ...limits, wholeMs }, signal });
    return await wsdlTarget(body);
  } catch {
    return undefined;
  }
}

/**
 * The error for a fault about an unknown action: `profile` when the namespace of the service is another one, or cannot be
 * read for an operation of the contract; `refused` when the service does not have the operation; else the given error, with
 * what can be done when a gateway refused, or leads to https.
 */
export async function explainError(
  error: RelctlError,
  operation: Operation,
  caller: { readonly connection: Connection } & Pick<ClientSurroundings, 'send' | 'signal'>,
): Promise<RelctlError> {
  if (error.facts.code !== 'unknown-action') return explainAccess(error, caller.connection);
  const { namespace, url, version } = caller.connection;
  const target = await targetNamespace(caller.connection, caller);
  const accessError = (kind: 'profile' | 'refused', message: string, remedy: Remedy): RelctlError =>
    new RelctlError(kind, message, { facts: error.facts, ...remedy, data: error.data });
  if (target === namespace) {
    const listed = `Its operations are listed at ${wsdlUrl(url)}`;
    return accessError('refused', `the service has no operation ${operation.name}: ${error.message}`, {
      advice: hasActionHeader(version)
        ? `${listed}. If it is there, the service requires another form of SOAPAction: see the setting soapAction of the profile.`
        : listed,
    });
  }
  if (target !== undefined) {
    const message = `the service does not know the namespace '${forMessage(namespace, 200)}': its own is '${forMessage(target, 200)}'`;
    return accessError('profile', message, { hint: `relctl profile edit NAME --namespace ${shellWord(target)}` });
  }
  if (findOperation(operation.name) === undefined) return error;
  return accessError(
    'profile',
    `the service does not know ${operation.name} in the namespace '${forMessage(namespace, 200)}': the namespace is probably wrong`,
    {
      advice: `Save the targetNamespace of ${wsdlUrl(url)} in the profile, with --namespace.`,
      hint: 'relctl profile show NAME',
    },
  );
}

/** Codes of the errors for a 401 or 403 without SOAP: what stands in front of the service says it. */
const codes: ReadonlySet<Code | undefined> = new Set(['http-401', 'http-403']);

/** What can be done when what stands in front of a service refuses: more where nothing was sent for it. */
function remedyOf({ gatewayHeaders = [] }: Pick<Connection, 'gatewayHeaders'>, schemes: readonly string[]): Remedy {
  const unknown = unspoken(schemes, ['Basic', 'Bearer']);
  if (unknown !== undefined)
    return {
      advice: `${unknown} Ask its administrator to enable one of these, or call it through a local proxy that logs in, and use the address of that proxy as base URL.`,
      hint: 'relctl profile show NAME --origin',
    };
  if (gatewayHeaders.length === 0)
    return {
      advice:
        'A gateway in front of the service requires a login or a permission; ask its administrator. The profile can send a login ' +
        '(--set gatewayUser=… --secret gatewayPassword=…), a token (--secret gatewayToken=…) or a header (--secret headers.NAME=…).',
      hint: 'relctl profile show NAME --origin',
    };
  const sent = gatewayHeaders.join(' and ');
  return {
    advice: `relctl sent ${sent}, and the gateway does not accept ${gatewayHeaders.length === 1 ? 'it' : 'them'}, or does not allow this caller; ask its administrator.`,
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
  return { advice: 'It is the same page over https: use https in the base URL.', hint: `relctl profile ${line}` };
}

/** The error with what can be done about it, when a gateway refused, or leads to https; else the same error. */
function explainAccess(error: RelctlError, connection: Connection): RelctlError {
  const { code, schemes = [], location } = error.facts;
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
      : { advice: 'It is not the server of the profile, so relctl sends it neither the login nor the headers.' }),
  });
}
