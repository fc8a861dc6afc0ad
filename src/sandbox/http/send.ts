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
const gzipped = promisify(gzip);

/** Compressed answers, for as long as these are held elsewhere: an answer that is sent again is not compressed again. */
const packed = new WeakMap<Uint8Array, Promise<Uint8Array>>();

function compressed(body: Uint8Array): Promise<Uint8Array> {
  const known = packed.get(body);
  if (known !== undefined) return known;
  const made = gzipped(body, packing);
  packed.set(body, made);
  return made;
}

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

/** Bytes that are written at once, so that it shows whether a client takes a long answer. */
const sliceBytes = 256 * 1024;

/** How an answer is sent. */
export interface Sending {
  /** The header Accept-Encoding of the request. */
  readonly accepted: Header;
  /** Called with the bytes of an answer that is in memory until it is taken. */
  readonly onHeld: (bytes: number) => void;
  /** Called when a part of it was taken. */
  readonly onTaken: () => void;
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

const nextTurn = promisify(setImmediate);

/** Sends an answer while it is made, no faster than it is taken, and gives way to others after each slice. */
async function sendStreamed(
  response: ServerResponse,
  { status, headers, body }: Sent,
  onTaken: () => void,
): Promise<void> {
  response.writeHead(status, headers);
  response.flushHeaders();
  let written = 0;
  for await (const chunk of body) {
    if (!response.write(chunk)) await taken(response);
    if (response.destroyed) return;
    onTaken();
    written += chunk.length;
    // What the system takes at once is taken before anybody else has a turn.
    if (written >= sliceBytes) {
      await nextTurn();
      written = 0;
    }
  }
  response.end();
}

/** Sends an answer compressed whose bytes are not in memory, after they were measured in a file. */
async function sendPacked(
  response: ServerResponse,
  { status, headers, body }: OutgoingResponse,
  onTaken: () => void,
): Promise<void> {
  const packed = openBodyFile();
  try {
    await pipeline(body, createGzip(packing), async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) packed.write(chunk);
    });
    const coded = { ...headers, 'content-encoding': 'gzip', 'content-length': String(packed.length) };
    await sendStreamed(response, { status, headers: coded, body: packed.open() }, onTaken);
  } finally {
    packed.close();
  }
}

function* slicesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}

async function sendMeasured(response: ServerResponse, answer: OutgoingResponse, sending: Sending): Promise<void> {
  const whole = await readWhole(answer);
  const isSmaller = acceptsGzip(sending.accepted) && whole.body.length > gzipFromBytes;
  const body = isSmaller ? await compressed(whole.body) : whole.body;
  const coding: Headers = isSmaller ? { 'content-encoding': 'gzip' } : {};
  const headers = { ...answer.headers, ...coding, 'content-length': String(body.length) };
  sending.onHeld(body.length);
  if (body.length > sliceBytes) {
    return sendStreamed(response, { status: answer.status, headers, body: slicesOf(body) }, sending.onTaken);
  }
  response.writeHead(answer.status, headers);
  response.end(body);
}

/** Sends an answer that declares its length or coding as it is; any other is measured, and compressed if that helps. */
export async function send(response: ServerResponse, answer: OutgoingResponse, sending: Sending): Promise<void> {
  const { accepted, onTaken } = sending;
  if ('content-length' in answer.headers || 'content-encoding' in answer.headers)
    return sendStreamed(response, answer, onTaken);
  const open = { ...answer, headers: { ...answer.headers, vary: 'Accept-Encoding' } };
  const { length } = answer;
  if (length === undefined) return sendMeasured(response, open, sending);
  if (acceptsGzip(accepted)) return sendPacked(response, open, onTaken);
  const headers = { ...open.headers, 'content-length': String(length) };
  return sendStreamed(response, { ...open, headers }, onTaken);
}

/**
 * Sends the answer to a request whose body is not read, and ends the connection. What still comes of the body is thrown
 * away for a time: a client whose connection is reset while it sends does not see the answer.
 */
export async function sendUnread(response: ServerResponse, answer: OutgoingResponse, forMs: number): Promise<void> {
  const { status, headers, body } = await readWhole(answer);
  response.writeHead(status, { ...headers, 'content-length': String(body.length), connection: 'close' });
  response.write(body);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, forMs);
    const over = (): void => {
      clearTimeout(timer);
      resolve();
    };
    response.req.once('end', over).once('close', over).resume();
    response.once('close', over);
  });
  response.end();
}
