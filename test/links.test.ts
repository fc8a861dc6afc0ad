import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { manifestCommands } from '../scripts/docs/manifest-read.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const markdown = (folder: string): readonly string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const pages = ['.', 'docs', 'docs/decisions'].flatMap(markdown);

/** The anchors of a page's headings, as GitHub makes them of their text. */
function anchorsOf(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8').replace(/^```.*?^```$/gms, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('Every link of a page', () => {
  for (const page of pages) {
    it(`leads to a file and a heading that are there: ${page}`, () => {
      const links = readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g);
      const broken = [...links].filter(([, file = '', anchor = '']) => {
        const target = file === '' ? page : join(dirname(page), file);
        if (!existsSync(join(root, target))) return true;
        return anchor !== '' && !anchorsOf(target).includes(anchor);
      });
      assert.deepEqual(
        broken.map(([link]) => link),
        [],
      );
    });
  }
});

describe('Every flag that a page of the docs names', () => {
  const known = new Set(
    manifestCommands(root)
      .flatMap(({ flags }) => Object.values(flags))
      .flatMap(({ name, allowNo }) => (allowNo === true ? [name, `no-${name}`] : [name])),
  );
  /** Of help, of the bench, and of other programs. */
  const others = ['help', 'version', 'all', 'allow-missing', 'quick', 'rounds', 'write', 'check'];

  for (const page of pages.filter((path) => path.startsWith('docs/') && !path.startsWith('docs/decisions/')))
    it(`is one that a command has: ${page}`, () => {
      const named = readFileSync(join(root, page), 'utf8').matchAll(/(?<![\w-])--([a-z][a-z-]*)/g);
      assert.deepEqual(
        [...named].map(([, name = '']) => name).filter((name) => !known.has(name) && !others.includes(name)),
        [],
      );
    });
});
