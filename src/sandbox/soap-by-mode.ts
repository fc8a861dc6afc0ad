import type { HttpRequest, HttpResponse } from '../soap/transport/http.js';
import { asmxSoap } from './asmx/soap.js';
import type { SandboxContext } from './context.js';
import { strictSoap } from './strict.js';

/** A SOAP request, answered by the mode of the sandbox. */
export function answerSoap(context: SandboxContext, request: HttpRequest): HttpResponse {
  switch (context.mode) {
    case 'strict':
      return strictSoap(context, request);
    case 'asmx':
      return asmxSoap(context, request);
  }
}
