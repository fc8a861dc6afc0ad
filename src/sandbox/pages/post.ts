import type { Operation } from '../../contract/build.js';
import { findOperation } from '../../contract/service.js';
import { RelctlError } from '../../errors/relctl-error.js';
import type { HttpRequest, HttpResponse } from '../../soap/transport/http.js';
import type { SoapVersion } from '../../soap/wire/version.js';
import type { SandboxContext } from '../context.js';
import { answerSoap } from '../soap-by-mode.js';
import { requestOf, type Call } from './call.js';
import { requestFields, type FormText } from './form.js';
import { valuesOf } from './form-values.js';
import { postRefusal } from './guard.js';
import { firstState } from './operation.js';
import { formPage, refusedPage, resultPage, wholeAnswer } from './result.js';
import { rowCount, rows, type FormState } from './state.js';

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

/** A form with more rows in one of its lists. */
function withMoreRows(state: FormState, path: string): FormState {
  return new Map([...state, [`${path}:rows`, String(Math.min(rowCount(state, path) + rows.more, rows.most))]]);
}

interface Posted {
  readonly context: SandboxContext;
  readonly operation: Operation;
  readonly state: FormState;
}

/** The request of a call, or the complaint about a value that does not fit. */
function checked(call: Call): HttpRequest | RelctlError {
  try {
    return requestOf(call);
  } catch (thrown) {
    if (thrown instanceof RelctlError && thrown.kind === 'usage') return thrown;
    throw thrown;
  }
}

async function invoked({ context, operation, state }: Posted): Promise<HttpResponse> {
  const version: SoapVersion = state.get('version') === '1.2' ? '1.2' : '1.1';
  const form: FormText = { context, operation, state, version };
  const more = state.get('more');
  if (more !== undefined) return formPage({ ...form, state: withMoreRows(state, more) });
  const values = valuesOf(requestFields(operation), { state, before: firstState(context, operation) });
  const call: Call = { operation, values, version, namespace: context.namespace };
  const request = checked(call);
  if (request instanceof RelctlError) {
    const { path } = request.facts;
    return formPage(path === undefined ? form : { ...form, wrong: path }, `${request.message}.`);
  }
  return resultPage(call, await wholeAnswer(answerSoap(context, request)), form);
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
  return invoked({ context, operation, state });
}
