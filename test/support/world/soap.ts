import type { AnswerText } from '../broken-server.js';
import { envelope, fault12, namespace } from '../soap-answers.js';
import type { Answer } from './network.js';

/** Name of the operation that a request calls. */
export const operationIn = (body: string): string =>
  new RegExp(`<([A-Za-z_0-9]+) xmlns="${namespace}"`).exec(body)?.[1] ?? '';

/** Text of the first element of a name; empty where there is none. */
export const elementIn = (body: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1] ?? '';

const sent = ({ status = 200, headers = {}, body = '' }: AnswerText): Answer => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  body: String(body),
});

/** The answer to a call with this content of its result. */
export const resultOf = (operation: string, content: string): Answer =>
  sent(
    envelope(
      '1.2',
      `<${operation}Response xmlns="${namespace}"><${operation}Result>${content}</${operation}Result></${operation}Response>`,
    ),
  );

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The answer by which a service says no; it may quote what it was asked, with all that is in it. */
export const refusal = (quoted = ''): Answer => sent(fault12('Sender', `the record is closed ${escaped(quoted)}`));

/** Answers by which a service that is asked too much does nothing: it may say when to come again. */
export const busy = (status: 429 | 503, afterS: number | undefined, quoted = ''): Answer => ({
  status,
  headers: { 'content-type': 'text/html', ...(afterS === undefined ? {} : { 'retry-after': String(afterS) }) },
  body: `<html><body>busy ${quoted}</body></html>`,
});
