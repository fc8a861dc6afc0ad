import { gzipSync } from 'node:zlib';
import type { WholeResponse } from '../../../soap/wire/response.js';
import { escapeText } from '../../../xml/writer.js';
import { argument, type Effects, faultKind, type FaultKind } from './fault-kind.js';
import { amount, choice, headerText, rate, text, time, whole } from './forms.js';

const encoder = new TextEncoder();

const at = argument(choice(['request', 'before', 'head', 'amid', 'after']));

const answered = (status: number, headers: Readonly<Record<string, string>>, body: string): WholeResponse => ({
  status,
  headers,
  body: encoder.encode(body),
});

const page = (status: number, title: string): WholeResponse => {
  const shown = escapeText(title);
  const body = `<!DOCTYPE html>\n<html><head><title>${shown}</title></head><body><h1>${shown}</h1></body></html>\n`;
  return answered(status, { 'content-type': 'text/html; charset=utf-8' }, body);
};

const redirected = (status: number, location: string): WholeResponse => {
  const moved = page(status, 'Object moved');
  return { ...moved, headers: { ...moved.headers, location } };
};

const compressed = (answer: WholeResponse, kept: (length: number) => number): WholeResponse => {
  const packed = gzipSync(answer.body);
  const body = packed.subarray(0, kept(packed.length));
  const headers = { ...answer.headers, 'content-encoding': 'gzip', 'content-length': String(body.length) };
  return { ...answer, headers, body };
};

const truncated = (kept: (length: number) => number): Effects => ({
  rewrite: (answer) => ({ ...answer, body: answer.body.subarray(0, kept(answer.body.length)) }),
});

/** Faults of time, connections, bytes and HTTP: none of them looks at the operation. */
export const transportFaults: readonly FaultKind[] = [
  faultKind('latency', { value: argument(time), effects: (waitMs) => ({ waitMs: () => waitMs }) }),
  faultKind('jitter', {
    value: argument(time),
    effects: (mostMs) => ({ waitMs: (random) => random.below(Math.floor(mostMs) + 1) }),
  }),
  faultKind('drip', { value: argument(rate), effects: (drip) => ({ drip }) }),
  faultKind('reset', { value: at, role: 'cut', effects: (place) => ({ cut: { how: 'reset', place } }) }),
  faultKind('close', { value: at, role: 'cut', effects: (place) => ({ cut: { how: 'close', place } }) }),
  faultKind('stall', {
    value: argument(choice(['request', 'before', 'head', 'amid'])),
    role: 'cut',
    effects: (place) => ({ cut: { how: 'stall', place } }),
  }),
  faultKind('truncate', { value: argument(amount), effects: truncated }),
  faultKind('truncate-gzip', {
    value: argument(amount),
    effects: (kept) => ({ rewrite: (answer) => compressed(answer, kept) }),
  }),
  faultKind('status', {
    value: argument(whole(200, 599)),
    args: { 'retry-after': argument(headerText, '') },
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
  faultKind('html', {
    value: argument(whole(200, 599), '502'),
    args: { title: argument(text, 'Bad Gateway') },
    role: 'answer',
    effects: (status, { title }) => ({ instead: () => page(status, title) }),
  }),
  faultKind('redirect', {
    value: argument(choice(['301', '302', '303', '307', '308']), '307'),
    args: { to: argument(headerText, 'https://elsewhere.invalid/V1/service.asmx') },
    role: 'answer',
    effects: (status, { to }) => ({ instead: () => redirected(Number(status), to) }),
  }),
];
