import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { home } from '../support/relctl.js';
import { argv } from '../support/argv.js';
import { valuesOf } from '../support/thrown.js';

interface Manifest {
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The manifest of the tarball. */
interface Shipped {
  readonly dependencies?: object;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly scripts: object;
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly unknown[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** The libraries of libsql that npm installed here: those that the package leaves outside. */
const libraries = readdirSync(join(root, 'node_modules/@libsql')).map((name) => `node_modules/@libsql/${name}`);

/** Bytes of all files below a folder. */
function sizeOf(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths.reduce((sum, path) => sum + lstatSync(join(folder, path)).size, 0);
}

/** What npm tells of a tarball. */
interface Packed {
  readonly filename: string;
  readonly integrity: string;
  readonly files: readonly { readonly path: string }[];
}

describe('The package that npm pack makes', function () {
  const place = home();
  const clone = mkdtempSync(join(tmpdir(), 'relctl-clone-'));
  const empty = mkdtempSync(join(tmpdir(), 'relctl-empty-'));
  const installed = join(empty, 'node_modules/relctl');
  let packed: Packed;
  let files: readonly string[] = [];

  /** Runs npm without a network and without the cache of who runs the tests. */
  function npm(cwd: string, ...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync('npm', args, {
      cwd,
      env: { ...place.env, npm_config_cache: join(place.folder, 'npm'), npm_config_offline: 'true' },
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    assert.equal(status, 0, stderr);
    return stdout;
  }

  const relctl = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(installed, 'bin/run.js'), ...args], {
      cwd: empty,
      env: place.env,
      encoding: 'utf8',
    });

  function pack(destination: string): Packed {
    const args = ['--silent', '--json', '--foreground-scripts=false', '--pack-destination', destination];
    const [one] = JSON.parse(npm(clone, 'pack', ...args)) as readonly [Packed];
    return one;
  }

  before(() => {
    // As a clone is before it is built. The packages are linked to: npm ci has been there.
    const absent = new Set(['.git', 'dist', 'node_modules'].map((name) => join(root, name)));
    cpSync(root, clone, { recursive: true, filter: (path) => !absent.has(path) });
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'junction');
    packed = pack(place.folder);
    files = packed.files.map(({ path }) => path);
    // npm keeps packages that are there rather than ask a registry, which it could not reach.
    for (const path of libraries) cpSync(join(root, path), join(empty, path), { recursive: true });
    npm(empty, 'install', '--no-audit', '--no-fund', '--omit=peer', join(place.folder, packed.filename));
  });
  after(() => {
    for (const made of [clone, empty]) rmSync(made, { recursive: true, force: true });
    place.remove();
  });

  it('holds the built program, its pages and licences, and neither sources nor tests', () => {
    for (const path of argv`
      bin/run.js bin/package.json dist/start.cjs oclif.manifest.json LICENSE dist/THIRD-PARTY-LICENSES.txt
    `)
      assert.ok(files.includes(path), path);
    const shape =
      /^(?:bin\/(?:run\.js|package\.json)|dist\/.+\.(?:js|cjs|map|txt|json)|docs\/.+\.md|[A-Z]+(?:\.md)?|\w+(?:\.\w+)?\.json)$/;
    assert.deepEqual(
      files.filter((path) => !shape.test(path) || path.endsWith('.ts')),
      [],
    );
    const [map = ''] = files.filter((path) => path.endsWith('.map'));
    assert.equal((json(join(installed, map)) as { readonly sourcesContent?: unknown }).sourcesContent, undefined);
  });

  it('holds every page that one of its pages links, but for tests', () => {
    const pages = files.filter((path) => path.endsWith('.md'));
    const links = pages.flatMap((page) =>
      [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) =>
        posix.join(posix.dirname(page), link),
      ),
    );
    assert.ok(links.includes('docs/exports.md') && links.includes('CONTRIBUTING.md'));
    assert.deepEqual([...new Set(links.filter((link) => !files.includes(link) && !link.startsWith('test/')))], []);
  });

  it('is installed by npm in an empty folder, and tells its version', () => {
    assert.ok(existsSync(join(empty, 'node_modules/.bin/relctl')));
    const { status, stdout } = relctl('--version');
    const { version } = json(join(root, 'package.json')) as Manifest;
    assert.deepEqual([status, stdout.split(' ')[0]], [0, `relctl/${version}`]);
  });

  it('is installed with nothing that is within it: two packages or three, less than 25 MB', () => {
    const { dependencies, optionalDependencies = {}, scripts } = json(join(installed, 'package.json')) as Shipped;
    assert.equal(dependencies, undefined);
    assert.deepEqual(Object.keys(scripts), ['prepack', 'postpack']);
    assert.deepEqual(
      Object.keys(optionalDependencies).filter((name) => !name.startsWith('@libsql/') || name.includes('musl')),
      [],
    );
    const { packages } = json(join(empty, 'node_modules/.package-lock.json')) as { readonly packages: object };
    const others = Object.keys(packages).filter((path) => !path.includes('musl'));
    assert.deepEqual(others.sort(), [...libraries.filter((path) => !path.includes('musl')), 'node_modules/relctl']);
    assert.ok(sizeOf(installed) + sizeOf(join(empty, others[0] ?? '')) < 25e6);
  });

  it('names the library that is missing where npm left it out', () => {
    const aside = join(place.folder, 'libraries');
    renameSync(join(empty, 'node_modules/@libsql'), aside);
    const { status, stderr } = relctl('relation', 'list', '--profile', 'sandbox');
    renameSync(aside, join(empty, 'node_modules/@libsql'));
    assert.equal(status, 10, stderr);
    assert.match(stderr, /installation of relctl is incomplete: Cannot find module '@libsql\/[\w-]+'/);
  });

  it('leaves the manifest of the clone as it was, also after a run that was ended in the middle', () => {
    const manifest = readFileSync(join(root, 'package.json'), 'utf8');
    assert.equal(readFileSync(join(clone, 'package.json'), 'utf8'), manifest);
    // The last that npm does before it packs.
    npm(clone, 'exec', '--silent', '--', 'tsx', 'scripts/shipped-manifest.ts', 'write');
    assert.notEqual(readFileSync(join(clone, 'package.json'), 'utf8'), manifest);
    assert.equal(pack(mkdtempSync(join(place.folder, 'again-'))).integrity, packed.integrity, 'not the same bytes');
    assert.equal(readFileSync(join(clone, 'package.json'), 'utf8'), manifest);
    assert.ok(!existsSync(join(clone, '.package.json.whole')));
  });

  it('lists relations of its embedded service', () => {
    const { status, stdout, stderr } = relctl('relation', 'list', '--profile', 'sandbox', '--limit', '3', '-o', 'csv');
    assert.equal(status, 0, stderr);
    assert.equal(stdout.trim().split('\n').length, 4);
  });

  it('brings an SBOM with every package that is within it, each with its licence, and no registry', () => {
    const text = readFileSync(join(installed, 'dist/sbom.cdx.json'), 'utf8');
    const { bomFormat, metadata, components } = JSON.parse(text) as {
      readonly bomFormat: string;
      readonly metadata: { readonly component: Component };
      readonly components: readonly Component[];
    };
    assert.deepEqual([bomFormat, metadata.component.name], ['CycloneDX', 'relctl']);
    const named = new Set(components.map(({ name, version }) => `${name} ${version}`));
    const licences = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    const within = [...licences.matchAll(/^(\S+ \d+\.\d+\.\d+\S*) \(/gm)].map(([, name = '']) => name);
    assert.ok(within.length > 20);
    assert.deepEqual(
      [...within, ...libraries.map(nameAndVersion)].filter((name) => !named.has(name)),
      [],
    );
    assert.deepEqual(
      valuesOf(
        components.filter(({ licenses = [] }) => licenses.length === 0),
        'name',
      ),
      [],
    );
    const development = Object.keys((json(join(root, 'package.json')) as Manifest).devDependencies);
    assert.deepEqual(
      development.filter((name) => text.includes(`"${name}@`) && name !== '@types/node'),
      [],
    );
    assert.doesNotMatch(text, /"distribution"|registry/);
  });
});

function nameAndVersion(path: string): string {
  const { name, version } = json(join(root, path, 'package.json')) as Component;
  return `${name} ${version}`;
}
