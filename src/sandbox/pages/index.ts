import type { RecordValue } from '../../plain/value.js';
import type { Operation } from '../../contract/build.js';
import { PvProductData_V2 } from '../../contract/records/product.js';
import { findOperation, operations } from '../../contract/service.js';
import { fieldEntries } from '../../contract/walk.js';
import type { Headers, HttpResponse, IncomingRequest } from '../../soap/transport/http.js';
import type { SoapVersion } from '../../soap/wire/version.js';
import { serviceName } from '../../wsdl/definitions.js';
import { type SandboxContext, servicePath } from '../context.js';
import { known, knownCredentials } from '../dataset/known.js';
import { serviceLink } from '../http/public-url.js';
import { findById } from '../store/records.js';
import { pagesData } from './data.js';
import { formOf, stateOf } from './form.js';
import { localOnly, mayShowForm } from './guard.js';
import { type Html, markup, pageOf } from './layout.js';
import { sampleRequest, sampleResponse } from './sample.js';

function parameter(url: string, name: string): string {
  const query = new URLSearchParams(url.split('?')[1] ?? '');
  return [...query].find(([key]) => key.toLowerCase() === name)?.[1] ?? '';
}

/** The pages for people (interface document, "What the service does", rule 5): all operations, or the one asked for. */
export function page(context: SandboxContext, { url, headers }: IncomingRequest): HttpResponse {
  const name = parameter(url, 'op');
  if (name === '') return listPage(context);
  const operation = findOperation(name);
  return operation === undefined ? unknownPage(context, name) : operationPage(context, operation, headers);
}

/** The page of .asmx services for a path below their own. */
export function unrecognizedPage(path: string): HttpResponse {
  const words = `Request format is unrecognized for URL unexpectedly ending in '${path.slice(servicePath.length)}'.`;
  return pageOf({ status: 500, title: 'Server Error', body: markup`<p class="note bad">${words}</p>` });
}

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

/** The first lines of the page of an operation. */
export function introduction(context: SandboxContext, operation: Operation): Html {
  const note = deprecation(context, operation);
  return markup`<p>${operation.doc}${accessMark(operation)}</p>
    ${note && markup`<p class="note deprecated">${note}</p> `}`;
}

function operationPage(context: SandboxContext, operation: Operation, headers: Headers): HttpResponse {
  const host = context.publicUrl?.host ?? headers['host'] ?? 'localhost';
  const place = { namespace: context.namespace, host, path: serviceLink(context) };
  const body = markup`${introduction(context, operation)}${test(context, operation, headers)}${samples(operation, '1.1', place)}${samples(
    operation,
    '1.2',
    place,
  )}`;
  return pageOf({ title: operation.name, above: toList(context), body });
}

function unknownPage(context: SandboxContext, name: string): HttpResponse {
  const body = markup`<p class="note bad">Method '${name}' was not found in service ${serviceName}.</p>`;
  return pageOf({ title: 'Method Not Found', above: toList(context), body });
}

/** Headings of the list, with the first words of the names under them; the rest goes under the last. */
const groups: readonly (readonly [heading: string, names: RegExp])[] = [
  ['Activities', /^(?:Activity|Subscription|Attachment)/],
  ['Relations and relationships', /^Relation/],
  ['Products', /^Product/],
  ['Datastores, marks, workflows and notifications', /^/],
];

const headingOf = ({ name }: Operation): string | undefined => groups.find(([, names]) => names.test(name))?.[0];

/** Link to the page of an operation. */
export const operationLink = (context: SandboxContext, name: string): Html =>
  markup`<a href="${serviceLink(context)}?op=${encodeURIComponent(name)}">${name}</a>`;

const deprecation = (context: SandboxContext, { deprecated }: Operation): Html | undefined =>
  deprecated === undefined ? undefined : markup`Deprecated: use ${operationLink(context, deprecated)} instead.`;

function accessMark({ access }: Operation): Html | undefined {
  switch (access) {
    case 'read':
      return undefined;
    case 'set':
      return markup`<span class="badge">writes</span>`;
    case 'add':
      return markup`<span class="badge">adds</span>`;
  }
}

function entry(context: SandboxContext, operation: Operation): Html {
  const note = deprecation(context, operation);
  return markup`<li>
    <div>${operationLink(context, operation.name)}${accessMark(operation)}</div>
    <div>${operation.doc}${note && markup` <span class="deprecated">${note}</span>`}</div>
  </li> `;
}

function section(context: SandboxContext, heading: string): Html {
  const found = Object.values<Operation>(operations).filter((operation) => headingOf(operation) === heading);
  return markup`<h2>${heading}</h2>
    <ul class="list card">
      ${found.map((operation) => entry(context, operation))}
    </ul> `;
}

/** The page that lists the operations (interface document, Endpoints; Versioning, 3). */
function listPage(context: SandboxContext): HttpResponse {
  const { namespace, dataset, mode } = context;
  const body = markup`<p>
      The following operations are supported. For a formal definition, please review the
      <a href="${serviceLink(context)}?WSDL">Service Description</a>.
    </p>
    <dl class="facts">
      <dt>Namespace</dt>
      <dd><code>${namespace}</code></dd>
      <dt>Protocols</dt>
      <dd>SOAP 1.1 and SOAP 1.2, by POST to <code>${serviceLink(context)}</code></dd>
      <dt>Requests are taken</dt>
      <dd>${mode === 'strict' ? 'by the letter (strict)' : 'as leniently as .asmx services do (asmx)'}</dd>
      <dt>Data</dt>
      <dd>
        ${dataset.relations} relations, seed ${dataset.seed}; <a href="${context.publicUrl?.path ?? ''}/">how many of each kind</a>
      </dd>
    </dl>
    ${groups.map(([heading]) => section(context, heading))}`;
  return pageOf({ title: serviceName, body });
}

/** Values that every data set has something under, by the name of the parameter. */
const usual: RecordValue = { ...known, ...pagesData.usual };
const special: Readonly<Record<string, RecordValue>> = pagesData.special;

function current({ store }: SandboxContext, operation: Operation): RecordValue {
  if (!Object.hasOwn(operation.parameters, 'productData')) return {};
  const found = findById(store, PvProductData_V2, known.productId);
  return found === undefined ? {} : { productData: found.record };
}

function suggestions(context: SandboxContext, operation: Operation): RecordValue {
  const named = fieldEntries(operation.parameters).flatMap(([name]) => {
    const value = Object.hasOwn(usual, name) ? usual[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    credentials: { ...knownCredentials },
    ...Object.fromEntries(named),
    ...special[operation.name],
    ...current(context, operation),
  };
}
