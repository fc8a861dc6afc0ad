import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { home, program, relctl } from '../support/relctl.js';
import { needs } from '../support/skip.js';

describe('doctor', () => {
  it('finds nothing wrong with the built-in profile, and calls nothing', async () => {
    const place = home();
    const run = await relctl(['doctor', '--profile', 'sandbox', '-o', 'json'], { env: place.env });
    assert.deepEqual([run.code, run.stderr], [0, '']);
    const findings = JSON.parse(run.stdout) as { Check: string; State: string }[];
    assert.deepEqual([...new Set(findings.map(({ State }) => State))], ['ok']);
    place.remove();
  });

  it('ends with the exit code of the first thing that is wrong, and shows no secret', async () => {
    const place = home();
    const folder = join(place.folder, 'config/relctl');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'config.json'), '{"profiles":{"a":{"password":"hunter2"', { mode: 0o600 });
    const run = await relctl(['doctor'], { env: place.env });
    assert.equal(run.code, 3);
    assert.match(run.stdout, /profile store\s+wrong/);
    assert.doesNotMatch(run.stdout + run.stderr, /hunter2/);
    // What needs a profile is not wrong for the same reason once more.
    assert.match(run.stdout, /secrets\s+skipped/);
    assert.match(run.stdout, /\n10 checks: 5 ok, 2 wrong, 3 skipped\. First: \$\{EDITOR:-vi\} .*\n$/);
    place.remove();
  });

  it('warns of what works and should be looked at: no TLS, any certificate, no calibration', async () => {
    const place = home();
    const added = ['profile', 'add', 'far', '--base-url', 'http://crm.example', '--namespace', 'urn:n'];
    await relctl([...added, '--api-key-stdin'], { env: place.env, input: '00000000-0000-4000-8000-000000000011' });
    const warned = async (): Promise<readonly (readonly [string, string])[]> => {
      const { code, stdout } = await relctl(['doctor', '-o', 'json'], { env: place.env });
      assert.equal(code, 0);
      const findings = JSON.parse(stdout) as { Check: string; State: string; Try: string | null }[];
      return findings.flatMap(({ Check, State, Try }) => (State === 'ok' ? [] : [[Check, `${State}: ${Try ?? ''}`]]));
    };
    const paging = ['paging', 'warning: relctl profile test far --calibrate'] as const;
    const noTls = ['address', 'warning: relctl profile edit far --base-url https://…'] as const;
    assert.deepEqual(await warned(), [noTls, paging]);
    await relctl(['profile', 'edit', 'far', '--base-url', 'https://crm.example', '--insecure'], { env: place.env });
    assert.deepEqual(await warned(), [['address', 'warning: relctl profile edit far --unset insecure'], paging]);
    await relctl(['profile', 'edit', 'far', '--unset', 'insecure'], { env: place.env });
    assert.deepEqual(await warned(), [paging]);
    const { stdout } = await relctl(['doctor'], { env: place.env });
    assert.match(stdout, /as plain text in the profile file: apiKey/);
    assert.match(stdout, /\n10 checks: 9 ok, 1 warning\. First: relctl profile test far --calibrate\n$/);
    place.remove();
  });
});

