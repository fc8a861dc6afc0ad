import type { CallToRecord, ClientSurroundings } from '../../client/call.js';
import type { Connection } from '../../client/connection.js';
import type { Context } from '../host/context.js';
import type { HttpRequest } from '../../soap/transport/http.js';
import { secretsOf } from '../../soap/codec/credentials.js';
import { writeMaskedRequest } from '../../soap/wire/request.js';
import { withContent } from '../../soap/wire/content.js';

function maskedRequest(connection: Connection, { content, ...call }: CallToRecord): HttpRequest {
  const { credentials, namespace, version, isVersionChosen, url } = connection;
  const text = { ...call, credentials, namespace, version, isVersionChosen, url };
  return withContent(writeMaskedRequest(text), content);
}

/** What a file says was typed there: another time in it is another call. */
const isOfFile = (word: string): boolean => /^--(?:input|file)(?:=|$)/.test(word);

/** Parameters that hold a time whose day nobody typed: it is the end of today, `-7d`, or where an earlier run ended. */
function timesMade({ operation, input }: CallToRecord, argv: readonly string[]): readonly string[] {
  if (argv.some(isOfFile)) return [];
  return Object.entries(operation.parameters).flatMap(([name, { type }]) => {
    const value = input[name];
    if (type.kind !== 'scalar' || type.name !== 'dateTime' || typeof value !== 'string') return [];
    return argv.some((word) => word.includes(value.slice(0, 10))) ? [] : [name];
  });
}

/** Records calls in a folder until the command ends. Throws `usage` for a foreign folder or secrets to mask, and `local`. */
export async function openRecord(
  context: Context,
  connection: Connection,
  { folder, secrets }: { readonly folder: string; readonly secrets: readonly string[] },
): Promise<NonNullable<ClientSurroundings['record']>> {
  const recorder = await context.openRecorder({
    folder: context.environment.pathOf(folder),
    secrets: [...new Set([...secrets, ...secretsOf(connection.credentials)])],
    now: context.clock.date,
  });
  context.onClose(() => recorder.close());
  return (call) => {
    const { operation } = call;
    const namespace = operation.wire?.namespace ?? connection.namespace;
    const filled = timesMade(call, context.environment.argv);
    const request = maskedRequest(connection, call);
    return recorder.begin({
      operation: operation.name,
      namespace,
      ...(filled.length === 0 ? {} : { filled }),
      request,
    });
  };
}
