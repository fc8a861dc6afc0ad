import type { HttpRequest, HttpResponse } from '../../soap/transport/http.js';
import type { SandboxContext } from '../context.js';

/** A request on its way to the endpoint, with what stands around it. */
export interface ServedRequest {
  readonly context: SandboxContext;
  readonly request: HttpRequest;
  /** Hears of each fault that befalls the request, as its plan says it. */
  readonly onFault?: (text: string) => void;
}

/** The service, or something around it that lets requests through. */
export type Serve = (served: ServedRequest) => Promise<HttpResponse>;
