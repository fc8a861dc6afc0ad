import type { Connection } from '../../client/connection.js';
import type { Context } from '../../host/context.js';
import { maskedEnvelope, type ShownCall } from './masked-envelope.js';

/** Prints the request with secrets masked, exactly as it would be sent unless a terminal shows it, and sends nothing. */
export async function printEnvelope(context: Context, connection: Connection, call: ShownCall): Promise<void> {
  const { out } = context.streams;
  // What lays XML out is loaded only when somebody looks at it.
  const layOut = out.isTerminal ? (await import('../../xml/tree.js')).prettyPrint : undefined;
  await out.write(context.secrets.hide(maskedEnvelope(connection, call, layOut)));
}
