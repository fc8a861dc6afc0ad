import { RelctlError } from '../../errors/relctl-error.js';
import type { HttpRequest, HttpResponse } from '../../soap/transport/http.js';
import { prettyPrint } from '../../xml/tree.js';
import type { SandboxContext } from '../context.js';
import { bytesOf } from '../answers.js';
import { formOf, type FormText } from './form.js';
import { markup, Html } from './html.js';
import { pageOf } from './layout.js';
import { introduction, toList } from './operation.js';

/** An answer that was read to its end. */
export interface WholeAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Reads an answer to its end. Throws what its stream throws. */
export async function wholeAnswer(answer: HttpResponse): Promise<WholeAnswer> {
  const { status, headers } = answer;
  return { status, type: headers['content-type'] ?? '', text: Buffer.from(await bytesOf(answer)).toString('utf8') };
}

/** Lines for people; an answer that is no XML stays as it came. */
function lines(text: string): string {
  try {
    return prettyPrint(text);
  } catch (thrown) {
    if (thrown instanceof RelctlError) return text;
    throw thrown;
  }
}

/** Escaped XML with its names marked. */
const coloured = (text: string): Html =>
  new Html(markup`${lines(text)}`.text.replace(/(&lt;[/?]?)([^\s&/?]+)/g, '$1<span class="t">$2</span>'));

function verdict({ status, text }: WholeAnswer): Html {
  const isRefused = /<Succeeded>false<|<ErrorInformation>[^<]/.test(text);
  if (status === 200 && !isRefused) return markup`<p class="note good">The service answered with status ${status}.</p>`;
  const words =
    status === 200 ? 'The service refused, with status 200.' : `The service answered with status ${status}.`;
  return markup`<p class="note bad">${words}</p>`;
}

/** The page with the answer to a form: the answer, what was asked, and the form again. */
export function resultPage(shown: HttpRequest, answer: WholeAnswer, form: FormText): HttpResponse {
  const { context, operation } = form;
  const body = markup`${introduction(context, operation)}
    <h2>Result</h2>
    ${verdict(answer)}
    <pre id="result">${answer.text === '' ? '(no body)' : coloured(answer.text)}</pre>
    <details>
      <summary>The request, without its secrets</summary>
      <pre>${coloured(Buffer.from(shown.body).toString('utf8'))}</pre>
    </details>
    <h2>Invoke again</h2>
    ${formOf(form)}`;
  return pageOf({ title: operation.name, above: toList(context), body });
}

/** The page for a form that was not sent on, because a value does not fit. */
export function formPage(form: FormText, complaint: string): HttpResponse {
  const { context, operation } = form;
  const body = markup`${introduction(context, operation)}
    <h2>Test</h2>
    <p class="note bad" role="alert">${complaint}</p>
    ${formOf(form)}`;
  return pageOf({ status: 400, title: operation.name, above: toList(context), body });
}

/** The page for somebody whose form is not taken. */
export function refusedPage(context: SandboxContext, status: number, words: string): HttpResponse {
  const body = markup`<p class="note bad">${words}</p>`;
  return pageOf({ status, title: 'Not invoked', above: toList(context), body });
}
