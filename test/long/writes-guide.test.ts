import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { home, installIn } from '../support/relctl.js';

const guide = readFileSync(new URL('../../docs/writes.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/^```sh(?: (\S+))?\n(.*?)^```$/gms)];

describe('The page of writes', function () {
  this.timeout(120_000);
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

  it('has an example of each command that takes rows, of which each row is done', () => {
    const inputs = [...guide.matchAll(/--file (\S+\.csv)(?=.*--yes)/g)].map(([, name = '']) => name);
    for (const name of inputs) {
      const rows = readFileSync(join(place.folder, `${name}.results.csv`), 'utf8')
        .split('\r\n')
        .slice(1, -1);
      assert.ok(rows.length > 0 && rows.every((row) => row.split(',')[2] === 'done'), `${name}: ${rows.join('\n')}`);
    }
    for (const command of ['product update', 'activity update', 'activity add-line', 'activity attach'])
      assert.match(guide, new RegExp(`relctl ${command} --file`));
    assert.match(guide, /relctl subscription add-line --file[^]*relctl relationship add-line --file/);
    assert.match(guide, /relctl datastore create-item \S+ --file[^]*relctl call \w+ --file/);
  });
});
