import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Headers, OutgoingResponse } from '../../soap/transport/http.js';
import { readWhole } from '../answers.js';

/** Smaller answers are sent as they are: compressing costs more than it saves. */
const gzipFromBytes = 1024;

const gzipped = promisify(gzip);

type Header = string | readonly string[] | undefined;

const acceptsGzip = (accepted: Header): boolean =>
  String(accepted ?? '')
    .split(',')
    .some((part) => {
      const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      return coding === 'gzip' && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
    });

/** Bytes that are written at once, so that it shows whether a client takes a long answer. */
const sliceBytes = 256 * 1024;

/** How an answer is sent. */
export interface Sending {
  /** The header Accept-Encoding of the request. */
  readonly accepted: Header;
  /** Called with the bytes of an answer that are in memory: at first, and when some were taken. */
  readonly onHeld: (bytes: number) => void;
}

const taken = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });

async function sendStreamed(response: ServerResponse, { status, headers, body }: OutgoingResponse): Promise<void> {
  response.writeHead(status, headers);
  response.flushHeaders();
  for await (const chunk of body) {
    if (!response.write(chunk)) await taken(response);
    if (response.destroyed) return;
  }
  response.end();
}

async function sendMeasured(
  response: ServerResponse,
  answer: OutgoingResponse,
  { accepted, onHeld }: Sending,
): Promise<void> {
  const whole = await readWhole(answer);
  onHeld(whole.body.length);
  const isSmaller = acceptsGzip(accepted) && whole.body.length > gzipFromBytes;
  const body = isSmaller ? await gzipped(whole.body, { level: 1 }) : whole.body;
  const coding: Headers = isSmaller ? { 'content-encoding': 'gzip' } : {};
  response.writeHead(answer.status, { ...answer.headers, ...coding, 'content-length': String(body.length) });
  for (let at = 0; at < body.length; at += sliceBytes) {
    onHeld(body.length - at);
    if (!response.write(body.subarray(at, at + sliceBytes))) await taken(response);
    if (response.destroyed) return;
  }
  response.end();
}

/**
 * Sends an answer that declares its length or coding as it is, and one that is not in memory with its length; any other is
 * measured, and compressed if that helps.
 */
export async function send(response: ServerResponse, answer: OutgoingResponse, sending: Sending): Promise<void> {
  if ('content-length' in answer.headers || 'content-encoding' in answer.headers) return sendStreamed(response, answer);
  const { length } = answer;
  const headers = { ...answer.headers, vary: 'Accept-Encoding' };
  if (length === undefined) return sendMeasured(response, { ...answer, headers }, sending);
  return sendStreamed(response, { ...answer, headers: { ...headers, 'content-length': String(length) } });
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
