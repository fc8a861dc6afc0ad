import { findOperation } from '../../contract/service.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { type WholeRequest, type HttpResponse, type HttpRequest, wholeOf } from '../../soap/transport/http.js';
import { assumedVersion, versions } from '../../soap/wire/version.js';
import { writeMaskedRequest, writeRequest } from '../../soap/wire/request.js';
import type { WholeResponse } from '../../soap/wire/response.js';
import { prettyPrint } from '../../xml/tree.js';
import { readWhole } from '../answers.js';
import { type SandboxContext, servicePath } from '../context.js';
import { answerSoap } from '../strict.js';
import { formOf, type FormState, type FormText, inputOfForm } from './form.js';
import { postRefusal, Html, markup, renderPage } from './layout.js';
import { introduction, toList } from './index.js';

/** Most bytes of a form; a file of 10 MB as base64 fits. */
const maxFormBytes = 16 * 1024 * 1024;
const maxControls = 5000;

/** The texts of a posted form; of two with one name the first counts. Browsers send every line break as CR LF. */
function stateIn(parameters: URLSearchParams): FormState {
  const state = new Map<string, string>();
  for (const [name, text] of parameters) {
    if (state.size >= maxControls) break;
    if (!state.has(name)) state.set(name, text.replaceAll('\r\n', '\n'));
  }
  return state;
}

function requestsOf({
  context,
  operation,
  state,
  version,
}: FormText): readonly [WholeRequest, WholeRequest] | RelctlError {
  try {
    const { namespace } = context;
    const call = { operation, ...inputOfForm(operation, state), version, namespace, url: servicePath };
    return [writeRequest(call), writeMaskedRequest(call)];
  } catch (thrown) {
    if (thrown instanceof RelctlError && thrown.kind === 'usage') return thrown;
    throw thrown;
  }
}

async function invoked(form: FormText): Promise<HttpResponse> {
  const requests = requestsOf(form);
  if (requests instanceof RelctlError) {
    const { path } = requests.facts;
    return formPage(path === undefined ? form : { ...form, wrong: path }, `${requests.message}.`);
  }
  const [request, display] = requests;
  return resultPage(display, await readWhole(answerSoap(form.context, request)), form);
}

/** Executes the request of a form of our own pages, if its origin and token are right, and shows the answer. */
export async function postForm(context: SandboxContext, request: HttpRequest, name: string): Promise<HttpResponse> {
  if (request.body.length > maxFormBytes)
    return refusedPage(context, 413, `A form can have at most ${maxFormBytes} bytes.`);
  const state = stateIn(new URLSearchParams(Buffer.from(wholeOf(request.body)).toString('utf8')));
  const refusal = postRefusal(context, request.headers, state.get('token') ?? '');
  if (refusal !== undefined) return refusedPage(context, 403, refusal);
  const operation = findOperation(name);
  if (operation === undefined) return refusedPage(context, 404, `${name} Web Service method name is not valid.`);
  return invoked({
    context,
    operation,
    state,
    version: versions.find((each) => each === state.get('version')) ?? assumedVersion,
  });
}

function lines(text: string): string {
  try {
    return prettyPrint(text);
  } catch (thrown) {
    if (thrown instanceof RelctlError) return text;
    throw thrown;
  }
}

const coloured = (text: string): Html =>
  new Html(markup`${lines(text)}`.text.replace(/(&lt;[/?]?)([^\s&/?]+)/g, '$1<span class="t">$2</span>'));

function verdict(status: number, text: string): Html {
  const isRefused = /<Succeeded>false<|<ErrorInformation>[^<]/.test(text);
  if (status === 200 && !isRefused) return markup`<p class="note good">The service answered with status ${status}.</p>`;
  const words =
    status === 200 ? 'The service refused, with status 200.' : `The service answered with status ${status}.`;
  return markup`<p class="note bad">${words}</p>`;
}

function resultPage(httpRequest: WholeRequest, { status, body: bytes }: WholeResponse, form: FormText): HttpResponse {
  const { context, operation } = form;
  const text = Buffer.from(bytes).toString('utf8');
  const body = markup`${introduction(context, operation)}
    <h2>Result</h2>
    ${verdict(status, text)}
    <pre id="result">${text === '' ? '(no body)' : coloured(text)}</pre>
    <details>
      <summary>The request, without its secrets</summary>
      <pre>${coloured(Buffer.from(httpRequest.body).toString('utf8'))}</pre>
    </details>
    <h2>Invoke again</h2>
    ${formOf(form)}`;
  return renderPage({ title: operation.name, above: toList(context), body });
}

function formPage(form: FormText, complaint: string): HttpResponse {
  const { context, operation } = form;
  const body = markup`${introduction(context, operation)}
    <h2>Test</h2>
    <p class="note bad" role="alert">${complaint}</p>
    ${formOf(form)}`;
  return renderPage({ status: 400, title: operation.name, above: toList(context), body });
}

function refusedPage(context: SandboxContext, status: number, words: string): HttpResponse {
  const body = markup`<p class="note bad">${words}</p>`;
  return renderPage({ status, title: 'Not invoked', above: toList(context), body });
}
