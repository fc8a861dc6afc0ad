import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { home, relctl } from '../support/relctl.js';

describe('The format of an output file', () => {
  const place = home();
  after(() => place.remove());

  const written = async (name: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<string> => {
    const file = join(place.folder, name);
    const run = await relctl(
      ['mark', 'list', '-p', 'sandbox', '--columns', 'Name', '--limit', '1', '--quiet', '--output-file', file, ...args],
      { env: { ...place.env, ...env } },
    );
    assert.equal(run.code, 0, run.stderr);
    return readFileSync(file, 'utf8');
  };

  it('is what its name ends in', async () => {
    assert.equal(await written('a.csv'), 'Name\nNieuwsbrief\n');
    assert.deepEqual(JSON.parse(await written('a.json')), [{ Name: 'Nieuwsbrief' }]);
    assert.match(await written('a.xlsx'), /^PK/);
  });

  it('is that of -o before anything else, and the name comes before the environment', async () => {
    assert.equal(await written('b.csv', ['-o', 'ndjson']), '{"Name":"Nieuwsbrief"}\n');
    assert.equal(await written('c.csv', [], { RELCTL_OUTPUT: 'yaml' }), 'Name\nNieuwsbrief\n');
    assert.equal(await written('c', [], { RELCTL_OUTPUT: 'ndjson' }), '{"Name":"Nieuwsbrief"}\n');
  });

  it('is a table when nothing says otherwise', async () => {
    assert.equal(await written('d.txt'), 'Name\nNieuwsbrief\n');
  });

  it('is that of the name for one record as well', async () => {
    const file = join(place.folder, 'count.csv');
    const run = await relctl(['notification', 'count', '-p', 'sandbox', '--output-file', file], { env: place.env });
    assert.equal(run.code, 0, run.stderr);
    assert.match(readFileSync(file, 'utf8'), /^NumberOfNotifications\n\d+\n$/);
  });
});
