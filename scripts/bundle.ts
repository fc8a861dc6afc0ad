import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { inAscii, withEscapes } from './ascii.js';
import { kernelCode } from './kernel.js';
import { licences } from './licences.js';
import { exportsOf, fromOtherParts, loadedBy, partsOf, sharedBy, tableOf } from './parts.js';
import { withoutUnreached } from './unreached.js';

// Makes dist: the program, and an entry for each command that is loaded by its name.

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'dist');

/** Paths of the files below a folder, without the folder. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
}

/** Paths of the commands below src/commands, without their ending. */
const commands = filesBelow(join(root, 'src/commands'))
  .map((path) => path.split(sep).join('/').replace(/\.ts$/, ''))
  .sort();

const idOf = (path: string): string => path.replaceAll('/', ':');

/** The source of the program, with the expression that loads a command by its path from the root of the tree. */
const everything = (loading: (path: string) => string): string =>
  [
    "export { main, run } from './src/app/main.ts';",
    "export { finish } from './src/app/exit.ts';",
    'export const commands = {',
    ...commands.map((path) => `${JSON.stringify(idOf(path))}: async () => ${loading(`src/commands/${path}.ts`)},`),
    '};',
  ].join('\n');

/** Packages that many commands do without. Each is a file of its own, loaded when it is first used. */
const apart = [
  '@jmespath-community/jmespath',
  'cli-table3',
  'conf',
  'ejs',
  'fast-xml-parser',
  'fflate',
  'https-proxy-agent',
  'hyparquet',
  'hyparquet-writer',
  'inquirer',
  'pg',
  'pg-copy-streams',
  'yaml',
];

/** The process that asks a mirror by SQL: a program of its own, started by src/mirror/sql/reading.ts. */
const reader = 'reader';

/** Stands for the version of the program in the names of its files, until all of it is known. */
const blank = 'unversioned_';

const fileOf = (name: string): string => `./${name}-${blank}.cjs`;

const filesOfTheirOwn: Plugin = {
  name: 'files-of-their-own',
  setup(bundle) {
    bundle.onResolve({ filter: /^(?:@[\w-]+\/)?[\w-]+$/ }, ({ path }) =>
      apart.includes(path) ? { path: fileOf(path), external: true } : undefined,
    );
    bundle.onResolve({ filter: new RegExp(`-${blank}\\.cjs$`) }, ({ path }) => ({ path, external: true }));
  },
};

/** A file of the program, in CommonJS: the one kind of code that V8 can be handed in prepared form. */
async function bundled(name: string, contents: string, plugins: Plugin[]) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, sourcefile: `${name}.ts`, loader: 'ts' },
    // As deep as its sources, so that what they name by a relative path is found.
    outfile: join(out, `program/${name}-${blank}.cjs`),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    // Names stay, so that a stack says where it was.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    banner: { js: "const $file = { get url() { return require('node:url').pathToFileURL(__filename).href; } };" },
    define: {
      'import.meta.url': '$file.url',
      READER_FILE: JSON.stringify(fileOf(reader)),
      KERNEL_CODE: JSON.stringify(kernelCode()),
    },
    // Prepared code cannot import.
    supported: { 'dynamic-import': false },
    plugins: [withoutUnreached, withEscapes, ...plugins],
    // The libraries of libsql, a package for each platform; the others are looked for by packages that do without.
    external: ['@libsql/*', 'pg-native', 'typescript', 'ts-node'],
    metafile: true,
    write: false,
    logLevel: 'warning',
    // A package without a default export is asked for it.
    logOverride: { 'import-is-undefined': 'silent' },
  });
  const text = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { name, metafile, code: inAscii(text('.cjs')), map: text('.map') };
}

/** A package as a module of CommonJS, whichever kind it is. */
const packaged = (name: string) =>
  bundled(name, `import * as all from '${name}';\nmodule.exports = 'default' in all ? all.default : all;\n`, []);

/** The program in its parts; each knows what is in all of them. */
async function program() {
  const whole = everything((path) => `import(${JSON.stringify(`./${path}`)})`);
  const { metafile } = await bundled('relctl', whole, [filesOfTheirOwn]);
  const graph = metafile.inputs;
  const parts = partsOf(graph);
  const names = await exportsOf(
    root,
    [...parts.keys()].filter((path) => path.endsWith('.ts')),
  );
  const started = everything((path) => loadedBy(fileOf(parts.get(path) ?? ''), path));
  const part = async (name: string) => {
    const table = tableOf(name, sharedBy(graph, parts, name), names);
    const contents = [table, name === 'relctl' ? started : ''].join('\n');
    const others = fromOtherParts({ root, part: name, parts, names, fileOf });
    return { ...(await bundled(name, contents, [filesOfTheirOwn, others])), metafile };
  };
  return Promise.all([...new Set(parts.values())].sort().map(part));
}

/** Writes a file of dist and gives its path there. */
function put(path: string, content: string | Uint8Array): string {
  const file = join(out, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return path;
}

/** Puts a command where oclif looks for it when the manifest is made. */
function entry(path: string): string {
  const file = `commands/${path}.js`;
  const start = relative(dirname(file), 'start.cjs').split(sep).join('/');
  const id = JSON.stringify(idOf(path));
  return put(file, `import program from '${start}';\nexport default (await program.commands[${id}]()).default;\n`);
}

const files = [
  ...(await program()),
  ...(await Promise.all(apart.map(packaged))),
  await bundled(reader, "import './src/mirror/sql/reader.ts';", []),
];
// The version is in the names of all files: V8 knows prepared code by the length of its source alone, and a program that
// runs while another version is installed must not load a part of that one.
const hash = createHash('sha256');
for (const { code } of files) hash.update(code);
const version = hash.digest('hex').slice(0, 12);
const start = readFileSync(new URL('start.cjs', import.meta.url), 'utf8')
  .replace("version = ''", `version = '${version}'`)
  .replace('ids = []', `ids = ${JSON.stringify(commands.map(idOf))}`);
const kept = new Set([
  ...files.flatMap(({ name, code, map }) => [
    // As long as before, so that the map still fits.
    put(`program/${name}-${version}.cjs`, code.replaceAll(`-${blank}.cjs`, `-${version}.cjs`)),
    put(`program/${name}-${version}.cjs.map`, map),
  ]),
  put(
    'THIRD-PARTY-LICENSES.txt',
    licences(
      root,
      files.map(({ metafile }) => metafile),
    ),
  ),
  put('start.cjs', start),
  ...commands.map(entry),
]);
for (const path of filesBelow(out)) if (!kept.has(path.split(sep).join('/'))) rmSync(join(out, path));
