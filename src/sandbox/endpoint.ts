import type { HttpHandler, HttpRequest, HttpResponse } from '../soap/http.js';
import { plain } from './answers.js';
import { asmxSoap } from './asmx/soap.js';
import { servicePath, type SandboxContext } from './context.js';
import { page } from './pages/index.js';
import { strictSoap } from './strict.js';
import { wsdlPage } from './wsdl-page.js';

function got(context: SandboxContext, request: HttpRequest): HttpResponse {
  const query = request.url.split('?')[1] ?? '';
  return /^wsdl$/i.test(query) ? wsdlPage(context, request) : page(context);
}

/** SOAP by the mode of the sandbox. */
function posted(context: SandboxContext, request: HttpRequest): HttpResponse {
  switch (context.mode) {
    case 'strict':
      return strictSoap(context, request);
    case 'asmx':
      return asmxSoap(context, request);
  }
}

/**
 * The service as a function from request to answer, without sockets (interface document, "What the service does"). It
 * never throws: what goes wrong is an answer.
 */
export function createEndpoint(context: SandboxContext): HttpHandler {
  return (request) => {
    const path = request.url.split('?')[0] ?? '';
    if (path.toLowerCase() !== servicePath.toLowerCase()) return Promise.resolve(plain(404, 'There is nothing here.'));
    return Promise.resolve(request.method === 'GET' ? got(context, request) : posted(context, request));
  };
}
