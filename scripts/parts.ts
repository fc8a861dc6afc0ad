import { relative, sep } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

// Which file of the program each module belongs to, so that a command loads little that it does not use, in few files.

/** What each module imports, by its path from the root of the tree. */
type Graph = Metafile['inputs'];

/** What is loaded together with a module, itself before all: everything but what it loads by an `import()`. */
function loadedWith(graph: Graph, ...roots: readonly string[]): ReadonlySet<string> {
  const loaded = new Set(roots);
  // A set gives what is added to it on the way, too.
  for (const path of loaded) {
    for (const { path: next, kind, external } of graph[path]?.imports ?? [])
      if (kind !== 'dynamic-import' && external !== true) loaded.add(next);
  }
  return loaded;
}

/** What each run loads. */
const always = ['src/app/main.ts', 'src/app/exit.ts'];

/** Stands for a command: what it alone needs is a part. What it shares with commands is in the part of each run. */
const help = 'src/app/help/help.ts';

/** What each command loads that reads lists, and no other. */
const markOfLists = 'src/lists/run.ts';

const topicOf = (command: string): string => `topic-${command.split(/[/.]/)[2] ?? ''}`;

/**
 * The names of the files of the program by the modules that they hold: `relctl` is what each run loads, `lists` what only
 * commands that read lists do, `calls` what else commands of several topics load. What only commands of one topic load is
 * with them. `rest` is what no command loads at its start.
 */
export function partsOf(graph: Graph): ReadonlyMap<string, string> {
  const commands = Object.keys(graph).filter((path) => path.startsWith('src/commands/'));
  const needs = commands.map((command) => ({ command, loaded: loadedWith(graph, command) }));
  const first = loadedWith(graph, ...always);
  const ofHelp = loadedWith(graph, help);
  const partOf = (path: string): string => {
    if (first.has(path)) return 'relctl';
    if (ofHelp.has(path)) return needs.some(({ loaded }) => loaded.has(path)) ? 'relctl' : 'help';
    const users = needs.filter(({ loaded }) => loaded.has(path));
    const [topic = 'rest', ...others] = new Set(users.map(({ command }) => topicOf(command)));
    if (others.length === 0) return topic;
    return users.every(({ loaded }) => loaded.has(markOfLists)) ? 'lists' : 'calls';
  };
  // The others are made by the build, and belong to whatever imports them.
  const files = Object.keys(graph).filter((path) => /^(?:src|node_modules)\//.test(path));
  return new Map(files.map((path) => [path, partOf(path)]));
}

/** The modules of a part that modules of other parts use. */
export function sharedBy(graph: Graph, parts: ReadonlyMap<string, string>, part: string): readonly string[] {
  const used = Object.entries(graph)
    .filter(([path]) => parts.get(path) !== part)
    .flatMap(([, { imports }]) => imports.map(({ path }) => path));
  return [...new Set(used)].filter((path) => parts.get(path) === part).sort();
}

/** The names that each module of these exports. */
export async function exportsOf(
  root: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...paths],
    outdir: 'dist',
    format: 'esm',
    metafile: true,
    write: false,
  });
  return new Map(Object.values(metafile.outputs).map(({ entryPoint = '', exports }) => [entryPoint, exports]));
}

/** Marks a question of the plugin below, so that it does not answer it itself. */
const asked = Symbol('asked');

/** Where the modules of other parts are found. */
export interface OtherParts {
  readonly root: string;
  readonly part: string;
  readonly parts: ReadonlyMap<string, string>;
  /** Exports of the modules that are written as such; others are modules of CommonJS. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** The file of a part, as a path to load it by. */
  readonly fileOf: (part: string) => string;
}

/** Stands for a module of another part. Its exports are taken over once: no module changes them. */
function standIn({ parts, names, fileOf }: OtherParts, path: string): string {
  const found = `require(${JSON.stringify(fileOf(parts.get(path) ?? ''))}).modules[${JSON.stringify(path)}]()`;
  const exported = names.get(path);
  if (exported === undefined) return `module.exports = ${found};`;
  const named = exported.filter((name) => name !== 'default');
  const rest = exported.length > named.length ? 'export default found.default;' : '';
  return `const found = ${found}; export const { ${named.join(', ')} } = found; ${rest}`;
}

/** Leaves the modules of other parts to their files. */
export const fromOtherParts = (others: OtherParts): Plugin => ({
  name: 'from-other-parts',
  setup(bundle) {
    bundle.onResolve({ filter: /./ }, async ({ path, importer, namespace, resolveDir, kind, pluginData }) => {
      if (namespace === 'other-part') return { path, external: true };
      if (pluginData === asked || kind === 'entry-point') return undefined;
      const found = await bundle.resolve(path, { importer, namespace, resolveDir, kind, pluginData: asked });
      const module = relative(others.root, found.path).split(sep).join('/');
      const part = found.namespace === 'file' ? others.parts.get(module) : undefined;
      return part === undefined || part === others.part ? found : { path: module, namespace: 'other-part' };
    });
    bundle.onLoad({ filter: /./, namespace: 'other-part' }, ({ path }) => ({
      contents: standIn(others, path),
      loader: 'js',
    }));
  },
});
