import { operations } from '../contract/service.js';
import type { HttpHandler, HttpResponse, IncomingRequest } from '../soap/transport/http.js';
import { writeWsdl } from '../wsdl/definitions.js';
import { asmxCaching, once, plain } from './answers.js';
import { mediaTypeOf } from './asmx/media-type.js';
import { type SandboxContext, servicePath } from './context.js';
import { serviceLink } from './http/access.js';
import { answerSoap } from './strict.js';

/** The WSDL of the service, with the public address, or that of the request: who got here reaches the service there. */
function wsdlPage(context: SandboxContext, request: IncomingRequest): HttpResponse {
  const { publicUrl, namespace, more } = context;
  const [path = servicePath] = request.url.split('?');
  const asked = `http://${request.headers['host'] ?? 'localhost'}${path}`;
  const address = publicUrl === undefined ? asked : `${publicUrl.origin}${serviceLink(context)}`;
  const offered = [...Object.values(operations), ...[...(more?.values() ?? [])].map(({ operation }) => operation)];
  const headers = { ...asmxCaching, 'content-type': 'text/xml; charset=utf-8' };
  return { status: 200, headers, body: once(Buffer.from(writeWsdl({ operations: offered, namespace, address }))) };
}

// The pages are loaded when a browser asks for one: most services answer programs only.

async function got(context: SandboxContext, request: IncomingRequest): Promise<HttpResponse> {
  const query = request.url.split('?')[1] ?? '';
  if (/^wsdl$/i.test(query)) return wsdlPage(context, request);
  const { page } = await import('./pages/index.js');
  return page(context, request);
}

const nothing = (): HttpResponse => plain(404, 'There is nothing here.');

async function atRoot(context: SandboxContext, path: string): Promise<HttpResponse> {
  const { countsAnswer, countsPath, frontPage } = await import('./pages/front.js');
  if (path === '/') return frontPage(context);
  return path === countsPath ? countsAnswer(context) : nothing();
}

/** Answers paths below that of the service, where only the test forms of the pages are. */
async function behind(context: SandboxContext, request: IncomingRequest, path: string): Promise<HttpResponse> {
  const isForm = mediaTypeOf(request.headers['content-type']).base.trim() === 'application/x-www-form-urlencoded';
  if (request.method === 'POST' && isForm) {
    const { postForm } = await import('./pages/post.js');
    return postForm(context, request, path.slice(servicePath.length + 1));
  }
  if (context.mode !== 'asmx') return nothing();
  const { unrecognizedPage } = await import('./pages/index.js');
  return unrecognizedPage(path);
}

/** The service as a function without sockets (interface document, "What the service does"). It never throws. */
export function createEndpoint(context: SandboxContext): HttpHandler {
  const own = servicePath.toLowerCase();
  return (request) => {
    const path = request.url.split('?')[0] ?? '';
    const asked = path.toLowerCase();
    if (asked.startsWith(`${own}/`)) return behind(context, request, path);
    if (asked !== own) return request.method === 'GET' ? atRoot(context, path) : Promise.resolve(nothing());
    return request.method === 'GET' ? got(context, request) : Promise.resolve(answerSoap(context, request));
  };
}
