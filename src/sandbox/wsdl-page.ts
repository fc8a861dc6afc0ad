import { operations } from '../contract/service.js';
import type { HttpRequest, HttpResponse } from '../soap/transport/http.js';
import { writeWsdl } from '../wsdl/definitions.js';
import { streamed } from './answers.js';
import { servicePath, type SandboxContext } from './context.js';
import { serviceLink } from './http/public-url.js';

/**
 * The description of the service for other programs. Its address is the public one, if there is one, or else that under
 * which it was asked for: whoever reached the description there reaches the service there too.
 */
export function wsdlPage(context: SandboxContext, request: HttpRequest): HttpResponse {
  const path = request.url.split('?')[0] ?? servicePath;
  const { publicUrl } = context;
  const asked = `http://${request.headers['host'] ?? 'localhost'}${path}`;
  const address = publicUrl === undefined ? asked : `${publicUrl.origin}${serviceLink(context)}`;
  const text = writeWsdl({ operations: Object.values(operations), namespace: context.namespace, address });
  const headers = { 'content-type': 'text/xml; charset=utf-8' };
  return streamed({ status: 200, headers, body: new TextEncoder().encode(text) });
}
