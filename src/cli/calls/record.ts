import type { CallToRecord, ClientSurroundings } from '../../client/client.js';
import type { Connection } from '../../client/connection.js';
import type { Context } from '../../host/context.js';
import { openRecorder } from '../../recordings/write.js';
import type { OutgoingRequest } from '../../soap/transport/http.js';
import { secretsOf } from '../../soap/codec/credentials.js';
import { writeMaskedRequest } from '../../soap/wire/request.js';
import { writeMaskedStreamedRequest } from '../../soap/wire/streamed-request.js';

/** The request of a call as it goes out, but for its secrets. */
function maskedRequest(connection: Connection, { content, ...call }: CallToRecord): OutgoingRequest {
  const { credentials, namespace, version, url } = connection;
  const text = { ...call, credentials, namespace, version, url };
  return content === undefined ? writeMaskedRequest(text) : writeMaskedStreamedRequest(text, content);
}

/**
 * Records the calls of a command in a folder, which is closed with the command. Throws `usage` for a folder that holds something
 * else and for secrets that cannot be masked, and `local`.
 */
export function openRecord(
  context: Context,
  connection: Connection,
  { folder, secrets }: { readonly folder: string; readonly secrets: readonly string[] },
): NonNullable<ClientSurroundings['record']> {
  const recorder = openRecorder({
    folder: context.environment.pathOf(folder),
    secrets: [...new Set([...secrets, ...secretsOf(connection.credentials)])],
    now: context.clock.date,
  });
  context.onClose(() => recorder.close());
  return (call) => {
    const { operation } = call;
    const namespace = operation.wire?.namespace ?? connection.namespace;
    return recorder.begin({ operation: operation.name, namespace, request: maskedRequest(connection, call) });
  };
}
