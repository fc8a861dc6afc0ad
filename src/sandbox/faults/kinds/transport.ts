import { RelctlError } from '../../../core/errors/relctl-error.js';
import type { Middleware } from '../../context.js';
import { refusedResult } from '../../invoke.js';
import { type Effects, type FaultKind, argument, faultKind } from './fault-kind.js';
import { amount, choice, codeName, headerText, rate, text, time, whole } from './forms.js';
import { gzipSync } from 'node:zlib';
import type { WholeResponse } from '../../../soap/wire/response.js';
import { escapeText } from '../../../xml/escape.js';

const encoder = new TextEncoder();

const at = argument(choice(['request', 'before', 'head', 'amid', 'after']));

const answered = (status: number, headers: Readonly<Record<string, string>>, body: string): WholeResponse => ({
  status,
  headers,
  body: encoder.encode(body),
});

const page = (status: number, title: string): WholeResponse => {
  const heading = escapeText(title);
  const body = `<!DOCTYPE html>\n<html><head><title>${heading}</title></head><body><h1>${heading}</h1></body></html>\n`;
  return answered(status, { 'content-type': 'text/html; charset=utf-8' }, body);
};

const redirected = (status: number, location: string): WholeResponse => {
  const moved = page(status, 'Object moved');
  return { ...moved, headers: { ...moved.headers, location } };
};

const compressed = (answer: WholeResponse, amountOf: (length: number) => number): WholeResponse => {
  const packed = gzipSync(answer.body);
  const body = packed.subarray(0, amountOf(packed.length));
  const headers = { ...answer.headers, 'content-encoding': 'gzip', 'content-length': String(body.length) };
  return { ...answer, headers, body };
};

const truncated = (amountOf: (length: number) => number): Effects => ({
  rewrite: (answer) => ({ ...answer, body: answer.body.subarray(0, amountOf(answer.body.length)) }),
});

/** Faults of time, connections, bytes and HTTP: none of them looks at the operation. */
export const transportFaults: readonly FaultKind[] = [
  faultKind('latency', { value: argument(time), effects: (waitMs) => ({ waitMs: () => waitMs }) }),
  faultKind('jitter', {
    value: argument(time),
    effects: (mostMs) => ({ waitMs: (random) => random.below(Math.floor(mostMs) + 1) }),
  }),
  faultKind('drip', { value: argument(rate), effects: (drip) => ({ drip }) }),
  faultKind('reset', { value: at, role: 'cut', effects: (point) => ({ cut: { how: 'reset', point } }) }),
  faultKind('close', { value: at, role: 'cut', effects: (point) => ({ cut: { how: 'close', point } }) }),
  faultKind('stall', {
    value: argument(choice(['request', 'before', 'head', 'amid'])),
    role: 'cut',
    effects: (point) => ({ cut: { how: 'stall', point } }),
  }),
  faultKind('truncate', { value: argument(amount), effects: truncated }),
  faultKind('truncate-gzip', {
    value: argument(amount),
    effects: (amountOf) => ({ rewrite: (answer) => compressed(answer, amountOf) }),
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
          `A fault makes the sandbox answer ${status}.\n`,
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

const thrown =
  (code: string, message: string): Middleware =>
  () => {
    throw new RelctlError('refused', message, { facts: { foreignCode: code } });
  };

const inform =
  (ErrorInformation: string, carriesOut: boolean): Middleware =>
  (request, execute) => {
    const { operation } = request;
    // Other results have no such member.
    if (!Object.hasOwn(operation.result, 'ErrorInformation')) return execute(request);
    if (!carriesOut) return { operation, result: { ErrorInformation } };
    const executed = execute(request);
    return { ...executed, result: { ...executed.result, ErrorInformation } };
  };

/** Faults of SOAP and of results: refusals in each of the forms that such services have. */
export const soapFaults: readonly FaultKind[] = [
  faultKind('fault', {
    value: argument(choice(['Client', 'Server', 'MustUnderstand', 'VersionMismatch']), 'Server'),
    args: {
      message: argument(text, 'A fault makes the sandbox fail.'),
      subcode: argument(codeName, ''),
      'http-status': argument(whole(200, 599), '500'),
    },
    role: 'answer',
    effects: (side, { message, subcode, 'http-status': status }) => ({
      middleware: () => thrown(subcode === '' ? side : `${side}.${subcode}`, message),
      rewrite: (answer) => (answer.status === 500 ? { ...answer, status } : answer),
    }),
  }),
  faultKind('not-succeeded', {
    args: {
      number: argument(whole(0, 2_147_483_647), '500'),
      code: argument(text, 'Failed'),
      message: argument(text, 'A fault makes the sandbox fail.'),
    },
    role: 'answer',
    effects: (_, { number, code, message: description }) => ({
      middleware:
        () =>
        ({ operation }) => ({ operation, result: refusedResult(operation, { number, code, description }) }),
    }),
  }),
  faultKind('error-information', {
    value: argument(text, 'A fault makes the sandbox fail.'),
    args: { data: argument(choice(['with', 'without']), 'without') },
    role: 'answer',
    effects: (message, { data }) => ({ middleware: () => inform(message, data === 'with') }),
  }),
];
