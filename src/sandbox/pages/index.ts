import { findOperation } from '../../contract/service.js';
import type { HttpRequest, HttpResponse } from '../../soap/transport/http.js';
import { servicePath, type SandboxContext } from '../context.js';
import { markup, pageOf } from './layout.js';
import { listPage, operationPage, unknownPage } from './operation.js';

/** Value of a parameter of a query, in any case of letters; '' when it is not there. */
function parameter(url: string, name: string): string {
  const query = new URLSearchParams(url.split('?')[1] ?? '');
  return [...query].find(([key]) => key.toLowerCase() === name)?.[1] ?? '';
}

/** The pages for people (interface document, "What the service does", rule 5): all operations, or the one asked for. */
export function page(context: SandboxContext, { url, headers }: HttpRequest): HttpResponse {
  const name = parameter(url, 'op');
  if (name === '') return listPage(context);
  const operation = findOperation(name);
  return operation === undefined ? unknownPage(context, name) : operationPage(context, operation, headers);
}

/** What .asmx services say of an address behind their own. */
export function unrecognizedPage(path: string): HttpResponse {
  const words = `Request format is unrecognized for URL unexpectedly ending in '${path.slice(servicePath.length)}'.`;
  return pageOf({ status: 500, title: 'Server Error', body: markup`<p class="note bad">${words}</p>` });
}
