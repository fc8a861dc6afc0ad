import type { Store } from '../store/open.js';
import { tables } from '../store/schema.js';
import { pagesData, operationLink } from './index.js';
import { operations } from '../../contract/service.js';
import type { HttpResponse } from '../../soap/transport/http.js';
import { json } from '../answers.js';
import type { SandboxContext } from '../context.js';
import { serviceLink } from '../http/access.js';
import { type Html, markup, renderPage } from './layout.js';

/** Path of the counts in JSON. */
export const countsPath = '/counts';

const number = new Intl.NumberFormat('en-US');

function row(context: SandboxContext, { name, count, operation, command }: CountLine): Html {
  const listed =
    operation === undefined
      ? markup`<span class="dim">no operation lists them</span>`
      : markup`<code>${command}</code> <small>${operationLink(context, operation)}</small>`;
  const countCell = count === undefined ? markup`<small>not counted</small>` : number.format(count);
  return markup`<tr>
    <th scope="row">${name}</th>
    <td class="number">${countCell}</td>
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
  Field values are not counted: in a data set of this size the sandbox generates them from the seed when it reads a record.
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
  return renderPage({ title: 'The sandbox', body });
}

/** The same as JSON; a count that is not known is null. */
export function countsAnswer(context: SandboxContext): HttpResponse {
  const counts = countGroups(context.store).flatMap(({ lines }) =>
    lines.map(({ name, count = null, operation = null, command = null }) => ({ name, count, operation, command })),
  );
  return json(200, { dataset: context.dataset, counts });
}

/** How many there are, if that is known without reading every record, and the operation and a command that list them, if any do. */
type CountLine = Readonly<Record<'operation' | 'command', string | undefined>> & {
  /** As operators call it, in the plural. */
  readonly name: string;
  readonly count: number | undefined;
};

/** Lines with a heading. */
export interface CountGroup {
  readonly heading: string;
  readonly lines: readonly CountLine[];
}

/**
 * What is counted: rows of a table that is filled seq by seq and of which none is deleted; what a statement counts, for
 * small tables and those with seqs that are not used; the values of fields in all records.
 */
type Counted = { readonly rows: string } | { readonly count: string } | { readonly values: string };

const counted = (store: Store, from: string): number =>
  Number(store.statement(`SELECT count(*) FROM ${from}`).first()?.[0]);

/** Rows in outline have their field values made when they are read: then nobody has counted them. */
function valuesIn(store: Store, member: string): number | undefined {
  let sum = 0;
  for (const { name, outline, lists } of tables.values()) {
    const list = lists.find(({ path }) => path[0] === member);
    if (list === undefined) continue;
    const made = `SELECT 1 FROM "${name}" WHERE "${outline?.mark ?? ''}" IS NULL LIMIT 1`;
    if (outline !== undefined && store.statement(made).first() !== undefined) return undefined;
    sum += counted(store, `"${list.name}"`);
  }
  return sum;
}

function countOf(store: Store, what: Counted): number | undefined {
  if ('rows' in what) return counted(store, `"${what.rows}"`);
  return 'count' in what ? counted(store, what.count) : valuesIn(store, what.values);
}

type Kind = readonly [name: string, what: Counted, operation?: string, command?: string];

/** How many records of each kind there are, all at one moment. Cheap, however large the data set is. */
export const countGroups = (store: Store): readonly CountGroup[] =>
  store.read(() =>
    Object.entries(pagesData.counts as unknown as Readonly<Record<string, readonly Kind[]>>).map(
      ([heading, kinds]) => ({
        heading,
        lines: kinds.map(([name, what, operation, command]) => ({
          name,
          count: countOf(store, what),
          operation,
          command: command === undefined ? undefined : `relctl ${command}`,
        })),
      }),
    ),
  );
