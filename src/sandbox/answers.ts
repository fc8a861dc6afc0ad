import { RelctlError } from '../core/errors/relctl-error.js';
import { type HttpResponse, isStreamed, type OutgoingResponse } from '../soap/transport/http.js';
import { bodyWithContent, type PlacedContent } from '../soap/wire/content.js';
import type { WholeResponse } from '../soap/wire/response.js';

// oxlint-disable-next-line typescript/require-await -- what is there at once still has the shape of a stream
async function* each(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/** Bytes as a stream of one piece. */
export const once = (bytes: Uint8Array): AsyncGenerator<Uint8Array> => each(bytes.length > 0 ? [bytes] : []);

/** An answer in plain text. */
export const plain = (status: number, text: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: once(Buffer.from(text === '' ? '' : `${text}\n`)),
});

/** Most bytes of a request. */
export const mostBodyBytes = 128 * 1024 * 1024;

/** The answer to a longer one. */
export const tooLarge = (): HttpResponse => plain(413, `A request can have at most ${mostBodyBytes} bytes.`);

/** An answer in JSON, which no cache keeps. */
export const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: once(Buffer.from(`${JSON.stringify(value)}\n`)),
});

/** The Cache-Control of .asmx services. */
export const asmxCaching = { 'cache-control': 'private, max-age=0' } as const;

/** An answer as a stream, as .asmx services cache it; content that is not in memory is read while it is sent. */
export function streamed({ status, ...whole }: WholeResponse, content?: PlacedContent): OutgoingResponse {
  const headers = { ...asmxCaching, ...whole.headers };
  const body = content === undefined ? whole.body : bodyWithContent(whole.body, content);
  if (!isStreamed(body)) return { status, headers, body: once(body) };
  return { status, headers, body: each(body.open()), length: body.length };
}

/** An answer with its body read to the end. Throws what the stream of the body throws. */
export async function readWhole({ body, ...head }: HttpResponse): Promise<WholeResponse> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const [only] = chunks;
  return { ...head, body: chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks) };
}

/** Thrown instead of an answer, or within its body, to end the connection there. Only the server catches it. */
export class BrokenOff extends RelctlError {
  readonly how: 'reset' | 'close';

  constructor(how: 'reset' | 'close') {
    super('no-answer', `A fault makes the sandbox ${how} the connection.`);
    this.how = how;
  }
}
