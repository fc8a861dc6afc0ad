import { RelctlError } from '../../core/errors/relctl-error.js';
import type { ErrorFacts } from '../../core/errors/relctl-error.js';
import { faultElement } from '../../soap/wire/fault.js';
import type { WholeResponse } from '../../soap/wire/response.js';
import { xsdNamespace, xsiNamespace } from '../../soap/values/scalars.js';
import { contentTypeOf, soapVersions, type FaultSide, type SoapVersion } from '../../soap/wire/version.js';
import { xmlDeclaration } from '../../xml/escape.js';
import { faultCodes } from '../invoke.js';

const [soap11, soap12] = [soapVersions['1.1'].envelopeNamespace, soapVersions['1.2'].envelopeNamespace];

const refusal = (message: string, facts: ErrorFacts): RelctlError => new RelctlError('refused', message, { facts });

/** A fault that blames the caller, in these words. */
export const clientFault = (message: string): RelctlError => refusal(message, { foreignCode: 'Client' });

/** The request could not be turned into values. */
export const unreadable = (words: string): RelctlError =>
  clientFault(`Server was unable to read request. ---> ${words}`);

/** A failure before or after the values were read. */
export const unprocessable = (words: string): RelctlError =>
  refusal(`Server was unable to process request. ---> ${words}`, { foreignCode: 'Server' });

/** The document is not well-formed: status 400 without a body. */
export const malformed = (): RelctlError => refusal('The document is not well-formed.', { httpStatus: 400 });

/** The content type is none of SOAP's: status 415 without a body. */
export const unsupportedType = (): RelctlError => refusal('The content type is not SOAP.', { httpStatus: 415 });

/** The root element is in a namespace that is no version of SOAP. */
export const versionMismatch = (actual: string): RelctlError =>
  refusal(`Possible SOAP version mismatch: Envelope namespace ${actual} was unexpected. Expecting ${soap11}.`, {
    foreignCode: 'VersionMismatch',
  });

/** A header entry says that it must be understood. It is checked only after the operation was executed. */
export const notUnderstood = (name: string): RelctlError =>
  refusal(`SOAP header ${name} was not understood.`, { foreignCode: 'MustUnderstand' });

/** The body is longer than the service takes. */
export const tooLong = (): RelctlError =>
  refusal(
    'There was an exception running the extensions specified in the config file. ---> Maximum request length exceeded.',
    { foreignCode: 'Server' },
  );

const upgrade =
  `<soap:Header><soap12:Upgrade xmlns:soap12="${soap12}">` +
  `<soap12:SupportedEnvelope qname="soap:Envelope" xmlns:soap="${soap11}" />` +
  `<soap12:SupportedEnvelope qname="soap12:Envelope" xmlns:soap12="${soap12}" /></soap12:Upgrade></soap:Header>`;

/** An envelope around a fault. Its message is escaped, so that an element found in it is an element of ours. */
function envelope(version: SoapVersion, code: FaultSide, element: string): string {
  const header = code === 'VersionMismatch' ? upgrade : '';
  return (
    `${xmlDeclaration}<soap:Envelope xmlns:soap="${soapVersions[version].envelopeNamespace}" xmlns:xsi="${xsiNamespace}" ` +
    `xmlns:xsd="${xsdNamespace}">${header}<soap:Body>${element}</soap:Body></soap:Envelope>`
  );
}

const nothing = new Uint8Array(0);

/** The answer to what was thrown: status 500 with a fault, except 400 and 415 without any body. */
export function asmxFault(
  thrown: unknown,
  { version, namespace }: { readonly version: SoapVersion; readonly namespace: string },
): WholeResponse {
  const failure = RelctlError.from(thrown);
  const { httpStatus } = failure.facts;
  const headers = { 'content-type': contentTypeOf(version), 'cache-control': 'private' };
  if (httpStatus !== undefined) return { status: httpStatus, headers, body: nothing };
  const codes = faultCodes(failure, namespace);
  const reason = codes.code === undefined ? 'Server was unable to process request. ---> ' : '';
  const content = { code: 'Server', message: `${reason}${failure.message}`, ...codes } as const;
  const body = Buffer.from(envelope(version, content.code, faultElement(version, content)));
  return { status: 500, headers, body };
}
