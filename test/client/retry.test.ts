import assert from 'node:assert/strict';
import { decide, delayMs } from '../../src/client/retry.js';
import type { Access } from '../../src/contract/build.js';
import type { Kind } from '../../src/errors/kinds.js';
import { RelctlError, type ErrorFacts } from '../../src/errors/relctl-error.js';

const failure = (kind: Kind, facts: ErrorFacts = {}): RelctlError => new RelctlError(kind, 'it failed', { facts });

function outcome(access: Access, error: RelctlError, left = 2): string {
  const decision = decide(access, left, error);
  return decision.action === 'retry' ? 'retry' : decision.error.kind;
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
  ['fault', failure('refused', { code: 'Server', httpStatus: 500 }), 'refused', 'refused', 'refused'],
  ['credentials', failure('profile', { httpStatus: 401 }), 'profile', 'profile', 'profile'],
  ['bad input', failure('usage'), 'usage', 'usage', 'usage'],
];

describe('The decision after a failed attempt', () => {
  for (const [name, error, read, set, add] of table) {
    it(`${name}: read ${read}, set ${set}, add ${add}`, () => {
      assert.deepEqual([outcome('read', error), outcome('set', error), outcome('add', error)], [read, set, add]);
    });
  }

  it('repeats nothing when no attempt is left', () => {
    for (const [, error] of table) assert.notEqual(outcome('read', error, 0), 'retry');
  });

  it('keeps where a write was lost when its outcome becomes unknown', () => {
    const decision = decide('add', 2, failure('no-answer', { code: 'reset', url: 'http://crm.example' }));
    assert.ok(decision.action === 'fail');
    assert.equal(decision.error.facts.code, 'reset');
  });
});

describe('The wait before another attempt', () => {
  it('stays under an exponential cap of at most 20 seconds', () => {
    for (let attempt = 1; attempt < 20; attempt += 1) {
      const longest = delayMs(attempt, failure('no-answer'), 0.999) ?? 0;
      assert.ok(longest <= Math.min(20_000, 250 * 2 ** attempt));
    }
    assert.equal(delayMs(3, failure('no-answer'), 0), 0);
  });

  it('is what Retry-After asks, and none at all when that is more than a minute', () => {
    assert.equal(delayMs(1, failure('no-answer', { retryAfterSeconds: 2 }), 0.5), 2000);
    assert.equal(delayMs(1, failure('no-answer', { retryAfterSeconds: 7200 }), 0.5), undefined);
  });
});
