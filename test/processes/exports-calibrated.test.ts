import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ends, home, relctl, type Run } from '../support/relctl.js';
import { sandboxHere } from '../support/sandbox.js';

interface Found {
  readonly FirstPage: number;
  readonly PageCap: number | null;
  readonly PageSize: number | null;
  readonly RespectsPageNumber: boolean;
  readonly Kept: boolean;
  readonly Evidence: readonly string[];
}

describe('What profile test --calibrate finds out', function () {
  for (const { faults, firstPage, pageCap } of [
    { faults: [], firstPage: 1, pageCap: null },
    { faults: ['first-page=0'], firstPage: 0, pageCap: null },
    { faults: ['first-page=1'], firstPage: 1, pageCap: null },
    { faults: ['page-cap=17'], firstPage: 1, pageCap: 17 },
    { faults: ['page-cap=120'], firstPage: 1, pageCap: 120 },
    { faults: ['first-page=0', 'page-cap=17'], firstPage: 0, pageCap: 17 },
  ]) {
    it(`is kept with its date and evidence, and makes lists right: ${faults.join(' and ') || 'no faults'}`, async () => {
      const place = home();
      const service = await sandboxHere(
        place.env,
        faults.flatMap((fault) => ['--fault', fault]),
      );
      const run = (...args: readonly string[]): Promise<Run> => relctl(args, { env: place.env });
      try {
        const [, , , ...words] = service.profileAdd;
        const added = await relctl(['profile', 'add', 'there', ...words], {
          env: place.env,
          input: `${service.secrets}\n`,
        });
        assert.equal(added.code, 0, added.stderr);
        const tested = await ends(run('profile', 'test', 'there', '--calibrate', '-o', 'json'), 0);
        const found = JSON.parse(tested.stdout) as Found;
        assert.deepEqual(
          [found.FirstPage, found.PageCap ?? null, found.RespectsPageNumber, found.Kept],
          [firstPage, pageCap, true, true],
        );
        assert.ok(found.Evidence.length >= 3, found.Evidence.join('; '));
        const config = join(place.folder, 'config', 'relctl');
        const kept = readdirSync(config).map((name) => readFileSync(join(config, name), 'utf8'));
        assert.ok(kept.some((text) => text.includes('"calibration"') && /"date":\s*"\d{4}-\d\d-\d\dT/.test(text)));
        const file = join(place.folder, 'list.csv');
        await ends(
          run('relation', 'list', '-p', 'there', '-o', 'csv', '--columns', 'Id', '--output-file', file),
          0,
          '',
        );
        const ids = readFileSync(file, 'utf8').trim().split('\n').slice(1);
        assert.deepEqual([ids.length, new Set(ids).size], [250, 250]);
        // A list that is on one page says nothing of larger ones: then it is asked for as that of a service not known.
        const shown = await run('relation', 'list', '-p', 'there', '--envelope');
        assert.equal(found.PageSize ?? null, pageCap);
        assert.match(shown.stdout, new RegExp(`<pageSize>${pageCap ?? 1000}</pageSize>`));
        const checks = await run('profile', 'test', 'there', '-o', 'csv');
        assert.equal(checks.stdout.includes(`lists with ${pageCap} rows`), pageCap !== null);
      } finally {
        await service.stop();
        place.remove();
      }
    });
  }

  it('is that pageNumber is ignored, and how to read such a service', async () => {
    const place = home();
    const service = await sandboxHere(place.env, ['--fault', 'page-number-ignored']);
    try {
      const tested = await relctl(['profile', 'test', 'sandbox', '--calibrate', '-o', 'json'], { env: place.env });
      assert.equal(tested.code, 0, tested.stderr);
      const found = JSON.parse(tested.stdout) as Found;
      assert.deepEqual([found.RespectsPageNumber, found.Kept], [false, false]);
      assert.match(tested.stderr, /ignores pageNumber/);
      const words = ['relation', 'list', '-p', 'sandbox'];
      const listed = await relctl(words, { env: place.env });
      assert.match(listed.stderr, /Try: relctl relation list -p sandbox --page 1 --page-size 100000$/m);
      const synced = await ends(relctl(['mirror', 'sync', 'relations', '-p', 'sandbox'], { env: place.env }), 7);
      assert.doesNotMatch(synced.stderr, /--page /);
      assert.match(synced.stderr, /Try: relctl mirror sync relations -p sandbox --trace$/m);
    } finally {
      await service.stop();
      place.remove();
    }
  });
});
