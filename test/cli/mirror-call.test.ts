import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { callPlace, mirrorsCalls } from '../support/mirror/calls.js';
import { home, relctl } from '../support/relctl.js';

describe('A list of an operation in a mirror', () => {
  const place = callPlace();
  mirrorsCalls(place, { to: () => ['--mirror', join(place.here().folder, 'mirror.db')] });
});

describe('A mirror that an earlier version made', () => {
  const place = home();
  const { env, folder } = place;
  after(() => place.remove());

  // Made at commit 47caaa4, before lists of operations were mirrored: relctl mirror sync marks --profile sandbox --mirror FILE.
  it('is read and synced, and takes a list of an operation', async () => {
    const file = join(folder, 'earlier.db');
    const packed = new URL('../support/mirror/earlier.db.gz', import.meta.url);
    writeFileSync(file, gunzipSync(readFileSync(packed)), { mode: 0o600 });
    const run = async (...words: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await relctl([...words, '--mirror', file, '--profile', 'sandbox'], { env });
      assert.equal(code, 0, stderr);
      return stdout;
    };
    const before = await run('mirror', 'list', 'marks', '-o', 'ndjson');
    assert.equal(before.split('\n').length, 17);
    await run('mirror', 'add', 'call:MarkGetAll', '--list', 'Marks', '--as', 'all_marks');
    await run('mirror', 'sync', 'marks', 'call_all_marks');
    const listed = await relctl(['mark', 'list', '-o', 'ndjson', '--profile', 'sandbox'], { env });
    for (const table of ['marks', 'call_all_marks']) {
      assert.equal(await run('mirror', 'list', table, '-o', 'ndjson'), listed.stdout, table);
    }
  });
});
