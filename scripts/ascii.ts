import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

// The program is read as latin1 (scripts/start.cjs), the quickest way and the one that V8 keeps in a byte for each
// character. esbuild escapes what is not ASCII, but for regular expressions and tagged templates.

/** The modules of others that hold such an expression. Ours are written in ASCII where esbuild does not escape. */
const unescaped = /[\\/]node_modules[\\/]ansis[\\/]index\.js$/;

/** Writes those modules with escapes, which mean the same in texts and in expressions. */
export const withEscapes: Plugin = {
  name: 'with-escapes',
  setup(build) {
    build.onLoad({ filter: unescaped }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
      loader: 'js',
    }));
  },
};

/** The code as it is; throws, with the place, when it holds anything but ASCII. */
export function inAscii(code: string): string {
  const place = /.{0,60}[^\0-\x7f].{0,60}/.exec(code)?.[0];
  if (place !== undefined) throw new Error(`the program would not be ASCII: write an escape in: ${place}`);
  return code;
}
