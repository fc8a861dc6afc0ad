import type { Connection } from '../client/connection.js';
import type { Context } from './context.js';
import type { ShownCall } from './masked-envelope.js';

/** Prints the exact request with secrets masked, and sends nothing. */
export async function printEnvelope(context: Context, connection: Connection, call: ShownCall): Promise<void> {
  // What lays XML out is loaded only when somebody looks at it.
  const { maskedEnvelope } = await import('./masked-envelope.js');
  await context.streams.out.write(maskedEnvelope(connection, call));
}
