import { findOperation } from '../../contract/service.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { HttpRequest, HttpResponse } from '../../soap/transport/http.js';
import type { SandboxContext } from '../context.js';
import { answerSoap } from '../soap-by-mode.js';
import { requestOf, type Call } from './call.js';
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

/** A call with its request, or the complaint about a value that does not fit. */
function checked({ context, operation, state, version }: FormText): { call: Call; request: HttpRequest } | RelctlError {
  try {
    const call = { operation, values: valuesOf(operation, state), version, namespace: context.namespace };
    return { call, request: requestOf(call) };
  } catch (thrown) {
    if (thrown instanceof RelctlError && thrown.kind === 'usage') return thrown;
    throw thrown;
  }
}

async function invoked(form: FormText): Promise<HttpResponse> {
  const asked = checked(form);
  if (asked instanceof RelctlError) {
    const { path } = asked.facts;
    return formPage(path === undefined ? form : { ...form, wrong: path }, `${asked.message}.`);
  }
  return resultPage(asked.call, await wholeAnswer(answerSoap(form.context, asked.request)), form);
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
