import assert from 'node:assert/strict';
import type { Kind } from '../../../src/core/errors/kinds.js';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import type { Context } from '../../../src/kit/host/context.js';
import { failureTally } from '../../../src/lists/ids/outcomes.js';
import { thrownBy } from '../../support/thrown.js';

/** How a run ends whose ids failed in these ways. */
async function ended(kinds: readonly Kind[], count: number): Promise<RelctlError> {
  const context: Partial<Context> = { errorShape: 'json', notes: [] };
  const tally = failureTally(context as Context, count);
  for (const [at, kind] of kinds.entries()) {
    await tally.take({ kind: 'failed', item: { id: 'x', line: at + 1 }, error: new RelctlError(kind, 'no') });
  }
  for (let at = kinds.length; at < count; at += 1) await tally.take({ kind: 'done', item: { id: 'y', line: at + 1 } });
  return thrownBy(() => tally.end());
}

describe('The end of a run over ids of which some failed', () => {
  it('offers the service that was asked where all of these are missing, and else says nothing of its own', async () => {
    for (const [kinds, count, kind, hint] of [
      [['not-found'], 2, 'partial', 'relctl whoami'],
      [['not-found', 'not-found'], 2, 'not-found', 'relctl whoami'],
      [['not-found', 'refused'], 2, 'partial', undefined],
      [['refused'], 2, 'partial', undefined],
      [['no-answer', 'not-found'], 3, 'partial', undefined],
    ] as const) {
      const error = await ended(kinds, count);
      assert.deepEqual([error.kind, error.hint, error.advice === undefined], [kind, hint, hint === undefined]);
    }
  });
});
