import type { SoapVersion } from '../../contract/build.js';
import { soapActionOf } from '../../contract/walk.js';

export type { SoapVersion } from '../../contract/build.js';

/** Who caused a fault, as SOAP 1.1 spells it; 1.2 has other names for two of them. */
export type FaultSide = 'Client' | 'Server' | 'MustUnderstand' | 'VersionMismatch';

/** The rules of one version (interface document, "What the service does", the table of transport rules). */
export interface VersionFacts {
  readonly envelopeNamespace: string;
  /** Media type of request and answer, without its charset. */
  readonly mediaType: string;
  /** Whether the request names its operation in a SOAPAction header. */
  readonly soapAction: 'header' | 'none';
  /** Fault codes that this version spells in another way. */
  readonly faultCodes: Readonly<Partial<Record<FaultSide, string>>>;
}

/** All differences between the versions. */
export const soapVersions: Readonly<Record<SoapVersion, VersionFacts>> = {
  '1.1': {
    envelopeNamespace: 'http://schemas.xmlsoap.org/soap/envelope/',
    mediaType: 'text/xml',
    soapAction: 'header',
    faultCodes: {},
  },
  '1.2': {
    envelopeNamespace: 'http://www.w3.org/2003/05/soap-envelope',
    mediaType: 'application/soap+xml',
    soapAction: 'none',
    faultCodes: { Client: 'Sender', Server: 'Receiver' },
  },
};

/** The version whose envelope has this namespace; undefined when there is none. */
export const versionOf = (envelopeNamespace: string): SoapVersion | undefined => {
  if (envelopeNamespace === soapVersions['1.1'].envelopeNamespace) return '1.1';
  return envelopeNamespace === soapVersions['1.2'].envelopeNamespace ? '1.2' : undefined;
};

/**
 * Content-Type with charset: without one, .asmx services read text/xml as ASCII.
 * @param action what a WSDL says that names the operation; in SOAP 1.2 it stands here, and in no header of its own
 */
export function contentTypeOf(version: SoapVersion, action = ''): string {
  const { mediaType, soapAction } = soapVersions[version];
  const named = action === '' || soapAction === 'header' ? '' : `; action="${action.replaceAll('\\', '\\\\')}"`;
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

/** The header SOAPAction as it is sent; undefined for none. */
export function soapActionHeader(action: NamedAction, form: SoapActionForm = 'slash'): string | undefined {
  if (form === 'none') return undefined;
  const text = actionTextOf(action, form) ?? '';
  return form.endsWith('-unquoted') ? text : `"${text}"`;
}
