import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../../../src/kit/host/context.js';
import { readIds } from '../../../src/lists/ids/read.js';

const idOf = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

describe('The file of --ids', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-ids-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Whether garbage is to be collected early while so many ids are read. */
  async function isEarly(count: number): Promise<boolean> {
    const file = join(folder, 'ids.txt');
    writeFileSync(file, Array.from({ length: count }, (_, at) => `${idOf(at)}\n`).join(''));
    let isTold = false;
    const context: Partial<Context> = {
      environment: { pathOf: (path: string) => path } as Context['environment'],
      signal: new AbortController().signal,
      collectGarbage: () => void (isTold = true),
    };
    const ids = await readIds(context as Context, { quiet: true }, file);
    assert.equal(ids.size, count);
    return isTold;
  }

  it('has garbage collected early before many ids are read, and as usual for a few', async () => {
    assert.equal(await isEarly(9), false);
    assert.equal(await isEarly(10), true);
    assert.equal(await isEarly(20_000), true);
  });
});
