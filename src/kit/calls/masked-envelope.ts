import { operationWith } from '../../contract/widen.js';
import { writeMaskedRequest, type CallText } from '../../soap/wire/request.js';
import { maskText } from '../../core/secrets/mask.js';
import type { Connection } from '../../client/connection.js';

/** The request of a call without its secrets, laid out by `layOut`; without that, as it would be sent, to the byte. */
export function maskedEnvelope(connection: Connection, call: CallText, layOut?: (xml: string) => string): string {
  const { gatewayHeaders = [], allowedValues, ...addressed } = connection;
  const operation = operationWith(call.operation, allowedValues);
  const request = writeMaskedRequest({ ...call, ...addressed, operation });
  const headers = [
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
    ...gatewayHeaders.map((name) => `${name}: ${maskText}`),
  ];
  const body = new TextDecoder('utf-8', { ignoreBOM: true }).decode(request.body);
  return [`POST ${addressed.url}`, ...headers, '', layOut?.(body) ?? body, ''].join('\n');
}
