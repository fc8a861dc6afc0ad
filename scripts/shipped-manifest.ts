import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Part of npm pack. In the repository, package.json names every package that the program is made of. Almost all of them are
// within the bundle; whoever installs the tarball should not get them once more. So the manifest in the tarball names only
// what the bundle leaves outside: the libraries of libsql, one for each platform.
//   write    puts the manifest of the tarball in the place of the whole one, which is kept beside it
//   restore  puts the whole one back, also one that a run left which was ended between the two

type Packages = Readonly<Record<string, string>>;

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = join(root, 'package.json');
const whole = join(root, '.package.json.whole');

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** The libraries of libsql by platform, in the version that is installed. */
function libraries(): { readonly everywhere: Packages; readonly forMusl: Packages } {
  const { optionalDependencies } = read(join(root, 'node_modules/libsql/package.json')) as {
    readonly optionalDependencies: Packages;
  };
  const all = Object.entries(optionalDependencies);
  const isForMusl = ([name]: readonly [string, string]): boolean => name.includes('musl');
  return {
    everywhere: Object.fromEntries(all.filter((each) => !isForMusl(each))),
    forMusl: Object.fromEntries(all.filter(isForMusl)),
  };
}

/** What only a clone needs. Whoever publishes does so from the tarball; and nothing is built where it is installed. */
const ofTheClone = new Set(['private', 'dependencies', 'devDependencies', 'allowScripts']);

/** By these the next npm pack puts the whole manifest back, where one was ended before it did. npm runs neither on installing. */
const scriptsOfPacking = ['prepack', 'postpack'];

/** The manifest of the tarball. npm does not tell the two C libraries of Linux apart: musl is asked for by name. */
function shipped(): unknown {
  const { everywhere, forMusl } = libraries();
  const all = read(manifest) as { readonly scripts: Packages };
  return {
    ...Object.fromEntries(Object.entries(all).filter(([name]) => !ofTheClone.has(name))),
    scripts: Object.fromEntries(scriptsOfPacking.map((name) => [name, all.scripts[name]])),
    optionalDependencies: everywhere,
    peerDependencies: forMusl,
    peerDependenciesMeta: Object.fromEntries(Object.keys(forMusl).map((name) => [name, { optional: true }])),
  };
}

if (process.argv[2] === 'write') {
  const text = `${JSON.stringify(shipped(), null, 2)}\n`;
  copyFileSync(manifest, whole);
  writeFileSync(manifest, text);
} else if (existsSync(whole)) renameSync(whole, manifest);
