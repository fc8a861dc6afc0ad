import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { home, installIn } from '../support/relctl.js';

const guide = readFileSync(new URL('../../docs/names.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/^```sh(?: (\S+))?\n(.*?)^```$/gms)];

describe('The guide to names', function () {
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
});
