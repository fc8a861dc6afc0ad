import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

describe('The built program', () => {
  const place = mkdtempSync(join(tmpdir(), 'relctl-start-'));
  const dist = join(place, 'dist');
  const file = (ending: string): string =>
    join(
      dist,
      'program',
      readdirSync(join(dist, 'program')).find((path) => path.endsWith(ending)) ?? assert.fail(`no ${ending}`),
    );
  const run = (variables: Readonly<Record<string, string>> = {}) =>
    spawnSync(process.execPath, [join(place, 'bin/run.js'), 'operations', '--quiet', '-o', 'tsv'], {
      env: { PATH: process.env['PATH'], HOME: place, ...variables },
      encoding: 'utf8',
    });

  before(() => {
    for (const path of ['bin', 'dist', 'package.json', 'oclif.manifest.json'])
      cpSync(join(root, path), join(place, path), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'), 'dir');
  });
  after(() => rmSync(place, { recursive: true, force: true }));

  it('says the same with prepared code, without it, and with code of another V8', () => {
    const { stdout, stderr, status } = run();
    assert.equal(status, 0, stderr);
    assert.match(stdout, /RelationGetAll/);
    const code = readFileSync(file('.code'));
    writeFileSync(file('.code'), code.fill(0, 0, 16));
    assert.equal(run().stdout, stdout);
    rmSync(file('.code'));
    assert.equal(run().stdout, stdout);
  });

  it('writes nothing into its folder', () => {
    const before = readdirSync(dist, { recursive: true });
    assert.equal(run().status, 0);
    assert.deepEqual(readdirSync(dist, { recursive: true }), before);
  });

  it('names files of the sources when a defect is looked for', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(place, 'bin/run.js'), 'whoami'], {
      env: { PATH: process.env['PATH'], HOME: place, RELCTL_DEBUG: '1' },
      encoding: 'utf8',
    });
    assert.notEqual(status, 0);
    assert.match(stderr, /src[\\/]runtime[\\/]main\.ts:\d+/);
  });

  it('brings the licences of the packages within it', () => {
    const text = readFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const [name, version] of Object.entries(manifest.dependencies))
      if (name !== 'libsql') assert.ok(text.includes(`${name} ${version} (`), name);
  });
});
