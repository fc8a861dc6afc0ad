import data from './pages.json' with { type: 'json' };
import type { RecordValue } from '../../core/values/value.js';
import type { Operation, Fields, Type } from '../../contract/build.js';
import { PvProductData_V2 } from '../../contract/records/product.js';
import { findOperation, operations } from '../../contract/service.js';
import { requestFields } from '../../contract/walk.js';
import type { Headers, HttpResponse, HttpRequest } from '../../soap/transport/http.js';
import {
  assumedVersion,
  type SoapVersion,
  contentTypeOf,
  soapActionHeader,
  soapVersions,
  versions,
} from '../../soap/wire/version.js';
import { serviceName } from '../../wsdl/definitions.js';
import { type SandboxContext, servicePath } from '../context.js';
import { known, knownCredentials, fieldId } from '../dataset/known.js';
import { serviceLink } from '../http/access.js';
import { findById } from '../store/records.js';
import { formOf, formStateOf } from './form.js';
import { localOnly, mayShowForm, type Html, markup, renderPage } from './layout.js';
import { resultEnvelope } from '../../contract/records/shared.js';
import { xsdNamespace, xsiNamespace } from '../../soap/values/scalars.js';
import { xmlDeclaration } from '../../xml/escape.js';

/** From this depth on a record is shown nil, as the pages of .asmx services do. */
const deepest = 4;

const placeholder = (text: string): Html => markup`<span class="v">${text}</span>`;

const line = (depth: number, content: Html): Html => markup`${'  '.repeat(depth + 2)}${content}\n`;

const nil = (name: string, depth: number): Html => line(depth, markup`&lt;${name} xsi:nil="true" /&gt;`);

function nested(name: string, depth: number, inner: readonly Html[]): Html {
  if (inner.length === 0) return nil(name, depth);
  return markup`${line(depth, markup`&lt;${name}&gt;`)}${inner}${line(depth, markup`&lt;/${name}&gt;`)}`;
}

function element(name: string, type: Type, depth: number): Html {
  const leaf = (text: string): Html => line(depth, markup`&lt;${name}&gt;${placeholder(text)}&lt;/${name}&gt;`);
  switch (type.kind) {
    case 'scalar':
      return type.name === 'anyType' ? line(depth, markup`&lt;${name} /&gt;`) : leaf(type.name);
    case 'enumeration':
      return leaf(type.values.join(' or '));
    case 'list': {
      if (depth >= deepest) return nil(name, depth);
      const item = element(type.itemName, type.item, depth + 1);
      return nested(name, depth, [item, item]);
    }
    case 'record':
      return depth >= deepest ? nil(name, depth) : nested(name, depth, members(type.fields, depth));
  }
}

const members = (fields: Fields, depth: number): readonly Html[] =>
  Object.entries(fields).map(([name, { type }]) => element(name, type, depth + 1));

function envelope(version: SoapVersion, content: Html): Html {
  const space = soapVersions[version].envelopeNamespace;
  return markup`${xmlDeclaration}
&lt;soap:Envelope xmlns:soap="${space}" xmlns:xsi="${xsiNamespace}" xmlns:xsd="${xsdNamespace}"&gt;
  &lt;soap:Body&gt;
${content}  &lt;/soap:Body&gt;
&lt;/soap:Envelope&gt;`;
}

interface SampleText {
  readonly operation: Operation;
  readonly version: SoapVersion;
  readonly namespace: string;
  /** Host and port under which the page was asked for. */
  readonly host: string;
  readonly path: string;
}

function sampleRequest({ operation, version, namespace, host, path }: SampleText): Html {
  const { name } = operation;
  const inner = members(requestFields(operation), 0);
  const header = soapActionHeader(version, { namespace, operation: name });
  const action = header === undefined ? undefined : markup`SOAPAction: ${header}\n`;
  const content = markup`    &lt;${name} xmlns="${namespace}"&gt;\n${inner}    &lt;/${name}&gt;\n`;
  return markup`POST ${path} HTTP/1.1
Host: ${host}
Content-Type: ${contentTypeOf(version)}
Content-Length: ${placeholder('length')}
${action}
${envelope(version, content)}`;
}

