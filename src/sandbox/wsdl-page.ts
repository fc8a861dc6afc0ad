import type { HttpRequest, HttpResponse } from '../soap/http.js';
import { plain } from './answers.js';
import type { SandboxContext } from './context.js';

/** The description of the service for other programs, at the address that was asked for. */
export function wsdlPage(context: SandboxContext, request: HttpRequest): HttpResponse {
  return plain(404, `There is no WSDL of ${context.namespace} at ${request.url} yet.`);
}
