import type { Operation } from '../../contract/build.js';
import type { Headers, HttpResponse } from '../../soap/transport/http.js';
import type { SoapVersion } from '../../soap/wire/version.js';
import { serviceName } from '../../wsdl/definitions.js';
import type { SandboxContext } from '../context.js';
import { serviceLink } from '../http/public-url.js';
import { formOf } from './form.js';
import { stateOf } from './form-values.js';
import { localOnly, mayShowForm } from './guard.js';
import { markup, type Html } from './html.js';
import { pageOf } from './layout.js';
import { accessMark, deprecation } from './list.js';
import { sampleRequest, sampleResponse } from './sample.js';
import { suggestions } from './suggestions.js';

/** Link above a heading. */
export const toList = (context: SandboxContext): Html =>
  markup`<p>Click <a href="${serviceLink(context)}">here</a> for a complete list of operations.</p>`;

function samples(
  operation: Operation,
  version: SoapVersion,
  place: { namespace: string; host: string; path: string },
): Html {
  const text = { operation, version, ...place };
  return markup`<h2>SOAP ${version}</h2>
    <p>
      A sample request and response. The <span class="v">placeholders</span> need to be replaced with actual values.
    </p>
    <pre>${sampleRequest(text)}</pre>
    <pre>${sampleResponse(text)}</pre> `;
}

function test(context: SandboxContext, operation: Operation, headers: Headers): Html {
  if (!mayShowForm(headers))
    return markup`<h2>Test</h2>
      <p class="note">${localOnly}</p> `;
  const form = formOf({
    context,
    operation,
    state: stateOf(operation, suggestions(context, operation)),
    version: '1.1',
  });
  return markup`<h2>Test</h2>
    <p>To test the operation, click the 'Invoke' button. The values find something in the data of the sandbox.</p>
    ${form}`;
}

/** What is said above everything else of an operation. */
export function introduction(context: SandboxContext, operation: Operation): Html {
  const note = deprecation(context, operation);
  return markup`<p>${operation.doc}${accessMark(operation)}</p>
    ${note && markup`<p class="note deprecated">${note}</p> `}`;
}

/** The page of one operation: a form to try it, and samples of its messages (interface document, Endpoints). */
export function operationPage(context: SandboxContext, operation: Operation, headers: Headers): HttpResponse {
  const host = context.publicUrl?.host ?? headers['host'] ?? 'localhost';
  const place = { namespace: context.namespace, host, path: serviceLink(context) };
  const body = markup`${introduction(context, operation)}${test(context, operation, headers)}${samples(operation, '1.1', place)}${samples(
    operation,
    '1.2',
    place,
  )}`;
  return pageOf({ title: operation.name, above: toList(context), body });
}

/** The page for a name that no operation has. */
export function unknownPage(context: SandboxContext, name: string): HttpResponse {
  const body = markup`<p class="note bad">Method '${name}' was not found in service ${serviceName}.</p>`;
  return pageOf({ title: 'Method Not Found', above: toList(context), body });
}
