import type { HttpResponse, IncomingRequest } from '../soap/transport/http.js';
import { writeWsdl } from '../wsdl/definitions.js';
import { escapeAttribute } from '../xml/writer.js';
import { asmxCaching } from './answers.js';
import { type SandboxContext, servicePath } from './context.js';
import { serviceLink } from './http/public-url.js';
import { operationsIn } from './operations.js';
import type { Store } from './store/open.js';

/** Stands for the address in a description that is made before the address is known. */
const place = 'http://address.invalid/';

/** The description of each sandbox, in the parts between which its address stands. */
const made = new WeakMap<Store, readonly Uint8Array[]>();

function partsOf(context: SandboxContext): readonly Uint8Array[] {
  const known = made.get(context.store);
  if (known !== undefined) return known;
  const text = writeWsdl({ operations: operationsIn(context), namespace: context.namespace, address: place });
  const parts = text.split(place).map((part) => Buffer.from(part));
  made.set(context.store, parts);
  return parts;
}

// eslint-disable-next-line @typescript-eslint/require-await -- what is in memory still has the shape of a stream
async function* joined(parts: readonly Uint8Array[], between: Uint8Array): AsyncGenerator<Uint8Array> {
  for (const [at, part] of parts.entries()) {
    if (at > 0) yield between;
    yield part;
  }
}

/**
 * The WSDL of the service, which is made once. Its address is the public one, if there is one, or else that of the request:
 * whoever reached the WSDL there reaches the service there too.
 */
export function wsdlPage(context: SandboxContext, request: IncomingRequest): HttpResponse {
  const path = request.url.split('?')[0] ?? servicePath;
  const { publicUrl } = context;
  const asked = `http://${request.headers['host'] ?? 'localhost'}${path}`;
  const address = publicUrl === undefined ? asked : `${publicUrl.origin}${serviceLink(context)}`;
  const headers = { ...asmxCaching, 'content-type': 'text/xml; charset=utf-8' };
  return { status: 200, headers, body: joined(partsOf(context), Buffer.from(escapeAttribute(address))) };
}
