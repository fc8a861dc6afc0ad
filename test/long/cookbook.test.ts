import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { startPostgres } from '../support/postgres.js';
import { home, installIn } from '../support/relctl.js';

const page = readFileSync(new URL('../../docs/cookbook.md', import.meta.url), 'utf8');

/** A line or a script of the page. */
interface Block {
  readonly language: string;
  readonly text: string;
}

/** The jobs of the page, with their command lines. */
const jobs = page
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    blocks: [...section.matchAll(/^```(sh|crontab|sql)\n(.*?)^```$/gms)].map(([, language = '', text = '']): Block => ({
      language,
      text,
    })),
  }));

/** The host of the examples. */
const host = 'db.example.com';

describe('The cookbook', () => {
  const place = home();
  const env = { ...place.env, PATH: installIn(place.folder).PATH };
  after(() => place.remove());

  it('has jobs, each with a line to run', () => {
    assert.ok(jobs.length > 8);
    for (const { title, blocks } of jobs) assert.ok(blocks.length > 0, title);
  });

  /** Runs a script on the sandbox; cron would send by mail what it prints. */
  function run(script: string, { isSilent = false } = {}): void {
    const ran = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], { env, cwd: place.folder });
    const [stdout, stderr] = [ran.stdout.toString(), ran.stderr.toString()];
    assert.equal(ran.status, 0, `${script}\n${stderr}`);
    // Nothing found would be an example that shows nothing.
    assert.doesNotMatch(stderr, /Nothing found/, script);
    if (isSilent) assert.deepEqual([stdout, stderr], ['', ''], script);
  }

  /** Runs the line of a crontab, of which the first five words are its times. */
  function runLine(line: string): void {
    const [, times = '', command = ''] = /^((?:\S+\s+){5})(.*)\n$/.exec(line) ?? [];
    assert.match(times, /^[\d*,/ -]+$/, line);
    run(command.replace(' -p crm ', ' -p sandbox '), { isSilent: true });
  }

  for (const { title, blocks } of jobs) {
    it(`has lines that work as printed: ${title}`, async function () {
      const needsServer = blocks.some(({ language }) => language === 'sql');
      const server = needsServer ? await startPostgres(this) : undefined;
      try {
        const database = server === undefined ? '' : new URL(server.database()).pathname.slice(1);
        const here = (text: string): string =>
          text
            .replaceAll(`@${host}/crm`, `@127.0.0.1:${server?.port}/${database}`)
            .replaceAll('DATABASE crm', `DATABASE ${database}`);
        for (const { language, text } of blocks) {
          if (language === 'sql') server?.psql(database, here(text));
          else if (language === 'crontab') runLine(here(text));
          else run(here(text));
        }
      } finally {
        await server?.stop();
      }
    });
  }
});
