import type { AnswerText } from '../broken-server.js';
import { envelope, fault12, namespace } from '../soap-answers.js';
import type { Lots } from './disk.js';
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

/** Text as XML has it between tags. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The answer by which a service says no; it may quote what it was asked, with all that is in it. */
export const refusal = (quoted = ''): Answer => sent(fault12('Sender', `the record is closed ${escaped(quoted)}`));

const busy = (status: 429 | 503, afterS: number | undefined, quoted: string): Answer => ({
  status,
  headers: { 'content-type': 'text/html', ...(afterS === undefined ? {} : { 'retry-after': String(afterS) }) },
  body: `<html><body>busy ${quoted}</body></html>`,
});

/**
 * The answer by which a service that is asked too much does nothing, in so many of a hundred calls: it may say when to come
 * again, and quotes what it was asked.
 */
export const busyAnswer = (lots: Lots, percent: number, body: string): Answer | undefined =>
  lots(100) < percent ? busy(lots(2) === 0 ? 429 : 503, [undefined, 0, 3, 40][lots(4)], body) : undefined;
