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

/** All bytes of an answer. */
export async function bytesOf({ body }: HttpResponse): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}
