/** The two versions of SOAP that the service speaks. */
export type SoapVersion = '1.1' | '1.2';

/** Who caused a fault, as SOAP 1.1 spells it; 1.2 has other names for two of them. */
export type FaultSide = 'Client' | 'Server' | 'MustUnderstand' | 'VersionMismatch';

/** The rules of one version (interface document, "What the service does", the table of transport rules). */
export interface VersionFacts {
  readonly envelopeNamespace: string;
  /** Media type of request and answer, without its charset. */
  readonly mediaType: string;
  /** Whether the request names its operation in a SOAPAction header. */
  readonly soapAction: 'header' | 'none';
  /** How this version spells the fault codes. */
  readonly faultCodes: Readonly<Record<FaultSide, string>>;
}

/** All differences between the versions. */
export const soapVersions: Readonly<Record<SoapVersion, VersionFacts>> = {
  '1.1': {
    envelopeNamespace: 'http://schemas.xmlsoap.org/soap/envelope/',
    mediaType: 'text/xml',
    soapAction: 'header',
    faultCodes: {
      Client: 'Client',
      Server: 'Server',
      MustUnderstand: 'MustUnderstand',
      VersionMismatch: 'VersionMismatch',
    },
  },
  '1.2': {
    envelopeNamespace: 'http://www.w3.org/2003/05/soap-envelope',
    mediaType: 'application/soap+xml',
    soapAction: 'none',
    faultCodes: {
      Client: 'Sender',
      Server: 'Receiver',
      MustUnderstand: 'MustUnderstand',
      VersionMismatch: 'VersionMismatch',
    },
  },
};

/** The version whose envelope has this namespace; undefined when there is none. */
export const versionOf = (envelopeNamespace: string): SoapVersion | undefined => {
  if (envelopeNamespace === soapVersions['1.1'].envelopeNamespace) return '1.1';
  return envelopeNamespace === soapVersions['1.2'].envelopeNamespace ? '1.2' : undefined;
};

/** Content-Type with charset: without one, .asmx services read text/xml as ASCII. */
export const contentTypeOf = (version: SoapVersion): string => `${soapVersions[version].mediaType}; charset=utf-8`;

/**
 * SOAPAction value, in its quotes: namespace, exactly one slash, operation (interface document, "What the service
 * does").
 */
export const soapActionOf = (namespace: string, operationName: string): string =>
  `"${namespace.endsWith('/') ? namespace : `${namespace}/`}${operationName}"`;
