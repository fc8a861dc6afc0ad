import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { home } from '../support/relctl.js';

interface Manifest {
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly unknown[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** The packages that relctl ships with, by the lock file: their paths, of those that are installed here. */
function shipped(): readonly string[] {
  const { packages } = json(join(root, 'package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  const paths = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  return paths.map(([path]) => path).filter((path) => existsSync(join(root, path)));
}

describe('The package that npm pack makes', function () {
  const place = home();
  const clone = mkdtempSync(join(tmpdir(), 'relctl-clone-'));
  const empty = mkdtempSync(join(tmpdir(), 'relctl-empty-'));
  const installed = join(empty, 'node_modules/relctl');
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

  before(() => {
    // As a clone is before it is built. The packages are linked to: npm ci has been there.
    const absent = new Set(['.git', 'dist', 'node_modules'].map((name) => join(root, name)));
    cpSync(root, clone, { recursive: true, filter: (path) => !absent.has(path) });
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'junction');
    const [packed] = JSON.parse(
      npm(clone, 'pack', '--silent', '--json', '--foreground-scripts=false', '--pack-destination', place.folder),
    ) as readonly [{ readonly filename: string; readonly files: readonly { readonly path: string }[] }];
    files = packed.files.map(({ path }) => path);
    // npm keeps packages that are there, with their links in .bin, rather than ask a registry, which it could not reach.
    for (const path of shipped()) {
      mkdirSync(dirname(join(empty, path)), { recursive: true });
      cpSync(join(root, path), join(empty, path), { recursive: true });
    }
    npm(empty, 'rebuild', '--ignore-scripts');
    npm(empty, 'install', '--no-audit', '--no-fund', join(place.folder, packed.filename));
  });
  after(() => {
    for (const made of [clone, empty]) rmSync(made, { recursive: true, force: true });
    place.remove();
  });

  it('holds the built program, its pages and licences, and neither sources nor tests', () => {
    for (const path of [
      'bin/run.js',
      'bin/package.json',
      'dist/start.cjs',
      'oclif.manifest.json',
      'LICENSE',
      'dist/THIRD-PARTY-LICENSES.txt',
    ])
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
      [...within, ...shipped().map(nameAndVersion)].filter((name) => !named.has(name)),
      [],
    );
    assert.deepEqual(
      components.filter(({ licenses = [] }) => licenses.length === 0).map(({ name }) => name),
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
