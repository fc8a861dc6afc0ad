import { relative, sep } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

// Which file of the program each module belongs to, so that a command loads little that it does not use, in few files.

/** What each module imports, by its path from the root of the tree. */
type Graph = Metafile['inputs'];

/** What oclif loads only when it is used (`whenUsed` of unreached.ts), and a usual run does not use: its help, spinners, colours and search for plugins. */
const seldomUsed =
  /@oclif\/core\/lib\/(?:help|ux|module-loader|errors\/errors\/pretty-print|util\/(?:cache-command|find-root|read-))/;

const isLate = ({ kind }: Graph[string]['imports'][number]): boolean => kind === 'dynamic-import';

/** What is loaded together with a module, itself before all: everything but what it loads by an `import()`, or seldom. */
function loadedWith(graph: Graph, ...roots: readonly string[]): ReadonlySet<string> {
  const loaded = new Set(roots);
  // A set gives what is added to it on the way, too.
  for (const path of loaded) {
    for (const next of graph[path]?.imports ?? [])
      if (!isLate(next) && next.external !== true && !seldomUsed.test(next.path)) loaded.add(next.path);
  }
  return loaded;
}

/** What each run loads. */
const always = ['src/app/main.ts', 'src/app/exit.ts'];

/** Stands for a command: what it alone needs is a part. What it shares with commands is in the part of each run. */
const help = 'src/app/help/help.ts';

/** Parts of what only commands of one kind load, by a module that each of these commands loads. The first that fits. */
const marks = {
  lists: 'src/lists/run.ts',
  mirrors: 'src/mirror/open.ts',
  databases: 'src/state/sqlite/open.ts',
  records: 'src/lists/record/call.ts',
};

/** Parts of what a quarter of all commands load or more, in the same way; `commands` is the rest of that. */
const marksOfMany = {
  calls: 'src/kit/session/session.ts',
  contract: 'src/contract/service.ts',
};

/** Parts of what is loaded late together with a module, and with no other that is loaded late. */
const lateMarks = { http: 'src/soap/transport/axios-client.ts' };

/** Parts of which each command that loads them needs nearly all: their modules run as soon as the part is loaded. */
const eager: ReadonlySet<string> = new Set(['relctl', 'commands', 'contract', 'calls', 'http']);

/** Shorter sources, in bytes, are no reason to load one part more. */
const little = 1200;

const topicOf = (command: string): string => `topic-${command.split(/[/.]/)[2] ?? ''}`;

/** What no command loads at its start is in parts by folders of src. */
const lateOf = (path: string): string => `late-${/^src\/([^/.]+)/.exec(path)?.[1] ?? 'packages'}`;

/**
 * The names of the files of the program by the modules that they hold: `relctl` is what each run loads. What only commands
 * of one topic load is with them, and what only commands with a mark load is in the part of that mark. Of the rest, `calls`
 * is what a quarter of all commands load, and `few` what fewer do and nothing loads late.
 */
export function partsOf(graph: Graph): ReadonlyMap<string, string> {
  const commands = Object.keys(graph).filter((path) => path.startsWith('src/commands/'));
  const needs = commands.map((command) => ({ command, loaded: loadedWith(graph, command) }));
  const first = loadedWith(graph, ...always);
  const ofHelp = loadedWith(graph, help);
  const late = new Set(Object.values(graph).flatMap(({ imports }) => imports.filter(isLate).map(({ path }) => path)));
  const lateParts = Object.entries(lateMarks).map(([part, mark]) => {
    const own = loadedWith(graph, mark);
    return { part, own, others: loadedWith(graph, ...[...late].filter((path) => !own.has(path))) };
  });
  const partOf = (path: string): string => {
    if (first.has(path)) return 'relctl';
    if (ofHelp.has(path)) return needs.some(({ loaded }) => loaded.has(path)) ? 'relctl' : 'help';
    const users = needs.filter(({ loaded }) => loaded.has(path));
    const lateMarked = lateParts.find(({ own, others }) => own.has(path) && !others.has(path))?.part;
    const [topic = lateMarked ?? lateOf(path), ...others] = new Set(users.map(({ command }) => topicOf(command)));
    if (others.length === 0) return topic;
    const markedBy = (all: Readonly<Record<string, string>>): string | undefined =>
      Object.keys(all).find((mark) => users.every(({ loaded }) => loaded.has(all[mark] ?? '')));
    const ofFew = late.has(path) ? lateOf(path) : 'few';
    const isOfMany = users.length >= commands.length / 4 || (graph[path]?.bytes ?? 0) < little;
    return markedBy(marks) ?? (isOfMany ? (markedBy(marksOfMany) ?? 'commands') : ofFew);
  };
  // The others are made by the build, and belong to whatever imports them.
  const files = Object.keys(graph).filter((path) => /^(?:src|node_modules)\//.test(path));
  return new Map(files.map((path) => [path, partOf(path)]));
}

/** The modules of a part that modules of other parts use, or that are loaded late. */
export function sharedBy(graph: Graph, parts: ReadonlyMap<string, string>, part: string): readonly string[] {
  const used = Object.entries(graph).flatMap(([path, { imports }]) =>
    imports.filter((each) => parts.get(path) !== part || isLate(each)).map(({ path: next }) => next),
  );
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

/** The expression that loads a module from the file of its part. */
export const loadedBy = (file: string, path: string): string =>
  `require(${JSON.stringify(file)}).modules[${JSON.stringify(path)}]()`;

/**
 * The source of the table of the modules that a part shares. The modules of an eager part run when it is loaded, without
 * the functions that esbuild puts around each to run it later: their making is a good part of a start.
 */
export function tableOf(part: string, shared: readonly string[], names: OtherParts['names']): string {
  const loaded = shared.map((path, index) => {
    const exported = eager.has(part) ? names.get(path) : undefined;
    if (exported === undefined) return { imports: '', line: `require(${JSON.stringify(`./${path}`)})` };
    const taken = exported.map((name) => ({ name, local: `${name}_${index}` }));
    return {
      imports: `import { ${taken.map(({ name, local }) => `${name} as ${local}`).join(', ')} } from ${JSON.stringify(`./${path}`)};`,
      line: `({ ${taken.map(({ name, local }) => `${JSON.stringify(name)}: ${local}`).join(', ')} })`,
    };
  });
  const lines = shared.map((path, index) => `${JSON.stringify(path)}: () => ${loaded[index]?.line ?? ''},`);
  return [...loaded.map(({ imports }) => imports), 'export const modules = {', ...lines, '};'].join('\n');
}

/** Stands for a module of another part. Its exports are taken over once: no module changes them. */
function standIn({ parts, names, fileOf }: OtherParts, path: string): string {
  const found = loadedBy(fileOf(parts.get(path) ?? ''), path);
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
      const isHere = part === others.part && !(eager.has(part) && kind === 'dynamic-import');
      return part === undefined || isHere ? found : { path: module, namespace: 'other-part' };
    });
    bundle.onLoad({ filter: /./, namespace: 'other-part' }, ({ path }) => ({
      contents: standIn(others, path),
      loader: 'js',
    }));
  },
});
