import type { SoapVersion } from '../../contract/build.js';
import { soapActionOf } from '../../contract/walk.js';
import { forMessage } from '../../core/text/text.js';

export type { SoapVersion } from '../../contract/build.js';

/** Who caused a fault, as SOAP 1.1 spells it; 1.2 has other names for two of them. */
export type FaultSide = 'Client' | 'Server' | 'MustUnderstand' | 'VersionMismatch';

/** The rules of one version (interface document, "What the service does", the table of transport rules). */
export interface VersionFacts {
  readonly envelopeNamespace: string;
  /** Media type of request and answer, without its charset. */
  readonly mediaType: string;
  /** Roles of an entry of a Header that the service that receives it has. */
  readonly ownRoles: readonly string[];
  /** Media types that .NET services take for requests of this version. */
  readonly acceptedTypes: readonly string[];
  /** Whether a request names its operation in the header SOAPAction; else a parameter of its media type may. */
  readonly hasActionHeader: boolean;
  /** What is wrong with the action of a request, as a strict service says it; undefined for nothing. */
  readonly mistakeIn: (sent: SentAction, operation: string, quoted: string) => string | undefined;
  /** Fault codes that this version spells in another way. */
  readonly faultCodes: Readonly<Partial<Record<FaultSide, string>>>;
}

/** The action as the headers of a request spell it. */
export interface SentAction {
  /** The header SOAPAction, with its quotes. */
  readonly header: string | undefined;
  /** The parameter `action` of the media type, without quotes. */
  readonly parameter: string | undefined;
}

function mistakeInHeader({ header }: SentAction, operation: string, quoted: string): string | undefined {
  if (header === quoted) return undefined;
  return header === undefined
    ? `The header SOAPAction is missing; for ${operation} it is ${quoted}.`
    : `The SOAPAction of ${operation} is ${quoted}, in these quotes, not ${forMessage(header, 200)}.`;
}

function mistakeInParameter({ parameter }: SentAction, operation: string, quoted: string): string | undefined {
  if (parameter === undefined || `"${parameter}"` === quoted) return undefined;
  return `The action in the Content-Type of ${operation} is ${quoted}, not "${forMessage(parameter, 200)}".`;
}

/**
 * All differences between the versions in messages, but the form of a fault, for which `fault.ts` has a table. Those in a
 * WSDL are in `src/wsdl`.
 */
export const soapVersions: Readonly<Record<SoapVersion, VersionFacts>> = {
  '1.1': {
    envelopeNamespace: 'http://schemas.xmlsoap.org/soap/envelope/',
    mediaType: 'text/xml',
    ownRoles: ['http://schemas.xmlsoap.org/soap/actor/next'],
    acceptedTypes: ['text/xml'],
    hasActionHeader: true,
    mistakeIn: mistakeInHeader,
    faultCodes: {},
  },
  '1.2': {
    envelopeNamespace: 'http://www.w3.org/2003/05/soap-envelope',
    mediaType: 'application/soap+xml',
    ownRoles: [
      'http://www.w3.org/2003/05/soap-envelope/role/next',
      'http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver',
    ],
    acceptedTypes: ['text/xml', 'application/soap+xml'],
    hasActionHeader: false,
    mistakeIn: mistakeInParameter,
    faultCodes: { Client: 'Sender', Server: 'Receiver' },
  },
};

/** The versions, the older first. */
export const versions: readonly SoapVersion[] = ['1.1', '1.2'];

/** The version of a message that does not say which it is. */
export const assumedVersion: SoapVersion = '1.1';

/** The version whose envelope has this namespace; undefined when there is none. */
export const versionOf = (envelopeNamespace: string): SoapVersion | undefined =>
  versions.find((version) => soapVersions[version].envelopeNamespace === envelopeNamespace);

/** The version of this media type, in lower case and without parameters; undefined when there is none. */
export const versionOfType = (mediaType: string): SoapVersion | undefined =>
  versions.find((version) => soapVersions[version].mediaType === mediaType);

/** True when a request of this version names its operation in the header SOAPAction. */
export const hasActionHeader = (version: SoapVersion): boolean => soapVersions[version].hasActionHeader;

/**
 * Content-Type with charset: without one, .asmx services read text/xml as ASCII.
 * @param action what a WSDL says that names the operation; in SOAP 1.2 it stands here, and in no header of its own
 */
export function contentTypeOf(version: SoapVersion, action = ''): string {
  const { mediaType } = soapVersions[version];
  const named = action === '' || hasActionHeader(version) ? '' : `; action="${action.replaceAll('\\', '\\\\')}"`;
  return `${mediaType}; charset=utf-8${named}`;
}

/**
 * How the header SOAPAction names an operation. `slash`: namespace, exactly one slash, operation; `joined`: the namespace as
 * it is and the operation behind it; `operation`: the operation alone; each in quotes or without. `empty`: two quotes with
 * nothing between. `none`: no header.
 */
export type SoapActionForm =
  'slash' | 'joined' | 'operation' | `${'slash' | 'joined' | 'operation'}-unquoted` | 'empty' | 'none';

/** What the header names: a namespace and an operation, or what the WSDL of the service says. */
export interface NamedAction {
  readonly namespace: string;
  readonly operation: string;
  /** The text that a WSDL gives the operation; it stands in the place of namespace and operation. */
  readonly described?: string | undefined;
}

/** The text of the header SOAPAction without quotes; undefined where the header names nothing. */
export function actionTextOf(
  { namespace, operation, described }: NamedAction,
  form: SoapActionForm,
): string | undefined {
  if (form === 'empty' || form === 'none') return undefined;
  if (described !== undefined) return described;
  if (form.startsWith('operation')) return operation;
  return form.startsWith('joined') ? `${namespace}${operation}` : soapActionOf(namespace, operation);
}

/** The header SOAPAction as a request of this version sends it; undefined for none. */
export function soapActionHeader(
  version: SoapVersion,
  action: NamedAction,
  form: SoapActionForm = 'slash',
): string | undefined {
  if (form === 'none' || !hasActionHeader(version)) return undefined;
  const text = actionTextOf(action, form) ?? '';
  return form.endsWith('-unquoted') ? text : `"${text}"`;
}

/** What is wrong with the action of a request, as a strict service says it; undefined for nothing. */
export const actionMistake = (
  version: SoapVersion,
  { namespace, operation }: Pick<NamedAction, 'namespace' | 'operation'>,
  sent: SentAction,
): string | undefined => soapVersions[version].mistakeIn(sent, operation, `"${soapActionOf(namespace, operation)}"`);
