import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../kit/host/context.js';
import { assumedVersion } from '../../soap/wire/version.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import {
  callKey,
  type CallKey,
  readRecording,
  type LoadedAnswer,
  type Recording,
} from '../../sandbox/recordings/read.js';
import { indexName } from '../../sandbox/recordings/write.js';
import { BrokenOff, plain, streamed } from '../../sandbox/answers.js';
import { startServer, type RunningServer } from '../../sandbox/http/server.js';
import { fault } from '../../sandbox/invoke.js';
import { piecesOf, type HttpHandler, type HttpResponse } from '../../soap/transport/http.js';

/** The bytes of an answer; the connection ends where it ended when it was recorded. */
// oxlint-disable-next-line typescript/require-await -- what is read at once still has the shape of a stream
async function* bodyOf(answer: LoadedAnswer): AsyncGenerator<Uint8Array> {
  yield* answer.open();
  if (!answer.complete) throw new BrokenOff('close');
}

function replayedResponse(answer: LoadedAnswer): HttpResponse {
  // One byte more than comes, where the answer was cut off: nobody takes it for whole.
  const length = answer.complete ? answer.bytes : answer.bytes + 1;
  const served = Object.entries(answer.headers).filter(([name]) => name === 'content-type' || name === 'retry-after');
  const headers = { 'content-length': String(length), ...Object.fromEntries(served) };
  return { status: answer.status, headers, body: bodyOf(answer) };
}

function notRecorded({ operation, version }: CallKey, { namespace, calls }: Recording): HttpResponse {
  const known = calls.get(operation) ?? 0;
  const others = [...calls.keys()].toSorted().join(', ');
  const words =
    known === 0
      ? `The recording has no call of ${operation}; it has calls of: ${others}.`
      : `${operation} was recorded ${known === 1 ? 'once' : `${known} times`}, but not with these parameters, or without an answer.`;
  const refused = new RelctlError('refused', words, { facts: { foreignCode: 'Client.NotRecorded' } });
  return streamed(fault(refused, { version, namespace, usual: 'Client' }));
}

function answersOf(
  call: CallKey,
  { answers, onAnotherDay }: Recording,
): readonly [key: string, readonly LoadedAnswer[]] {
  const exact = answers.get(call.key);
  if (exact !== undefined) return [call.key, exact];
  for (const { filled, answers: others } of onAnotherDay) {
    const key = call.without(filled);
    const loadedAnswers = others.get(key);
    if (loadedAnswers !== undefined) return [`${filled.join(' ')} ${key}`, loadedAnswers];
  }
  return [call.key, []];
}

/** Answers calls as recorded, one answer after the other and then the last again; others get the fault NotRecorded. */
function replayEndpoint(recording: Recording): HttpHandler {
  const counts = new Map<string, number>();
  return (request) => {
    // Other commands know by its page that it runs; a question such as ?WSDL has no answer.
    if (request.method === 'GET') {
      const status = request.url.includes('?') ? 404 : 200;
      return Promise.resolve(plain(status, 'A recording answers only calls.'));
    }
    let call: CallKey;
    try {
      call = callKey(piecesOf(request.body));
    } catch (thrown) {
      const { namespace } = recording;
      return Promise.resolve(streamed(fault(thrown, { version: assumedVersion, namespace, usual: 'Client' })));
    }
    const [key, answers] = answersOf(call, recording);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    const answer = answers[Math.min(count, answers.length - 1)];
    return Promise.resolve(answer === undefined ? notRecorded(call, recording) : replayedResponse(answer));
  };
}

/** The file by which other commands know a recording that is served, as they know a database. */
export const recordingFile = (context: Context, folder: string): string =>
  join(context.environment.pathOf(folder), indexName);

/** Throws `usage` for a folder without a recording, before a lock is put into it. */
export function checkRecording(context: Context, folder: string): void {
  const file = recordingFile(context, folder);
  if (!existsSync(file)) throw usage('--replay', `${folder} has no recording: there is no ${indexName} in it`, '');
}

/** Serves a recording. Throws `usage` for a folder without one, and `local`. */
export async function serveRecording(
  context: Context,
  folder: string,
  port: number,
): Promise<{ server: RunningServer; recording: Recording }> {
  const recording = readRecording(context.environment.pathOf(folder));
  const server = await startServer({ endpoint: replayEndpoint(recording), port });
  return { server, recording };
}

const ofDatabase = ['db', 'relations', 'seed', 'fault', 'log', 'public-url'];

/** Throws `usage` for --replay beside a flag of the database. */
export function checkAlone(flags: Readonly<Record<string, unknown>>): void {
  const other =
    ofDatabase.find((name) => flags[name] !== undefined) ?? (flags['mode'] === 'strict' ? undefined : 'mode');
  if (other === undefined) return;
  throw usage(`--${other}`, `--replay and --${other} cannot be used together: a recording has its own answers`, {
    advice: `Leave --${other} out.`,
    hint: null,
  });
}
