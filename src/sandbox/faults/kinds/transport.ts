import { gzipSync } from 'node:zlib';
import { escapeText } from '../../../xml/writer.js';
import type { Effects, WholeAnswer } from './effects.js';
import { argument, faultKind, type FaultKind } from './fault-kind.js';
import { amount, choice, headerText, rate, text, time, whole } from './forms.js';

const encoder = new TextEncoder();

const at = argument(choice(['request', 'before', 'head', 'amid', 'after']), 'Where it ends.');

const places =
  '`request`: the call is not carried out; `before`: it is, and no byte of the answer comes; `head`: behind the headers; ' +
  '`amid`: in the middle of the body; `after`: behind the whole body.';

const answered = (status: number, headers: Readonly<Record<string, string>>, body: string): WholeAnswer => ({
  status,
  headers,
  body: encoder.encode(body),
});

const page = (status: number, title: string): WholeAnswer => {
  const shown = escapeText(title);
  const body = `<!DOCTYPE html>\n<html><head><title>${shown}</title></head><body><h1>${shown}</h1></body></html>\n`;
  return answered(status, { 'content-type': 'text/html; charset=utf-8' }, body);
};

const redirected = (status: number, location: string): WholeAnswer => {
  const moved = page(status, 'Object moved');
  return { ...moved, headers: { ...moved.headers, location } };
};

const compressed = (answer: WholeAnswer, kept: (length: number) => number): WholeAnswer => {
  const packed = gzipSync(answer.body);
  const body = packed.subarray(0, kept(packed.length));
  const headers = { ...answer.headers, 'content-encoding': 'gzip', 'content-length': String(body.length) };
  return { ...answer, headers, body };
};

const truncated = (kept: (length: number) => number): Effects => ({
  rewrite: (answer) => ({ ...answer, body: answer.body.subarray(0, kept(answer.body.length)) }),
});

/** Faults of time, connections, bytes and HTTP: they need not know what an operation is. */
export const transportFaults: readonly FaultKind[] = [
  faultKind({
    name: 'latency',
    family: 'time',
    words: 'Holds the answer back.',
    value: argument(time, 'For how long.'),
    example: 'latency=200ms;operation=RelationGetAll',
    effects: (waitMs) => ({ waitMs: () => waitMs }),
  }),
  faultKind({
    name: 'jitter',
    family: 'time',
    words: 'Holds the answer back for a time that differs from call to call, by the seed.',
    value: argument(time, 'The longest time.'),
    example: 'latency=100ms,jitter=50ms;seed=7',
    effects: (mostMs) => ({ waitMs: (random) => random.below(Math.floor(mostMs) + 1) }),
  }),
  faultKind({
    name: 'drip',
    family: 'time',
    words: 'Sends the body slowly, a few bytes at a time.',
    value: argument(rate, 'How many bytes, how often.'),
    example: 'drip=512/10ms;first=1',
    effects: (drip) => ({ drip }),
  }),
  faultKind({
    name: 'reset',
    family: 'connection',
    words: `Resets the connection. ${places}`,
    value: at,
    example: 'reset=amid;every=3',
    role: 'cut',
    effects: (place) => ({ cut: { how: 'reset', place } }),
  }),
  faultKind({
    name: 'close',
    family: 'connection',
    words: 'Closes the connection in good order, but too early. The places are those of `reset`.',
    value: at,
    example: 'close=before;first=1',
    role: 'cut',
    effects: (place) => ({ cut: { how: 'close', place } }),
  }),
  faultKind({
    name: 'stall',
    family: 'connection',
    words: 'Keeps the connection and sends nothing more. The places are those of `reset`.',
    value: argument(choice(['request', 'before', 'head', 'amid']), 'Where it stops.'),
    example: 'stall=head;first=1',
    role: 'cut',
    effects: (place) => ({ cut: { how: 'stall', place } }),
  }),
  faultKind({
    name: 'truncate',
    family: 'bytes',
    words: 'Sends the beginning of the body only, under a Content-Length that fits: XML that stops.',
    value: argument(amount, 'How much of it is sent.'),
    example: 'truncate=50%;every=2',
    effects: truncated,
  }),
  faultKind({
    name: 'truncate-gzip',
    family: 'bytes',
    words: 'Compresses the body, asked or not, and sends the beginning of that.',
    value: argument(amount, 'How much of it is sent.'),
    example: 'truncate-gzip=-8;first=1',
    effects: (kept) => ({ rewrite: (answer) => compressed(answer, kept) }),
  }),
  faultKind({
    name: 'status',
    family: 'http',
    words: 'Answers with an HTTP status and a line of text; the call is not carried out.',
    value: argument(whole(200, 599), 'The status.'),
    args: { 'retry-after': argument(headerText, 'Retry-After: seconds, a date, or nonsense.', '') },
    example: 'status=503,retry-after=1;every=2',
    role: 'answer',
    effects: (status, { 'retry-after': wait }) => ({
      instead: () =>
        answered(
          status,
          { 'content-type': 'text/plain; charset=utf-8', ...(wait === '' ? {} : { 'retry-after': wait }) },
          `The sandbox was told to answer ${status}.\n`,
        ),
    }),
  }),
  faultKind({
    name: 'html',
    family: 'http',
    words: 'Answers with an HTML page, as a proxy or a gateway does; the call is not carried out.',
    value: argument(whole(200, 599), 'The status of the page.', '502'),
    args: { title: argument(text, 'Its title.', 'Bad Gateway') },
    example: 'html=502,title="The gateway has no answer";share=20%;seed=3',
    role: 'answer',
    effects: (status, { title }) => ({ instead: () => page(status, title) }),
  }),
  faultKind({
    name: 'redirect',
    family: 'http',
    words: 'Points to another address; the call is not carried out.',
    value: argument(choice(['301', '302', '303', '307', '308']), 'The status.', '307'),
    args: { to: argument(headerText, 'The address.', 'https://elsewhere.invalid/V1/service.asmx') },
    example: 'redirect=302,to=http://127.0.0.1:9/login',
    role: 'answer',
    effects: (status, { to }) => ({ instead: () => redirected(Number(status), to) }),
  }),
];
