import type { Operation } from '../contract/build.js';
import { writeMaskedRequest, type Written } from '../soap/request.js';
import type { RecordValue } from '../soap/values.js';
import { prettyPrint } from '../xml/tree.js';
import type { Connection } from '../client/connection.js';

/** A call that is shown instead of made, or besides. */
export interface ShownCall {
  readonly operation: Operation;
  readonly input: RecordValue;
  /** What goes out in the place of the input. */
  readonly written?: Written;
}

/** The envelope of a call with its secrets masked: they are left out before it is written, not searched for in it. */
export function maskedEnvelope(connection: Connection, call: ShownCall): string {
  const { credentials, namespace, version, url } = connection;
  const request = writeMaskedRequest({ ...call, credentials, namespace, version, url });
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${url}`, ...headers, '', prettyPrint(new TextDecoder().decode(request.body)), ''].join('\n');
}
