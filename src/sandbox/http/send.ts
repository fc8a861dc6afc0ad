import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import { openBodyFile } from '../../files/body-file.js';
import type { Headers, OutgoingResponse } from '../../soap/transport/http.js';
import { readWhole } from '../answers.js';

/** Smaller answers are sent as they are: compressing costs more than it saves. */
const gzipFromBytes = 1024;

const packing = { level: 1 };
const compressed = promisify(gzip);

/** A header of a request. */
type Header = string | readonly string[] | undefined;

const acceptsGzip = (accepted: Header): boolean =>
  String(accepted ?? '')
    .split(',')
    .some((part) => {
      const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      return coding === 'gzip' && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
    });

interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Resolves when more can be written, or nothing any more. */
const taken = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });

/** Sends an answer while it is made, no faster than it is taken. */
async function sendStreamed(response: ServerResponse, { status, headers, body }: Sent): Promise<void> {
  response.writeHead(status, headers);
  response.flushHeaders();
  for await (const chunk of body) {
    if (!response.write(chunk)) await taken(response);
    if (response.destroyed) return;
  }
  response.end();
}

/** Sends an answer compressed whose bytes are not in memory, after they were measured in a file. */
async function sendPacked(response: ServerResponse, { status, headers, body }: OutgoingResponse): Promise<void> {
  const packed = openBodyFile();
  try {
    await pipeline(body, createGzip(packing), async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) packed.write(chunk);
    });
    const coded = { ...headers, 'content-encoding': 'gzip', 'content-length': String(packed.length) };
    await sendStreamed(response, { status, headers: coded, body: packed.open() });
  } finally {
    packed.close();
  }
}

async function sendMeasured(response: ServerResponse, answer: OutgoingResponse, isPacked: boolean): Promise<void> {
  const whole = await readWhole(answer);
  const isSmaller = isPacked && whole.body.length > gzipFromBytes;
  const body = isSmaller ? await compressed(whole.body, packing) : whole.body;
  const coding: Headers = isSmaller ? { 'content-encoding': 'gzip' } : {};
  response.writeHead(answer.status, { ...answer.headers, ...coding, 'content-length': String(body.length) });
  response.end(body);
}

/**
 * Sends an answer that declares its length or coding as it is; any other is measured, and compressed if that helps.
 * @param accepted the header Accept-Encoding of the request
 */
export async function send(response: ServerResponse, answer: OutgoingResponse, accepted: Header): Promise<void> {
  if ('content-length' in answer.headers || 'content-encoding' in answer.headers) return sendStreamed(response, answer);
  const open = { ...answer, headers: { ...answer.headers, vary: 'Accept-Encoding' } };
  const { length } = answer;
  if (length === undefined) return sendMeasured(response, open, acceptsGzip(accepted));
  if (acceptsGzip(accepted)) return sendPacked(response, open);
  return sendStreamed(response, { ...open, headers: { ...open.headers, 'content-length': String(length) } });
}
