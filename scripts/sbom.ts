import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// npm run sbom: writes dist/sbom.cdx.json, the packages that relctl ships with, as CycloneDX. It is made from the lock file,
// so that it is the same on every platform and names no registry. The tarball brings it. It tells of packages within the
// bundle too.

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly dev?: boolean }>>;
}

interface Sbom {
  readonly metadata: { readonly component: Readonly<Record<string, unknown>> };
  readonly components: readonly { readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** The packages that are not for development alone, relctl among them, as the SBOM names them. */
function shipped(name: string): ReadonlySet<string> {
  const { packages } = read('package-lock.json') as Lock;
  const kept = Object.entries(packages).filter(([, { dev }]) => dev !== true);
  return new Set(kept.map(([path, { version }]) => `${path.split('node_modules/').at(-1) || name}@${version}`));
}

/** The SBOM of all packages of the lock file. */
function sbomOfAll(): Sbom {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  // On Windows npm is a batch file, which only a shell starts.
  return JSON.parse(
    execFileSync('npm', args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' }),
  ) as Sbom;
}

const { name } = read('package.json') as { readonly name: string };
const sbom = sbomOfAll();
const kept = shipped(name);
const whole = {
  ...sbom,
  // Two builds of one commit are the same bytes: what is undefined, the number and the time of the making, is left out.
  serialNumber: undefined,
  // npm takes the name of the folder.
  metadata: { ...sbom.metadata, timestamp: undefined, component: { ...sbom.metadata.component, name } },
  // npm's own --omit=dev leaves out what development needs too, axios for one.
  components: sbom.components.filter((component) => kept.has(component['bom-ref'])),
  dependencies: sbom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((used) => kept.has(used)) })),
};
writeFileSync(join(root, 'dist/sbom.cdx.json'), `${JSON.stringify(whole, null, 2)}\n`);
