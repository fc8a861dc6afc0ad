import { operations } from '../../contract/service.js';
import type { HttpResponse } from '../../soap/transport/http.js';
import { json } from '../answers.js';
import type { SandboxContext } from '../context.js';
import { serviceLink } from '../http/public-url.js';
import { type CountGroup, countGroups, type CountLine } from './counts.js';
import { operationLink } from './index.js';
import { type Html, markup, pageOf } from './layout.js';

/** Path of the counts in JSON. */
export const countsPath = '/counts';

const number = new Intl.NumberFormat('en-US');

function row(context: SandboxContext, { name, count, operation, command }: CountLine): Html {
  const listed =
    operation === undefined
      ? markup`<span class="dim">no operation lists them</span>`
      : markup`<code>${command}</code> <small>${operationLink(context, operation)}</small>`;
  const shown = count === undefined ? markup`<small>not counted</small>` : number.format(count);
  return markup`<tr>
    <th scope="row">${name}</th>
    <td class="number">${shown}</td>
    <td>${listed}</td>
  </tr> `;
}

const table = (context: SandboxContext, { heading, lines }: CountGroup): Html =>
  markup`<table class="counts card">
    <caption>${heading}</caption>
    <thead><tr><th scope="col">What</th><th scope="col" class="number">Count</th><th scope="col">Shown by</th></tr></thead>
    <tbody>${lines.map((line) => row(context, line))}</tbody>
  </table> `;

const uncounted = markup`<p class="note">
  Field values are not counted: in a data set of this size they are made from the seed when a record is read.
</p> `;

/** The page at the root of the address: what is in the data set, and what lists it. */
export function frontPage(context: SandboxContext): HttpResponse {
  const { relations, seed } = context.dataset;
  const groups = countGroups(context.store);
  const hasUncounted = groups.some(({ lines }) => lines.some(({ count }) => count === undefined));
  const body = markup`<p>
      The data set at this moment, written records too. It was made of ${number.format(relations)} relations with seed ${seed}.
      The commands take <code>-p NAME</code>, a profile with the address of this sandbox.
    </p>
    <ul class="ways">
      <li><a href="${serviceLink(context)}">The ${Object.keys(operations).length} operations</a>, with a form for each</li>
      <li><a href="${serviceLink(context)}?WSDL">The WSDL</a>, for other SOAP programs</li>
      <li><a href="${context.publicUrl?.path ?? ''}${countsPath}">The counts as JSON</a></li>
    </ul>
    ${hasUncounted ? uncounted : undefined}${groups.map((group) => table(context, group))}`;
  return pageOf({ title: 'The sandbox', body });
}

/** The same as JSON; a count that is not known is null. */
export function countsAnswer(context: SandboxContext): HttpResponse {
  const lines = countGroups(context.store).flatMap((group) => group.lines);
  const counts = lines.map(({ name, count = null, operation = null, command = null }) => ({
    name,
    count,
    operation,
    command,
  }));
  return json(200, { dataset: context.dataset, counts });
}
