import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { home, installIn } from '../support/relctl.js';

const page = readFileSync(new URL('../../docs/cookbook.md', import.meta.url), 'utf8');

/** The jobs of the page, with their lines. */
const jobs = page
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    lines: [...section.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, text = '']) => text.trim().split('\n')),
  }));

describe('The cookbook', function () {
  this.timeout(120_000);
  const place = home();
  const env = { ...place.env, PATH: installIn(place.folder).PATH };
  after(() => place.remove());

  it('has twelve jobs, each with a line to run', () => {
    assert.equal(jobs.length, 12);
    for (const { title, lines } of jobs) assert.ok(lines.length > 0, title);
  });

  for (const { title, lines } of jobs) {
    it(`has lines that work as printed: ${title}`, () => {
      for (const line of lines) {
        assert.match(line, /^relctl .* -p sandbox\b|^relctl export diff /);
        const ran = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', line], { env, cwd: place.folder });
        assert.equal(ran.status, 0, `${line}\n${ran.stderr.toString()}`);
        // Nothing found would be an example that shows nothing.
        assert.doesNotMatch(ran.stderr.toString(), /Nothing found/, line);
      }
    });
  }
});
