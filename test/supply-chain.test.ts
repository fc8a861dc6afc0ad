import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

interface Package {
  readonly license?: string;
  readonly dev?: boolean;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly engines?: { readonly node?: string };
}

const root = new URL('..', import.meta.url);
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, root), 'utf8'));
const { packages } = read('package-lock.json') as { packages: Readonly<Record<string, Package>> };
const manifest = read('package.json') as Record<'dependencies' | 'devDependencies', Record<string, string>> & {
  readonly allowScripts: Readonly<Record<string, boolean>>;
};
const installed = Object.entries(packages).filter(([path]) => path !== '');
const shipped = installed.filter(([, { dev }]) => dev !== true);

// MPL-2.0 asks for nothing of a program whose copy of the package is unmodified, as it comes from the registry.
const free = /^(?:MIT|MPL-2\.0|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|\(MIT OR CC0-1\.0\))$/;

describe('The packages that relctl is made of', () => {
  it('are named with exact versions', () => {
    for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies })) {
      assert.match(version, /^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/);
    }
  });

  it('have free licences, those that ship with it', () => {
    assert.ok(shipped.length > 20);
    for (const [path, { license = 'none' }] of shipped) assert.match(license, free, path);
  });

  it('run no script when they are installed, those that ship with it', () => {
    assert.deepEqual(
      shipped.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path),
      [],
    );
  });

  it('run none in a clone either, but for esbuild, which npm is told to leave out', () => {
    const withScript = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path);
    assert.deepEqual(withScript, ['node_modules/esbuild']);
    assert.deepEqual(manifest.allowScripts, { esbuild: false });
  });

  it('come from no registry that is written down', () => {
    assert.deepEqual(
      installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
      [],
    );
  });

  it('are each explained in the architecture page', () => {
    const page = readFileSync(new URL('docs/architecture.md', root), 'utf8');
    for (const name of Object.keys(manifest.dependencies)) assert.ok(page.includes(`\`${name}\``), name);
  });
});
