import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { home, installIn } from '../support/relctl.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const [, examples = ''] = /^## Examples\n\n```sh\n(.*?)^```$/ms.exec(readme) ?? [];
const [, batch = ''] = /^## Writes from a file\n.*?^```sh\n(.*?)^```$/ms.exec(readme) ?? [];
const lines = examples.split('\n').filter((line) => line !== '');

describe('The README', () => {
  const place = home();
  const env = { ...place.env, PATH: installIn(place.folder).PATH };
  after(() => place.remove());

  it('has its two commands on one line each, as .ci/run reads them', () => {
    for (const mark of ['first', 'second']) {
      assert.match(readme, new RegExp(`^\`\`\`sh ${mark}\nnpm ci --no-audit --no-fund && npm [^\n]+\n\`\`\`$`, 'm'));
    }
  });

  it('has examples', () => assert.ok(lines.length >= 10));

  for (const line of lines) {
    it(`has an example that works as printed: ${line.split(/ +#/)[0] ?? ''}`, () => {
      const ran = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', line], { env, cwd: place.folder });
      assert.equal(ran.status, 0, ran.stderr.toString());
    });
  }

  it('has a batch that works as printed', () => {
    assert.match(batch, /--file/);
    const ran = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', batch], { env, cwd: place.folder });
    assert.equal(ran.status, 0, ran.stderr.toString());
    assert.match(readFileSync(join(place.folder, 'prices.csv.results.csv'), 'utf8'), /\r\n2,[^,]*,done,/);
  });
});