function sampleResponse({ operation, version, namespace }: SampleText): Html {
  const { name } = operation;
  const fields = operation.envelope ? { ...resultEnvelope, ...operation.result } : operation.result;
  const result = nested(`${name}Result`, 1, members(fields, 1));
  const content = markup`    &lt;${name}Response xmlns="${namespace}"&gt;\n${result}    &lt;/${name}Response&gt;\n`;
  return markup`HTTP/1.1 200 OK
Content-Type: ${contentTypeOf(version)}
Content-Length: ${placeholder('length')}

${envelope(version, content)}`;
}

const ids: Readonly<Record<string, unknown>> = known;

/** The id that a name in braces stands for: of the known ones, or of a field by entity type and name. */
const idOf = (name: string): string => {
  const [entityType = '', field] = name.split(' ');
  return field === undefined ? String(ids[name]) : fieldId(Number(entityType), field);
};

/**
 * What the pages count, and the values that their forms begin with: those that every data set has something under, by the
 * name of the parameter, and those of operations that mean something else by a name, or need something more.
 */
export const pagesData = JSON.parse(
  JSON.stringify(data).replace(/\{(\w+(?: \w+)?)\}/g, (_, name: string) => idOf(name)),
) as typeof data;

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

/** The page of .asmx services for a path below their own. */
export function unrecognizedPage(path: string): HttpResponse {
  const words = `Request format is unrecognized for URL unexpectedly ending in '${path.slice(servicePath.length)}'.`;
  return renderPage({ status: 500, title: 'Server Error', body: markup`<p class="note bad">${words}</p>` });
}

/** Link above a heading. */
export const toList = (context: SandboxContext): Html =>
  markup`<p>Click <a href="${serviceLink(context)}">here</a> for a complete list of operations.</p>`;

const samples = (text: SampleText): Html =>
  markup`<h2>SOAP ${text.version}</h2>
    <p>
      A sample request and response. The <span class="v">placeholders</span> need to be replaced with actual values.
    </p>
    <pre>${sampleRequest(text)}</pre>
    <pre>${sampleResponse(text)}</pre> `;

function test(context: SandboxContext, operation: Operation, headers: Headers): Html {
  if (!mayShowForm(headers))
    return markup`<h2>Test</h2>
      <p class="note">${localOnly}</p> `;
  const form = formOf({
    context,
    operation,
    state: formStateOf(operation, suggestions(context, operation)),
    version: assumedVersion,
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
  const text = { operation, namespace: context.namespace, host, path: serviceLink(context) };
  const body = markup`${introduction(context, operation)}${test(context, operation, headers)}${versions.map((version) => samples({ ...text, version }))}`;
  return renderPage({ title: operation.name, above: toList(context), body });
}

function unknownPage(context: SandboxContext, name: string): HttpResponse {
  const body = markup`<p class="note bad">Method '${name}' was not found in service ${serviceName}.</p>`;
  return renderPage({ title: 'Method Not Found', above: toList(context), body });
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
  const listed = Object.values<Operation>(operations).filter((operation) => headingOf(operation) === heading);
  return markup`<h2>${heading}</h2>
    <ul class="list card">
      ${listed.map((operation) => entry(context, operation))}
    </ul> `;
}

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
      <dd>${mode === 'strict' ? 'strictly (strict)' : 'as leniently as .asmx services do (asmx)'}</dd>
      <dt>Data</dt>
      <dd>
        ${dataset.relations} relations, seed ${dataset.seed}; <a href="${context.publicUrl?.path ?? ''}/">how many of each kind</a>
      </dd>
    </dl>
    ${groups.map(([heading]) => section(context, heading))}`;
  return renderPage({ title: serviceName, body });
}

/** Values that every data set has something under, by the name of the parameter. */
const usual: RecordValue = { ...known, ...pagesData.usual };
const special: Readonly<Record<string, RecordValue>> = pagesData.special;

function suggestions({ store }: SandboxContext, { name, parameters }: Operation): RecordValue {
  const named = Object.entries(usual).filter(([parameter]) => Object.hasOwn(parameters, parameter));
  const product = Object.hasOwn(parameters, 'productData') && findById(store, PvProductData_V2, known.productId);
  return {
    credentials: { ...knownCredentials },
    ...Object.fromEntries(named),
    ...special[name],
    ...(product ? { productData: product.record } : {}),
  };
}
