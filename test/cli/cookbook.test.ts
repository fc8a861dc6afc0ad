import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { home, installIn } from '../support/relctl.js';

const page = readFileSync(new URL('../../docs/cookbook.md', import.meta.url), 'utf8');

/** The jobs of the page, with their command lines. */
const jobs = page
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    scripts: [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text),
  }));

describe('The cookbook', function () {
  this.timeout(120_000);
  const place = home();
  const env = { ...place.env, PATH: installIn(place.folder).PATH };
  after(() => place.remove());

  it('has twelve jobs, each with a line to run', () => {
    assert.equal(jobs.length, 12);
    for (const { title, scripts } of jobs) assert.ok(scripts.length > 0, title);
  });

  for (const { title, scripts } of jobs) {
    it(`has lines that work as printed: ${title}`, () => {
      for (const script of scripts) {
        const ran = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], { env, cwd: place.folder });
        const stderr = ran.stderr.toString();
        assert.equal(ran.status, 0, `${script}\n${stderr}`);
        // Nothing found would be an example that shows nothing.
        assert.doesNotMatch(stderr, /Nothing found/, script);
      }
    });
  }
});
