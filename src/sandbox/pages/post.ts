import { findOperation } from '../../contract/service.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { HttpRequest, HttpResponse } from '../../soap/transport/http.js';
import { writeMaskedRequest, writeRequest } from '../../soap/wire/request.js';
import { servicePath, type SandboxContext } from '../context.js';
import { answerSoap } from '../soap-by-mode.js';
import type { FormText } from './form.js';
import { valuesOf, type FormState } from './form-values.js';
import { postRefusal } from './guard.js';
import { formPage, refusedPage, resultPage, wholeAnswer } from './result.js';

/** The longest form; a file of 10 MB as base64 fits. */
const maxFormBytes = 16 * 1024 * 1024;
/** No form of ours has as many controls. */
const maxControls = 5000;

/** What a form holds; of two controls with one name the first counts. Line breaks come as CR LF, whatever was typed. */
function stateIn(parameters: URLSearchParams): FormState {
  const state = new Map<string, string>();
  for (const [name, text] of parameters) {
    if (state.size >= maxControls) break;
    if (!state.has(name)) state.set(name, text.replaceAll('\r\n', '\n'));
  }
  return state;
}

/** The request that a client would send for a form, as it goes out and without secrets; or what does not fit in it. */
function requestsOf({
  context,
  operation,
  state,
  version,
}: FormText): readonly [HttpRequest, HttpRequest] | RelctlError {
  try {
    const { namespace } = context;
    const call = { operation, ...valuesOf(operation, state), version, namespace, url: servicePath };
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
  const [request, shown] = requests;
  return resultPage(shown, await wholeAnswer(answerSoap(form.context, request)), form);
}

/**
 * Carries out what a form asks for, and shows the answer. Only forms from our own pages are taken: by what the browser says
 * of their origin, and by the word that they carry (guard.ts).
 */
export async function postForm(context: SandboxContext, request: HttpRequest, name: string): Promise<HttpResponse> {
  if (request.body.length > maxFormBytes)
    return refusedPage(context, 413, `A form holds at most ${maxFormBytes} bytes.`);
  const state = stateIn(new URLSearchParams(Buffer.from(request.body).toString('utf8')));
  const refusal = postRefusal(context, request.headers, state.get('token') ?? '');
  if (refusal !== undefined) return refusedPage(context, 403, refusal);
  const operation = findOperation(name);
  if (operation === undefined) return refusedPage(context, 404, `${name} Web Service method name is not valid.`);
  return invoked({ context, operation, state, version: state.get('version') === '1.2' ? '1.2' : '1.1' });
}