describe('autocomplete', () => {
  const place = home();
  after(() => place.remove());

  /** What bash would offer behind some words. */
  const offered = (...words: string[]): Promise<string[]> => offeredIn(place.env, ...words);

  async function offeredIn(env: NodeJS.ProcessEnv, ...words: string[]): Promise<string[]> {
    const { stdout, code } = await relctl(['autocomplete', 'bash'], { env });
    assert.equal(code, 0);
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const script = `${stdout}\nCOMP_WORDS=(relctl ${quoted}); COMP_CWORD=${words.length}; _relctl; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const ran = spawnSync('bash', ['-c', script], { env });
    assert.equal(ran.status, 0, ran.stderr.toString());
    return ran.stdout.toString().trim().split('\n');
  }

  it('offers topics, commands and flags in bash, also behind arguments', async () => {
    assert.ok((await offered('')).includes('relation'));
    assert.deepEqual(await offered('relation', 'ge'), ['get']);
    assert.deepEqual(await offered('field', 'alias', 's'), ['set']);
    assert.deepEqual(await offered('relation', 'get', '123', '--prof'), ['--profile']);
    assert.deepEqual(await offered('sandbox', 'start', '--de'), ['--detach']);
  });

  it('offers what a flag or an argument may be, and leaves files to the shell', async () => {
    assert.deepEqual(await offered('relation', 'list', '-o', 'c'), ['card', 'csv']);
    assert.deepEqual(await offered('relation', 'list', '--output', '=', 'x'), ['xlsx']);
    assert.deepEqual(await offered('relation', 'list', '--output', '='), await offered('relation', 'list', '-o', ''));
    assert.deepEqual(await offered('relation', 'list', '--output-file', ''), ['']);
    assert.deepEqual(await offered('relation', 'list', '-o', 'csv', '--res'), ['--resume', '--restart']);
    assert.deepEqual(await offered('export', 'run', ''), ['']);
    assert.deepEqual(await offered('export', 'run', '--fail'), ['--fail-fast']);
    assert.deepEqual(await offered('autocomplete', 'z'), ['zsh']);
    assert.deepEqual(await offered('datastore', 'system', 'Pay'), ['PaymentMethod']);
    assert.deepEqual(await offered('operations', 'ProductGetAll'), ['ProductGetAllByGroup', 'ProductGetAll_V2']);
  });

  it('offers the profiles that there are', async () => {
    const added = ['profile', 'add', 'acceptance', '--base-url', 'http://127.0.0.1:1', '--namespace', 'urn:n'];
    assert.equal((await relctl(added, { env: place.env })).code, 0);
    const path = { PATH: `${place.folder}:${process.env['PATH'] ?? ''}` };
    writeFileSync(join(place.folder, 'relctl'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
      mode: 0o755,
    });
    assert.deepEqual(await offeredIn({ ...place.env, ...path }, 'relation', 'list', '-p', ''), [
      'acceptance',
      'sandbox',
    ]);
    assert.deepEqual(await offeredIn({ ...place.env, ...path }, 'profile', 'use', 'a'), ['acceptance']);
  });

  it('offers every command of every topic, and no other, in fish', async function () {
    needs(this, 'fish');
    const manifest = JSON.parse(readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8')) as {
      readonly commands: Readonly<Record<string, { readonly hidden?: boolean }>>;
    };
    const offers = new Map<string, Set<string>>();
    for (const [id, { hidden }] of Object.entries(manifest.commands)) {
      const words = hidden === true ? [] : id.split(':');
      for (const [at, word] of words.entries()) {
        const topic = words.slice(0, at).join(' ');
        offers.set(topic, (offers.get(topic) ?? new Set()).add(word));
      }
    }
    const { stdout } = await relctl(['autocomplete', 'fish'], { env: place.env });
    const asks = [...offers.keys()].map(
      (topic) => `echo '= ${topic}'; complete -C 'relctl ${topic}${topic === '' ? '' : ' '}'`,
    );
    const fish = spawnSync('fish', ['--no-config', '-c', `${stdout}\n${asks.join('\n')}`], {
      env: place.env,
      encoding: 'utf8',
    });
    assert.equal(fish.stderr, '');
    const [, ...answers] = fish.stdout.split(/^= /m);
    for (const answer of answers) {
      const [topic = '', ...lines] = answer.trimEnd().split('\n');
      const offered = lines
        .map((line) => line.split('\t')[0])
        .filter((word) => word !== undefined && /^[a-z]/.test(word));
      assert.deepEqual(offered.sort(), [...(offers.get(topic.trim()) ?? [])].sort(), topic);
    }
    assert.equal(answers.length, offers.size);
  });

  it('refuses a shell that it does not know', async () => {
    const run = await relctl(['autocomplete', 'tcsh'], { env: place.env });
    assert.equal(run.code, 2);
    assert.match(run.stderr, /bash, zsh, fish/);
  });
});
