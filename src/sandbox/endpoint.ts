import type { HttpHandler, HttpResponse, IncomingRequest } from '../soap/transport/http.js';
import { plain } from './answers.js';
import { mediaTypeOf } from './asmx/media-type.js';
import { type SandboxContext, servicePath } from './context.js';
import { countsAnswer, countsPath, frontPage } from './pages/front.js';
import { page, unrecognizedPage } from './pages/index.js';
import { postForm } from './pages/post.js';
import { answerSoap } from './strict.js';
import { wsdlPage } from './wsdl-page.js';

function got(context: SandboxContext, request: IncomingRequest): HttpResponse {
  const query = request.url.split('?')[1] ?? '';
  return /^wsdl$/i.test(query) ? wsdlPage(context, request) : page(context, request);
}

/** What is at the root of the address that `sandbox start` prints; undefined for other paths. */
function atRoot(context: SandboxContext, path: string): HttpResponse | undefined {
  if (path === '/') return frontPage(context);
  return path === countsPath ? countsAnswer(context) : undefined;
}

const nothing = (): HttpResponse => plain(404, 'There is nothing here.');

/** Answers paths below that of the service, where only the test forms of the pages are. */
async function behind(context: SandboxContext, request: IncomingRequest, path: string): Promise<HttpResponse> {
  const isForm = mediaTypeOf(request.headers['content-type']).base.trim() === 'application/x-www-form-urlencoded';
  if (request.method === 'POST' && isForm) return postForm(context, request, path.slice(servicePath.length + 1));
  return context.mode === 'asmx' ? unrecognizedPage(path) : nothing();
}

/**
 * The service as a function from request to answer, without sockets (interface document, "What the service does"). It
 * never throws: every failure is an answer.
 */
export function createEndpoint(context: SandboxContext): HttpHandler {
  const own = servicePath.toLowerCase();
  return (request) => {
    const path = request.url.split('?')[0] ?? '';
    const asked = path.toLowerCase();
    if (asked.startsWith(`${own}/`)) return behind(context, request, path);
    if (asked !== own) {
      const found = request.method === 'GET' ? atRoot(context, path) : undefined;
      return Promise.resolve(found ?? nothing());
    }
    return Promise.resolve(request.method === 'GET' ? got(context, request) : answerSoap(context, request));
  };
}
