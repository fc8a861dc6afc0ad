import type { HttpRequest, HttpResponse } from '../soap/http.js';
import { readRequest } from '../soap/receive.js';
import type { SoapVersion } from '../soap/version.js';
import { plain, streamed } from './answers.js';
import type { SandboxContext } from './context.js';
import { fault, invoke } from './invoke.js';

const soapTypes: Readonly<Record<string, SoapVersion>> = { 'text/xml': '1.1', 'application/soap+xml': '1.2' };

/** SOAP as a strict service takes it: content type, schema, order and forms must be right. */
export function strictSoap(context: SandboxContext, request: HttpRequest): HttpResponse {
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const version = Object.hasOwn(soapTypes, mediaType) ? soapTypes[mediaType] : undefined;
  if (version === undefined) return plain(415, '');
  try {
    return streamed(invoke(context, readRequest(request, { namespace: context.namespace })));
  } catch (thrown) {
    return streamed(fault(version, thrown, 'Client'));
  }
}
