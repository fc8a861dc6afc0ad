import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { home, installIn } from '../support/relctl.js';

const guide = readFileSync(new URL('../../docs/names.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/^```sh(?: (\S+))?\n(.*?)^```$/gms)];

describe('The guide to names and fields', function () {
  const place = home();
  const env = { ...place.env, PATH: installIn(place.folder).PATH };
  after(() => place.remove());

  for (const [, mark, text = ''] of blocks) {
    it(`has commands that work as printed: ${text.split('\n')[0] ?? ''}`, () => {
      assert.equal(mark, 'run');
      const { status, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', text], {
        env,
        cwd: place.folder,
      });
      assert.equal(status, 0, stderr.toString());
    });
  }

  it('wrote what it says', () => {
    const read = (name: string): string => readFileSync(join(place.folder, name), 'utf8');
    assert.match(read('relations.csv'), /^Id,.*,Field\.00000000-0041-4000-8000-000000000105,.*,FieldValues\.Items,/);
    assert.match(read('activities.csv'), /^_relationId,Id,/);
    assert.equal(read('again.ndjson').split('\n').length, 251);
  });
});
