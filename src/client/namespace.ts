import type { Operation } from '../contract/build.js';
import { findOperation } from '../contract/service.js';
import { RelctlError, type Remedy } from '../core/errors/relctl-error.js';
import { shellWord } from '../core/text/shell/command.js';
import { forMessage } from '../core/text/text.js';
import { wsdlTarget } from '../wsdl/target.js';
import type { ClientSurroundings } from './call.js';
import type { Connection } from './connection.js';

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
 * read for an operation of the contract; `refused` when the service does not have the operation; else the given error.
 * @param error the fault, with the code `unknown-action`
 */
export async function explainAction(
  error: RelctlError,
  operation: Operation,
  caller: { readonly connection: Connection } & Pick<ClientSurroundings, 'send' | 'signal'>,
): Promise<RelctlError> {
  const { namespace, url, version } = caller.connection;
  const target = await targetNamespace(caller.connection, caller);
  const told = (kind: 'profile' | 'refused', message: string, remedy: Remedy): RelctlError =>
    new RelctlError(kind, message, { facts: error.facts, ...remedy, data: error.data });
  if (target === namespace) {
    const listed = `Its operations are listed at ${wsdlUrl(url)}`;
    return told('refused', `the service has no operation ${operation.name}: ${error.message}`, {
      advice:
        version === '1.2'
          ? listed
          : `${listed}. If it is there, the service wants another form of SOAPAction, which the setting soapAction of the profile names.`,
    });
  }
  if (target !== undefined) {
    const message = `the service knows no namespace '${forMessage(namespace, 200)}': its own is '${forMessage(target, 200)}'`;
    return told('profile', message, { hint: `relctl profile edit NAME --namespace ${shellWord(target)}` });
  }
  if (findOperation(operation.name) === undefined) return error;
  return told(
    'profile',
    `the service does not know ${operation.name} in the namespace '${forMessage(namespace, 200)}': the namespace is probably another one`,
    {
      advice: `Put the targetNamespace that stands in ${wsdlUrl(url)} into the profile, with --namespace.`,
      hint: 'relctl profile show NAME',
    },
  );
}
