import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { callsIn, place } from '../../support/operations/place.js';
import { ends, type Run } from '../../support/relctl.js';
import { argv } from '../../support/argv.js';

const slower = 'Note: relctl calls the service less often from now on: it answered HTTP 429 again\n';

describe('A service that is asked too much', () => {
  const here = place(['--set', 'retries=4']);

  /** Runs a command while the service fails as lines of faults say. */
  async function failing(specs: readonly string[], args: readonly string[], input?: string): Promise<Run> {
    const headers = { 'Content-Type': 'application/json' };
    for (const spec of specs) {
      const added = await fetch(`${here.url()}/faults`, { method: 'POST', headers, body: JSON.stringify({ spec }) });
      assert.equal(added.status, 201);
    }
    try {
      return await here.run(args, input === undefined ? {} : { input });
    } finally {
      await here.calm();
    }
  }

  it('is asked less often by lists and by many ids, which say so once and lose nothing', async () => {
    const list = await here.run(['relation', 'list', '-o', 'csv', '--columns', 'Id', '--no-header']);
    const ids = here.fresh('ids');
    writeFileSync(ids, list.stdout);
    for (const args of [
      ['relation', 'list', '-o', 'csv', '--page-size', '20'],
      ['relation', 'get', '--ids', ids, '-o', 'csv', '--concurrency', '1'],
    ]) {
      const whole = await here.run(args);
      const run = await ends(failing(['status=429,retry-after=0;first=2'], args), 0, slower);
      assert.ok(run.stdout === whole.stdout);
    }
  });

  it('is spoken of once in a run that syncs its mirror first', async () => {
    assert.equal((await here.run(['mirror', 'sync', 'relations'])).code, 0);
    const trace = here.fresh('trace');
    const [{ DisplayName: name } = { DisplayName: '' }] = await here.json<{ readonly DisplayName: string }[]>(
      argv`relation list --limit 1 --quiet`,
    );
    const run = await failing(
      ['RelationGetAll', 'RelationGet'].map((operation) => `status=429,retry-after=0;operation=${operation};first=2`),
      ['relation', 'get', name, '--max-age', '0s', '-o', 'csv', `--trace=${trace}`],
    );
    assert.equal(run.code, 0, run.stderr);
    assert.ok(run.stderr.startsWith(slower), run.stderr);
    assert.match(run.stderr.slice(slower.length), /^Note: ID: relation '.*' is \S+ by the mirror, [^\n]*\n$/);
    assert.equal(callsIn(trace).filter(({ operation }) => operation === 'RelationGet').length, 3);
    assert.match(readFileSync(trace, 'utf8'), /429/);
  });

  it('is spoken of once by a batch that reads and writes', async () => {
    const run = await failing(
      ['ProductGetAll_V2', 'ProductUpdate_V2'].map(
        (operation) => `status=429,retry-after=0;operation=${operation};first=2`,
      ),
      ['product', 'update', '--file', '-', '--no-base', '--yes', '--results', here.fresh('results.csv')],
      'Code,SalesPrice\n00001,3.10\n00002,3.20\n',
    );
    assert.deepEqual([run.code, run.stderr], [0, slower]);
  });

  it('is spoken of to nobody with --quiet', async () => {
    await ends(failing(['status=429,retry-after=0;first=2'], ['mark', 'list', '-o', 'csv', '--quiet']), 0, '');
  });
});
