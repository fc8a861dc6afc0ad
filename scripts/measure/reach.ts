import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type OutputFile, type Plugin } from 'esbuild';
import { kernelCode } from '../kernel.js';

/** What a run enters of the sources. */
export interface Reach {
  readonly files: number;
  readonly functions: number;
}

/** What runs enter, by their names. */
export type Reaches = Readonly<Record<string, Reach>>;

/** What V8 writes of a process into the folder of NODE_V8_COVERAGE. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/** Functions of a file that ran: those with a name, without the helpers of the compiler. */
const functionsRun = ({ functions }: Coverage['result'][number]): readonly string[] =>
  functions
    .filter(({ functionName, ranges }) => !/^(?:__|$)/.test(functionName) && (ranges[0]?.count ?? 0) > 0)
    .map(({ functionName, ranges }) => `${functionName} ${ranges[0]?.startOffset ?? 0}`);

/**
 * Files entered and functions run, without the sandbox. A file is entered when a function with a name ran in it.
 * @param folder what NODE_V8_COVERAGE named
 * @param pid the process: those that it starts are killed, mostly before they write what they ran
 * @param sources folder of the sources that ran
 */
export function reachOf(folder: string, pid: number, sources: string): Reach {
  const run = new Set<string>();
  const [inSources, inSandbox] = [`${pathToFileURL(sources).href}/`, `${pathToFileURL(sources).href}/sandbox/`];
  for (const name of readdirSync(folder).filter((each) => each.startsWith(`coverage-${pid}-`))) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage;
    for (const script of result)
      if (script.url.startsWith(inSources) && !script.url.startsWith(inSandbox))
        for (const each of functionsRun(script)) run.add(`${script.url} ${each}`);
  }
  return { files: new Set([...run].map((each) => each.split(' ', 1)[0])).size, functions: run.size };
}

/** Commands in the order of their runs; those with the name of a budget are measured. `FOLDER` is a folder for files. */
const runs: readonly (readonly [line: string, name?: string])[] = [
  // The first run makes the data of the sandbox.
  ['relation list --limit 1 --profile sandbox'],
  ['profile list', 'profile list'],
  ['relation get 00000000-0000-4000-8000-000000000101 -o csv --profile sandbox', 'relation get -o csv'],
  ['relation list -o csv --profile sandbox', 'relation list -o csv'],
  ['relation list --output-file FOLDER/all.csv --profile sandbox', 'relation list --output-file'],
  ['product update --file FOLDER/prices.csv --no-base --yes --profile sandbox', 'product update --file'],
  ['mirror add relations --profile sandbox'],
  ['mirror sync --profile sandbox', 'mirror sync'],
  ['find veen --profile sandbox', 'find'],
  ['sql SELECT+count(*)+FROM+relations --profile sandbox', 'sql'],
];

/** Leaves the sources apart; only data go into the file that imports them. */
const apart: Plugin = {
  name: 'apart',
  setup: (compiler) =>
    compiler.onResolve({ filter: /^/ }, ({ kind, path }) =>
      kind === 'entry-point' || path.endsWith('.json') ? undefined : { path, external: true },
    ),
};

/** Paths of the sources of a package, below src. */
const sourcesOf = (root: string): readonly string[] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.assembly.ts'))
    .map((path) => path.split(sep).join('/'))
    .sort();

/** Each source compiled to a file of its own, which loads faster than by tsx. */
async function compiled(root: string, folder: string): Promise<readonly OutputFile[]> {
  const { outputFiles } = await build({
    entryPoints: sourcesOf(root).map((path) => join(root, 'src', path)),
    outbase: root,
    outdir: folder,
    bundle: true,
    plugins: [apart],
    format: 'esm',
    platform: 'node',
    target: 'node20',
    keepNames: true,
    define: { READER_FILE: '"./reader.js"', KERNEL_CODE: JSON.stringify(kernelCode()) },
    write: false,
  });
  return outputFiles;
}

/** Writes a program of the compiled sources; gives its path. */
function writeProgram(root: string, folder: string, files: readonly OutputFile[]): string {
  rmSync(folder, { recursive: true, force: true });
  for (const { path, contents } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
  for (const file of ['package.json', 'oclif.manifest.json']) cpSync(join(root, file), join(folder, file));
  const commands = sourcesOf(root).filter((path) => path.startsWith('commands/'));
  const modules = commands
    .map((path) => path.slice('commands/'.length, -'.ts'.length))
    .map((path) => `${JSON.stringify(path.replaceAll('/', ':'))}: () => import('./src/commands/${path}.js'),`);
  const program = join(folder, 'run.js');
  const folderOfProgram = "fileURLToPath(new URL('.', import.meta.url))";
  writeFileSync(
    program,
    [
      "import { fileURLToPath } from 'node:url';",
      "import { main } from './src/app/main.js';",
      `await main(${folderOfProgram}, {`,
      ...modules,
      '});',
    ].join('\n'),
  );
  return program;
}

/** What a command enters, with a home of its own. Throws what it said when it fails. */
function reachOfRun(program: string, home: string, line: string): Reach {
  const coverage = mkdtempSync(join(home, 'coverage-'));
  const words = line.split(' ').map((word) => word.replaceAll('+', ' ').replace('FOLDER', home));
  const { pid, status, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: home,
    env: {
      PATH: process.env['PATH'],
      SHELL: '/bin/sh',
      TZ: 'UTC',
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_STATE_HOME: join(home, 'state'),
      XDG_CACHE_HOME: join(home, 'cache'),
      NODE_V8_COVERAGE: coverage,
    },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`relctl ${line} ended with ${String(status)}: ${stderr}`);
  return reachOf(coverage, pid, join(program, '../src'));
}

function reachOfRuns(program: string): Reaches {
  const home = mkdtempSync(join(tmpdir(), 'relctl-measure-'));
  try {
    writeFileSync(join(home, 'prices.csv'), 'Product,SalesPrice\n00001,12.75\n00002,13.50\n');
    const measured = runs.map(([line, name]) => [name, reachOfRun(program, home, line)] as const);
    return Object.fromEntries(measured.flatMap(([name, reach]) => (name === undefined ? [] : [[name, reach]])));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function present(file: string): { readonly key?: string; readonly reaches?: Reaches } {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof present>;
  } catch {
    return {};
  }
}

/**
 * What each of the measured commands enters, run from the sources on the built-in sandbox. Sources that did not change
 * since they were measured are not run again.
 * @param root folder of the package
 */
export async function measureReach(root: string): Promise<Reaches> {
  // Packages are found from there.
  const folder = join(root, 'node_modules/.cache/measure');
  const files = await compiled(root, folder);
  const facts = [
    process.version,
    runs,
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
    files.map(({ hash }) => hash),
  ];
  const key = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  const before = present(join(folder, 'reach.json'));
  if (before.key === key && before.reaches !== undefined) return before.reaches;
  const reaches = reachOfRuns(writeProgram(root, folder, files));
  writeFileSync(join(folder, 'reach.json'), JSON.stringify({ key, reaches }));
  return reaches;
}
