import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { known } from '../../../src/sandbox/dataset/known.js';
import { defaultInflateLimits } from '../../../src/soap/transport/gunzip.js';
import { closedPort } from '../../support/broken-server.js';
import { home, program, relctl } from '../../support/relctl.js';

const page = (name: string): string => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');

/** The blocks of a page in a language. */
const blocks = (name: string, language: string): readonly string[] =>
  [...page(name).matchAll(/^```(\w+)[^\n]*\n(.*?)^```$/gms)].flatMap(([, lang, text = '']) =>
    lang === language ? [text] : [],
  );

describe('The page about exit codes', () => {
  const place = home();
  after(() => place.remove());

  it('shows the JSON of an error as it is: these members, with these values', async () => {
    const [example = ''] = blocks('exit-codes', 'json');
    const shown = (JSON.parse(example) as { error: Readonly<Record<string, unknown>> }).error;
    const env = {
      ...place.env,
      RELCTL_BASE_URL: `http://127.0.0.1:${await closedPort()}`,
      RELCTL_NAMESPACE: 'urn:n',
      RELCTL_API_KEY: known.credentials.ApiKey,
      RELCTL_DATABASE_ID: known.credentials.DatabaseId,
    };
    const run = await relctl(['mark', 'list', '-o', 'json', '--set', 'retries=0'], { env });
    const { error } = JSON.parse(run.stderr) as { error: Readonly<Record<string, unknown>> };
    for (const [name, value] of Object.entries(shown)) {
      assert.ok(Object.hasOwn(error, name) || name === 'hint', name);
      if (value !== '…') assert.deepEqual(error[name], value, name);
    }
    assert.equal(run.code, error['exitCode']);
  });

  it('has a script that does what it says', () => {
    const script = blocks('exit-codes', 'sh').find((text) => text.includes('case $? in')) ?? '';
    const bin = join(place.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'relctl'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@" -p sandbox\n`, {
      mode: 0o755,
    });
    const run = (id: string): string => {
      const env = { ...place.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, id };
      const { status, stdout } = spawnSync('sh', ['-c', script], { env, cwd: place.folder, encoding: 'utf8' });
      return `${String(status)} ${stdout}`;
    };
    assert.equal(run(known.firstRelationId), '0 ');
    const missing = 'ffffffff-0010-4000-8000-ffffffffffff';
    assert.equal(run(missing), `0 no such relation: ${missing}\n`);
    assert.equal(run('x'), '1 ');
  });
});

describe('The page about attachments', () => {
  it('names the limits that there are', () => {
    const text = page('writes');
    const megabytes = defaultInflateLimits.maxBytes / 1024 / 1024;
    assert.match(text, new RegExp(`an answer has at most ${megabytes} Mi characters`));
    // Four characters of base64 are three bytes.
    assert.match(text, new RegExp(`\\| about ${(megabytes * 3) / 4} MiB`));
  });
});
