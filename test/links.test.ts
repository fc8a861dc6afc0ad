import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

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
