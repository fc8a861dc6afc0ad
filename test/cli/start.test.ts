import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { inAscii } from '../../scripts/ascii.js';

import '../support/relctl.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
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
    const prepared = file('.code');
    const whole = readFileSync(prepared);
    const other = Buffer.from(whole).fill(0, 0, 16);
    // With the checksum that belongs to it: it is V8 that does not take this one.
    other.writeUInt32LE(crc32(other.subarray(0, -4)), other.length - 4);
    writeFileSync(prepared, other);
    assert.equal(run().stdout, stdout);
    rmSync(prepared);
    assert.equal(run().stdout, stdout);
    writeFileSync(prepared, whole);
  });

  it('never runs prepared code that is not as the build left it: it says the same, from its source', () => {
    const { stdout } = run();
    const whole = readFileSync(file('.code'));
    const places = Array.from({ length: 40 }, (_, index) => Math.floor((index * (whole.length - 1)) / 39));
    const damaged = [
      ...places.map((place) => Buffer.from(whole).fill((whole[place] ?? 0) ^ (1 << (place % 8)), place, place + 1)),
      ...[0, 3, 4, 100, whole.length - 1].map((length) => whole.subarray(0, length)),
    ];
    for (const [index, code] of damaged.entries()) {
      writeFileSync(file('.code'), code);
      const { status, signal, stdout: said, stderr } = run();
      assert.deepEqual([status, signal, stderr], [0, null, ''], `damage ${index}`);
      assert.equal(said, stdout, `damage ${index}`);
    }
    writeFileSync(file('.code'), whole);
  });

  it('holds nothing but ASCII, which is how it is read', () => {
    assert.equal(/[^\0-\x7f]/.exec(readFileSync(file('.cjs'), 'latin1'))?.index, undefined);
    assert.throws(() => inAscii('const device = /com\u00b9/;'), /write an escape in: const device/);
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
    assert.match(stderr, /src[\\/]app[\\/]main\.ts:\d+/);
  });

  const asNode = (version: string) => {
    const preload = join(place, `node-${version}.cjs`);
    const versions = JSON.stringify({ ...process.versions, node: version });
    writeFileSync(preload, `Object.defineProperty(process, 'versions', { value: ${versions} });\n`);
    return run({ NODE_OPTIONS: `--require ${preload}` });
  };

  it('tells a Node that is older than package.json says, in one line, what is needed', () => {
    const [, major = '', minor = ''] = /^>=(\d+)\.(\d+)\.0$/.exec(manifest.engines.node) ?? [];
    for (const version of ['18.20.8', `${major}.${Number(minor) - 1}.9`]) {
      const { status, stdout, stderr } = asNode(version);
      const needed = `Error: relctl needs Node ${major}.${minor} or newer, and this is Node ${version} (`;
      assert.deepEqual([status, stdout, stderr], [10, '', `${needed}${process.execPath})\n`]);
    }
    assert.equal(asNode(`${major}.${minor}.0`).status, 0);
  });

  it('says in one line what is needed where it was not built', () => {
    const away = join(place, 'away');
    const wanted = [10, '', 'Error: relctl is not built in this folder. Try: npm ci && npm run build\n'];
    for (const part of ['dist/start.js', 'dist/program', 'dist']) {
      renameSync(join(place, part), away);
      const { status, stdout, stderr } = run();
      renameSync(away, join(place, part));
      assert.deepEqual([status, stdout, stderr], wanted, part);
    }
  });

  it('runs from its sources too, without a build, and starts itself from them', () => {
    const jobs = join(place, 'jobs.yaml');
    const file = join(place, 'marks.json');
    writeFileSync(jobs, `version: 1\njobs:\n  marks: { command: mark list, profile: sandbox, output-file: ${file} }\n`);
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/dev.js'), 'export', 'run', jobs], {
      env: { PATH: process.env['PATH'], HOME: place },
      encoding: 'utf8',
      cwd: place,
    });
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(readFileSync(file, 'utf8'), /"Nieuwsbrief"/);
  });

  it('brings the licences of the packages within it', () => {
    const text = readFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const [name, version] of Object.entries(manifest.dependencies))
      if (name !== 'libsql') assert.ok(text.includes(`${name} ${version} (`), name);
  });
});
