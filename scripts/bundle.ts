import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { inAscii, withEscapes } from './ascii.js';
import { licences } from './licences.js';
import { withoutUnreached } from './unreached.js';

// Makes dist: the program in one file, what V8 made of it, and an entry for each command that is loaded by its name.

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

const everything = [
  "export { main } from './src/app/main.ts';",
  'export const commands = {',
  ...commands.map(
    (path) =>
      `${JSON.stringify(path.replaceAll('/', ':'))}: () => import(${JSON.stringify(`./src/commands/${path}.ts`)}),`,
  ),
  '};',
].join('\n');

/** The program in one file of CommonJS, the one kind of code that V8 can be handed in prepared form. */
async function bundled() {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: everything, resolveDir: root, sourcefile: 'everything.ts', loader: 'ts' },
    // As deep as its sources, so that what they name by a relative path is found.
    outfile: join(out, 'program/relctl.cjs'),
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
    banner: { js: "const $url = require('node:url').pathToFileURL(__filename).href;" },
    define: { 'import.meta.url': '$url' },
    // Prepared code cannot import.
    supported: { 'dynamic-import': false },
    plugins: [withoutUnreached, withEscapes],
    // A binary; the others are looked for by packages that do without.
    external: ['libsql', 'typescript', 'ts-node'],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const text = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { metafile, code: inAscii(text('.cjs')), map: text('.map') };
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
  const start = relative(dirname(file), 'start.js').split(sep).join('/');
  const id = JSON.stringify(path.replaceAll('/', ':'));
  return put(file, `import { commands } from '${start}';\nexport default (await commands[${id}]()).default;\n`);
}

// Whatever most runs do.
const rehearsals = [
  ['relation', 'get', '00000000-0000-4000-8000-000000000101', '--profile', 'sandbox'],
  ['relation', 'list', '-o', 'csv', '--profile', 'sandbox'],
  ['--help'],
];

/** Lets V8 keep what it makes of the program while it runs against the embedded service in another process. */
async function rehearse(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'relctl-build-'));
  const env = { PATH: process.env['PATH'], HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home };
  const program = join(root, 'bin/run.js');
  const service = spawn(process.execPath, [program, 'sandbox', 'start', '--port', '0'], { env, stdio: 'pipe' });
  try {
    await Promise.race([once(service.stdout, 'data'), once(service, 'close')]);
    for (const args of rehearsals) {
      const run = spawnSync(process.execPath, [program, ...args], {
        env: { ...env, RELCTL_KEEP_CODE: '1' },
        timeout: 60_000,
      });
      if (run.status !== 0) throw new Error(`${args.join(' ')} failed while building: ${run.stderr.toString()}`);
    }
  } finally {
    service.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

const { metafile, code, map } = await bundled();
// V8 knows prepared code by the length of its source alone; the name makes it sure.
const name = `relctl-${createHash('sha256').update(code).digest('hex').slice(0, 12)}`;
const start = readFileSync(new URL('start.js', import.meta.url), 'utf8');
const kept = new Set([
  put(`program/${name}.cjs`, code.replace(/sourceMappingURL=.*\s*$/, `sourceMappingURL=${name}.cjs.map\n`)),
  put(`program/${name}.cjs.map`, map),
  put('THIRD-PARTY-LICENSES.txt', licences(root, metafile)),
  put('start.js', start.replace("'relctl'", `'${name}'`)),
  ...commands.map(entry),
  `program/${name}.${process.platform}-${process.arch}.code`,
]);
for (const path of filesBelow(out)) if (!kept.has(path.split(sep).join('/'))) rmSync(join(out, path));
await rehearse();
