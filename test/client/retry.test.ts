import assert from 'node:assert/strict';
import { delayMs, lastFailure } from '../../src/client/retry.js';
import type { Access } from '../../src/contract/build.js';
import type { Code } from '../../src/core/errors/codes.js';
import type { Kind } from '../../src/core/errors/kinds.js';
import { RelctlError, type ErrorFacts } from '../../src/core/errors/relctl-error.js';

const failure = (kind: Kind, facts: ErrorFacts = {}): RelctlError => new RelctlError(kind, 'it failed', { facts });

function outcome(access: Access, error: RelctlError, left = 2): string {
  return lastFailure(access, left, error)?.kind ?? 'retry';
}

/** Failure, then what becomes of a read, of a write that sets and of a write that adds. */
const table: readonly [string, RelctlError, string, string, string][] = [
  ['name not found', failure('no-answer', { code: 'dns', unsent: true }), 'retry', 'retry', 'retry'],
  ['refused', failure('no-answer', { code: 'connect-refused', unsent: true }), 'retry', 'retry', 'retry'],
  ['certificate', failure('no-answer', { code: 'certificate', unsent: true }), 'no-answer', 'no-answer', 'no-answer'],
  ['reset after sending', failure('no-answer', { code: 'reset' }), 'retry', 'outcome-unknown', 'outcome-unknown'],
  [
    'no first byte',
    failure('no-answer', { code: 'timeout-first-byte' }),
    'retry',
    'outcome-unknown',
    'outcome-unknown',
  ],
  ['503', failure('no-answer', { httpStatus: 503 }), 'retry', 'outcome-unknown', 'outcome-unknown'],
  ['500 without SOAP', failure('no-answer', { httpStatus: 500 }), 'retry', 'outcome-unknown', 'outcome-unknown'],
  ['429', failure('no-answer', { httpStatus: 429 }), 'retry', 'no-answer', 'no-answer'],
  ['404', failure('no-answer', { httpStatus: 404 }), 'no-answer', 'no-answer', 'no-answer'],
  ['301', failure('no-answer', { httpStatus: 301 }), 'no-answer', 'no-answer', 'no-answer'],
  ['302', failure('no-answer', { httpStatus: 302 }), 'no-answer', 'outcome-unknown', 'outcome-unknown'],
  ['truncated XML', failure('bad-answer', { code: 'xml-truncated' }), 'retry', 'outcome-unknown', 'outcome-unknown'],
  ['DOCTYPE', failure('bad-answer', { code: 'xml-doctype' }), 'bad-answer', 'outcome-unknown', 'outcome-unknown'],
  ['fault', failure('refused', { foreignCode: 'Server', httpStatus: 500 }), 'refused', 'refused', 'refused'],
  ['credentials', failure('profile', { httpStatus: 401 }), 'profile', 'profile', 'profile'],
  ['bad input', failure('usage'), 'usage', 'usage', 'usage'],
];

const noAnswer = (httpStatus: number): RelctlError => failure('no-answer', { httpStatus });
const badAnswer = (code: Code): RelctlError => failure('bad-answer', { code });

