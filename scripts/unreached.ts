import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/**
 * What axios loads at every start and relctl cannot reach, with what stands in its place: the adapter for browsers, forms,
 * redirects, HTTP/2, and proxies, which soap/agents.ts brings itself.
 */
const unreached: Readonly<Record<string, string>> = {
  './fetch.js': 'export const getFetch = () => undefined; export default undefined;',
  'form-data': 'export default class FormData {}',
  'follow-redirects': 'export default {};',
  http2: 'export default {};',
  'https-proxy-agent': 'export default class HttpsProxyAgent {}',
};

/** Looking at this global loads the whole of Node's fetch; without it axios takes nothing for a form. */
function withoutFetch(source: string): string {
  const looked = "typeof G.FormData !== 'undefined' ? G.FormData : undefined";
  if (!source.includes(looked))
    throw new Error('axios looks for FormData in another way now: see scripts/unreached.ts');
  return source.replace(looked, 'undefined');
}

/** oclif writes to stderr by itself when the working folder was removed, and looks at the version of Node, as we do. */
function withoutChecks(source: string): string {
  const checks = '\ncheckCWD();\ncheckNodeVersion();\n';
  if (!source.includes(checks)) throw new Error('oclif checks in another way now: see scripts/unreached.ts');
  return source.replace(checks, '\n');
}

/** Leaves those parts out of the bundle. The tests run with and without them: against src, and against the program. */
export const withoutUnreached: Plugin = {
  name: 'without-unreached',
  setup(build) {
    build.onResolve({ filter: /^(?:\.\/fetch\.js|[\w-]+)$/ }, ({ path, importer }) =>
      Object.hasOwn(unreached, path) && /[\\/]node_modules[\\/]axios[\\/]/.test(importer)
        ? { path, namespace: 'unreached' }
        : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'unreached' }, ({ path }) => ({
      contents: unreached[path] ?? '',
      loader: 'js',
    }));
    build.onLoad({ filter: /[\\/]axios[\\/]lib[\\/]utils\.js$/ }, ({ path }) => ({
      contents: withoutFetch(readFileSync(path, 'utf8')),
      loader: 'js',
    }));
    build.onLoad({ filter: /[\\/]@oclif[\\/]core[\\/]lib[\\/]index\.js$/ }, ({ path }) => ({
      contents: withoutChecks(readFileSync(path, 'utf8')),
      loader: 'js',
    }));
  },
};
