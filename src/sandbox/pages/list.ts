import type { Operation } from '../../contract/build.js';
import { operations } from '../../contract/service.js';
import type { HttpResponse } from '../../soap/transport/http.js';
import { serviceName } from '../../wsdl/definitions.js';
import type { SandboxContext } from '../context.js';
import { serviceLink } from '../http/public-url.js';
import { markup, type Html } from './html.js';
import { pageOf } from './layout.js';

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

/** Says by what a deprecated operation is replaced. */
export const deprecation = (context: SandboxContext, { deprecated }: Operation): Html | undefined =>
  deprecated === undefined ? undefined : markup`Deprecated: use ${operationLink(context, deprecated)} instead.`;

/** What an operation does to the data, as a mark; none for those that read. */
export function accessMark({ access }: Operation): Html | undefined {
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
export function listPage(context: SandboxContext): HttpResponse {
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
      <dd>${dataset.relations} relations, seed ${dataset.seed}</dd>
    </dl>
    ${groups.map(([heading]) => section(context, heading))}`;
  return pageOf({ title: serviceName, body });
}
