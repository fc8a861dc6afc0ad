import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { OnLoadResult, Plugin } from 'esbuild';

// What axios and oclif load at every start and relctl cannot reach, with what stands in its place.

/** A module whose default export has these members of one of Node's, which start.cjs loads when one of them is used. */
const withMembers = (path: string, names: readonly string[]): string =>
  `import { ${names.join(', ')} } from 'node:${path}';
  export default { ${names.map((name) => `get ${name}() { return ${name}; }`).join(', ')} };`;

/**
 * Of axios: the adapter for browsers, forms, redirects, HTTP/2, and proxies, which soap/transport/agents.ts brings itself.
 * Of oclif: what looks for plugins and their files, and its log for DEBUG, which would show command lines.
 */
const unreached: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  axios: {
    './fetch.js': 'export const getFetch = () => undefined; export default undefined;',
    'form-data': 'export default class FormData {}',
    'follow-redirects': 'export default {};',
    crypto: withMembers('crypto', ['randomFillSync']),
    http2: 'export default {};',
    https: withMembers('https', ['Agent', 'globalAgent', 'request']),
    'https-proxy-agent': 'export default class HttpsProxyAgent {}',
  },
  '@oclif/core': {
    debug: 'module.exports = () => () => undefined;',
    minimatch: 'exports.minimatch = () => false;',
    tinyglobby: 'exports.glob = () => Promise.resolve([]);',
    'wsl-utils': 'exports.isWsl = false;',
  },
};

/**
 * Globals that axios looks at, by its files: looking at the first loads the whole of Node's fetch, at the second its
 * measurements, at the third makes a list of all flags of Node. Without them axios takes nothing for a form, times its
 * requests, which relctl does itself, by the day, and takes an agent as it is, which is one that knows no proxy of the
 * environment.
 */
const lookedAt: Readonly<Record<string, readonly [looked: string, instead: string]>> = {
  'utils.js': ["typeof G.FormData !== 'undefined' ? G.FormData : undefined", 'undefined'],
  'http.js': ['!process.allowedNodeEnvironmentFlags ||', 'true ||'],
  'dispatchRequest.js': ["typeof performance !== 'undefined' && utils.isFunction(performance.now)", 'false'],
};

function withoutGlobal(file: string, source: string): string {
  const [looked, instead] = lookedAt[basename(file)] ?? ['', ''];
  if (!source.includes(looked)) throw new Error(`axios looks for globals in another way now: see scripts/unreached.ts`);
  return source.replace(looked, instead);
}

/**
 * oclif's modules load each other at their first line, so that each command would load help, spinners and the search for
 * plugins. Here a module is loaded when it is first used: TypeScript writes every use as a member of the module.
 */
function whenUsed(source: string): string {
  const names = new Set<string>();
  const lazy = source.replace(
    /^const (\w+_\d+) = ((?:__importDefault|__importStar)\()?require\("([^"]+)"\)(\)?);$/gm,
    (_line, name: string, wrap = '', path: string, end: string) => {
      names.add(name);
      return `let $${name}; const $get_${name} = () => ($${name} ??= ${wrap}require("${path}")${end});`;
    },
  );
  return lazy.replace(/(?<![\w$])\w+_\d+(?![\w$])/g, (word) => (names.has(word) ? `($get_${word}())` : word));
}

const packageIn = (path: string): string | undefined =>
  /[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/](?!.*[\\/]node_modules[\\/])/
    .exec(path)?.[1]
    ?.replaceAll('\\', '/');

const loaded = (file: string, change: (source: string) => string): OnLoadResult => ({
  contents: change(readFileSync(file, 'utf8')),
  loader: 'js',
});

/** Leaves those parts out of the bundle. The tests run with and without them: against src, and against the program. */
export const withoutUnreached: Plugin = {
  name: 'without-unreached',
  setup(build) {
    build.onResolve({ filter: /^(?:\.\/fetch\.js|[\w-]+)$/ }, ({ path, importer }) => {
      const from = packageIn(importer);
      return from !== undefined && unreached[from]?.[path] !== undefined
        ? { path, namespace: 'unreached', pluginData: unreached[from][path] }
        : undefined;
    });
    build.onLoad({ filter: /./, namespace: 'unreached' }, ({ pluginData }) => ({
      contents: pluginData as string,
      loader: 'js',
    }));
    build.onLoad(
      { filter: /[\\/]axios[\\/]lib[\\/](?:utils|core[\\/]dispatchRequest|adapters[\\/]http)\.js$/, namespace: 'file' },
      ({ path }) => loaded(path, (source) => withoutGlobal(path, source)),
    );
    build.onLoad({ filter: /[\\/]@oclif[\\/]core[\\/]lib[\\/].*\.js$/, namespace: 'file' }, ({ path }) =>
      loaded(path, whenUsed),
    );
  },
};
