import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { inAscii } from '../../scripts/ascii.js';

import { argv } from '../support/argv.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
};

describe('The built program', () => {
  const place = mkdtempSync(join(tmpdir(), 'relctl-start-'));
  const dist = join(place, 'dist');
  const cache = join(place, 'cache');
  const env = { PATH: process.env['PATH'], HOME: place, XDG_CACHE_HOME: cache };
  const spawned = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
    spawnSync(process.execPath, [join(place, 'bin/run.js'), ...args], {
      env: { ...env, ...variables },
      encoding: 'utf8',
    });
  const run = (variables: Readonly<Record<string, string>> = {}) =>
    spawned(['operations', '--quiet', '-o', 'tsv'], variables);
  const codes = (): readonly string[] =>
    existsSync(cache)
      ? readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.code'))
      : [];
  const codeFile = (): string => join(cache, codes()[0] ?? assert.fail('no code was cached'));

  before(() => {
    for (const path of ['bin', 'dist', 'package.json', 'oclif.manifest.json'])
      cpSync(join(root, path), join(place, path), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'), 'dir');
  });
  beforeEach(() => rmSync(cache, { recursive: true, force: true }));
  after(() => rmSync(place, { recursive: true, force: true }));

  it('says the same at the first start, with the code cached then, and with code of another V8', () => {
    const { stdout, stderr, status } = run();
    assert.equal(status, 0, stderr);
    assert.match(stdout, /RelationGetAll/);
    const whole = readFileSync(codeFile());
    assert.equal(run().stdout, stdout);
    assert.deepEqual(readFileSync(codeFile()), whole);
    const start = whole.indexOf('\n') + 1;
    const other = Buffer.from(whole).fill(0, start, start + 16);
    // With the checksum that belongs to it: it is V8 that does not take this one.
    other.writeUInt32LE(crc32(other.subarray(0, -4)), other.length - 4);
    writeFileSync(codeFile(), other);
    assert.equal(run().stdout, stdout);
    assert.notDeepEqual(readFileSync(codeFile()), other);
  });

  it('never runs damaged code: it says the same, and caches the code again', () => {
    const { stdout } = run();
    const whole = readFileSync(codeFile());
    const places = Array.from({ length: 5 }, (_, index) => Math.floor((index * (whole.length - 1)) / 4));
    const damaged = [
      ...places.map((place) => Buffer.from(whole).fill((whole[place] ?? 0) ^ (1 << (place % 8)), place, place + 1)),
      ...[0, 100, whole.length - 1].map((length) => whole.subarray(0, length)),
      Buffer.from('null\n'),
    ];
    for (const [index, code] of damaged.entries()) {
      writeFileSync(codeFile(), code);
      const { status, signal, stdout: said, stderr } = run();
      assert.deepEqual([status, signal, stderr], [0, null, ''], `damage ${index}`);
      assert.equal(said, stdout, `damage ${index}`);
      assert.notDeepEqual(readFileSync(codeFile()), code, `damage ${index}`);
    }
  });

  it('runs no code that somebody else could have written', () => {
    const { stdout } = run();
    // Were it run, it would be V8 that refused it, and the file would be made anew with its mode.
    chmodSync(codeFile(), 0o620);
    assert.equal(run().stdout, stdout);
    assert.equal(statSync(codeFile()).mode & 0o777, 0o600);
  });

  /** Names of the files of the program whose code is in the cache of a command. */
  const packed = (name: string): readonly string[] => {
    const path = codes().find((each) => basename(each) === `${name}.code`) ?? assert.fail(name);
    const bytes = readFileSync(join(cache, path));
    const { files } = JSON.parse(bytes.toString('latin1', 0, bytes.indexOf('\n'))) as {
      readonly files: readonly (readonly [string])[];
    };
    return files.map(([file]) => file.replace(/^\.\/|-\w{12}\.cjs$/g, '')).sort();
  };

  it('loads what a command needs alone', () => {
    run();
    spawned(['--help']);
    spawned(['relation', 'get', '00000000-0000-4000-8000-000000000101', '--profile', 'sandbox']);
    assert.deepEqual(packed('help'), ['help', 'relctl']);
    const always = ['commands', 'contract', 'relctl'];
    const ofOperations = ['few', 'late-profiles', 'topic-operations'];
    assert.deepEqual(packed('operations'), [...always, ...ofOperations].sort());
    const ofGet = ['calls', 'databases', 'few', 'records', 'topic-relation', 'topic-sandbox'];
    assert.deepEqual(packed('relation-get-sandbox'), [...always, ...ofGet].sort());
  });

  it('adds to the cache what a run with other flags compiles, and writes nothing after that', () => {
    const get = ['relation', 'get', '00000000-0000-4000-8000-000000000101', '--profile', 'sandbox'];
    const cached = (...flags: readonly string[]): readonly [readonly string[], Buffer] => {
      const { status, stderr } = spawned([...get, ...flags]);
      assert.deepEqual([status, stderr], [0, '']);
      const bytes = readFileSync(codeFile());
      const { runs } = JSON.parse(bytes.toString('utf8', 0, bytes.indexOf('\n'))) as { readonly runs: string[] };
      return [runs, bytes];
    };
    const [first, ofEnvelope] = cached('--envelope');
    assert.deepEqual(first, ['--envelope --profile']);
    const [both, union] = cached();
    assert.deepEqual(both, ['--envelope --profile', '--profile']);
    assert.ok(union.length > ofEnvelope.length * 1.05, `${ofEnvelope.length} and ${union.length} bytes`);
    assert.deepEqual(cached('--envelope')[1], union);
    assert.deepEqual(cached()[1], union);
    // A format loads code of its own; the value of any other flag does not.
    assert.deepEqual(cached('-o', 'csv', '--columns', 'Id')[0].at(-1), '--columns --profile -o csv');
    assert.deepEqual(cached('-o', 'csv', '--columns', 'Info')[0].length, 3);
    for (const format of ['json', 'ndjson', 'tsv', 'yaml', 'card', 'table'])
      for (const flags of [[], ['--quiet']]) cached('-o', format, ...flags);
    const [most, last] = cached('-o', 'csv', '--quiet');
    assert.equal(most.length, 12);
    assert.deepEqual(cached('-o', 'tsv', '--columns', 'Id')[1], last);
  });

  it('caches code for its user alone, a file for each command, and of the packages that the command loads', () => {
    run();
    spawned(['bookmark', 'list', '--profile', 'sandbox']);
    spawned(['--help']);
    spawned(['mark', 'list', '--profile', 'sandbox']);
    const names = codes().map((path) => basename(path));
    assert.deepEqual(names.sort(), argv`bookmark-list-sandbox.code help.code mark-list-sandbox.code operations.code`);
    for (const name of ['cli-table3', 'lists', 'relctl']) assert.ok(packed('mark-list-sandbox').includes(name), name);
    for (const name of ['cli-table3', 'inquirer', 'lists']) assert.ok(!packed('operations').includes(name), name);
    for (const path of readdirSync(cache, { recursive: true, encoding: 'utf8' })) {
      const { mode } = statSync(join(cache, path));
      assert.equal(mode & 0o077, 0, path);
    }
  });

  it('caches no code of a run that failed, and none with NODE_DISABLE_COMPILE_CACHE', () => {
    assert.equal(spawned(['operations', 'Nothing']).status, 2);
    assert.deepEqual(codes(), []);
    assert.equal(run({ NODE_DISABLE_COMPILE_CACHE: '1' }).status, 0);
    assert.deepEqual(codes(), []);
  });

  it('caches none among the files of somebody else, in a home that does not exist, or by a relative path', () => {
    const home = join(place, 'nobody');
    const inEmpty = join(place, 'empty');
    mkdirSync(inEmpty);
    const none = { HOME: '', XDG_CACHE_HOME: '', RELCTL_CACHE_DIR: '' };
    for (const variables of [
      { ...none, HOME: home },
      { ...none, HOME: '/proc/nobody' },
      { ...none },
      { ...none, HOME: 'home' },
      { ...none, XDG_CACHE_HOME: 'cache' },
      { ...none, RELCTL_CACHE_DIR: 'cache' },
    ]) {
      const { status, stderr } = spawnSync(process.execPath, [join(place, 'bin/run.js'), '--help'], {
        env: { PATH: process.env['PATH'], ...variables },
        cwd: inEmpty,
        encoding: 'utf8',
        timeout: 60_000,
      });
      assert.deepEqual([status, stderr], [0, ''], JSON.stringify(variables));
      assert.deepEqual([existsSync(home), readdirSync(inEmpty)], [false, []], JSON.stringify(variables));
    }
    rmSync(inEmpty, { recursive: true });
  });

  it('does not wait for a pipe in the place of code', () => {
    assert.equal(run().status, 0);
    const file = codeFile();
    rmSync(file);
    assert.equal(spawnSync('mkfifo', [file]).status, 0);
    assert.equal(run().status, 0);
    assert.ok(statSync(file).isFile());
  });

  it('says nothing where it can cache no code', () => {
    const taken = join(place, 'taken');
    writeFileSync(taken, '');
    for (const folder of [taken, '/dev/null/away']) {
      const { status, stderr } = run({ RELCTL_CACHE_DIR: folder });
      assert.deepEqual([status, stderr], [0, '']);
    }
    rmSync(taken);
  });

  it('removes code of other builds that is older than 30 days, and nothing else', () => {
    const all = join(cache, 'relctl/code');
    const [old, young, other] = [`${'0'.repeat(12)}-node-20`, `${'1'.repeat(12)}-node-20`, 'thesis'];
    for (const [name, days] of Object.entries({ [old]: 31, [young]: 29, [other]: 99 })) {
      mkdirSync(join(all, name), { recursive: true });
      const time = new Date(Date.now() - days * 24 * 3600 * 1000);
      utimesSync(join(all, name), time, time);
    }
    assert.equal(run().status, 0);
    const left = readdirSync(all);
    assert.deepEqual(
      [old, young, other].map((name) => left.includes(name)),
      [false, true, true],
    );
    assert.equal(left.length, 3);
  });

  it('holds nothing but ASCII, which is how it is read', () => {
    const files = readdirSync(join(dist, 'program')).filter((path) => path.endsWith('.cjs'));
    assert.deepEqual(
      ['relctl', 'inquirer'].filter((name) => !files.some((file) => new RegExp(`^${name}-\\w{12}\\.cjs$`).test(file))),
      [],
    );
    for (const file of files)
      assert.equal(/[^\0-\x7f]/.exec(readFileSync(join(dist, 'program', file), 'latin1'))?.index, undefined, file);
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
    for (const part of ['dist/start.cjs', 'dist/program', 'dist']) {
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
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/dev.mjs'), 'export', 'run', jobs], {
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