/** Every status and code that the decision knows, with its neighbours that it does not; what a read and an add come to. */
const rows: readonly (readonly [what: string, error: RelctlError, read: string, add: string])[] = [
  ...[408, 500, 502, 503, 504].map(
    (status) => [`HTTP ${status}`, noAnswer(status), 'retry', 'outcome-unknown'] as const,
  ),
  [`HTTP 429`, noAnswer(429), 'retry', 'no-answer'],
  ...[301, 307, 308, 400, 401, 403, 404, 405, 407, 410, 411, 413, 414, 415, 417, 421, 431, 511].map(
    (status) => [`HTTP ${status}`, noAnswer(status), 'no-answer', 'no-answer'] as const,
  ),
  ...[302, 303, 402, 406, 409, 412, 418, 501, 505].map(
    (status) => [`HTTP ${status}`, noAnswer(status), 'no-answer', 'outcome-unknown'] as const,
  ),
  ...(['certificate', 'proxy-authentication', 'redirect', 'client-certificate'] as const).map(
    (code) => [code, failure('no-answer', { code, unsent: true }), 'no-answer', 'no-answer'] as const,
  ),
  ...(
    [
      ...['dns', 'connect-refused', 'connect-timeout', 'unreachable', 'tls', 'proxy', 'timeout-connect'],
      'timeout-tls',
    ] as const
  ).map((code) => [`${code}, not sent`, failure('no-answer', { code, unsent: true }), 'retry', 'retry'] as const),
  ...(['reset', 'timeout-first-byte', 'timeout-idle', 'timeout-whole', 'network'] as const).map(
    (code) => [`${code}, sent`, failure('no-answer', { code }), 'retry', 'outcome-unknown'] as const,
  ),
  ...(['truncated', 'xml-truncated', 'empty', 'closed', 'reset'] as const).map(
    (code) => [`an answer that is ${code}`, badAnswer(code), 'retry', 'outcome-unknown'] as const,
  ),
  ...(
    ['not-soap', 'xml-malformed', 'xml-encoding', 'limit', 'encoding', 'wrong-element', 'envelope', 'not-http'] as const
  ).map((code) => [`an answer that is ${code}`, badAnswer(code), 'bad-answer', 'outcome-unknown'] as const),
  ['Ctrl-C', failure('interrupted'), 'interrupted', 'outcome-unknown'],
  ['Ctrl-C before it was sent', failure('interrupted', { unsent: true }), 'interrupted', 'interrupted'],
  ...(['usage', 'profile', 'refused', 'not-found', 'local', 'bug'] as const).map(
    (kind) => [kind, failure(kind), kind, kind] as const,
  ),
];

describe('The decision after a failed attempt', () => {
  for (const [what, error, read, add] of rows) {
    it(`${what}: read ${read}, add ${add}`, () => {
      assert.deepEqual([outcome('read', error), outcome('add', error), outcome('set', error)], [read, add, add]);
      assert.notEqual(outcome('read', error, 0), 'retry');
      assert.notEqual(outcome('add', error, 0), 'retry');
    });
  }

  for (const [name, error, read, set, add] of table) {
    it(`${name}: read ${read}, set ${set}, add ${add}`, () => {
      assert.deepEqual([outcome('read', error), outcome('set', error), outcome('add', error)], [read, set, add]);
    });
  }

  it('repeats nothing when no attempt is left', () => {
    for (const [, error] of table) assert.notEqual(outcome('read', error, 0), 'retry');
  });

  it('keeps where a write was lost when its outcome becomes unknown', () => {
    const error = failure('no-answer', { code: 'reset', url: 'http://crm.example' });
    assert.equal(lastFailure('add', 2, error)?.facts.code, 'reset');
  });
});

describe('The wait before another attempt', () => {
  it('is a part, by chance, of a bound that doubles up to twenty seconds', () => {
    const longest = [500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000];
    for (const [index, most] of longest.entries()) {
      const waits = [0, 0.25, 0.999].map((random) => delayMs(index + 1, failure('no-answer'), random));
      assert.deepEqual(waits, [0, most / 4, most * 0.999]);
    }
    assert.equal(delayMs(1000, failure('no-answer'), 0.5), 10_000);
  });

  it('is what Retry-After asks, and none at all when that is more than a minute', () => {
    assert.equal(delayMs(1, failure('no-answer', { retryAfterSeconds: 2 }), 0.5), 2000);
    assert.equal(delayMs(1, failure('no-answer', { retryAfterSeconds: 0 }), 0.5), 0);
    assert.equal(delayMs(1, failure('no-answer', { retryAfterSeconds: 60 }), 0.5), 60_000);
    assert.equal(delayMs(1, failure('no-answer', { retryAfterSeconds: 61 }), 0.5), undefined);
  });
});
