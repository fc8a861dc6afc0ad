import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const page = read('CONTRIBUTING.md');
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };

const named = (pattern: RegExp): readonly string[] => [...page.matchAll(pattern)].map(([, name = '']) => name);

describe('CONTRIBUTING.md', () => {
  it('names scripts of package.json, and leaves out none that somebody types', () => {
    const told = new Set(['test', ...named(/npm run (?:-s )?([a-z:-]+)/g)]);
    // Parts of others: of test and test:shuffled, of npm pack, of generate.
    const parts = ['mocha', 'prepack', 'postpack', 'manifest', 'docs'];
    assert.deepEqual([...told, ...parts].sort(), Object.keys(scripts).sort());
  });

  it('names files that are there', () => {
    const paths = named(/(?:^|[\s`(])((?:src|test|docs|\.github|\.ci|bin)\/[\w./-]+|\.[a-z][\w.-]+\.cjs)/gm);
    assert.ok(paths.length > 8, paths.join());
    assert.deepEqual(
      paths.filter((path) => !existsSync(new URL(path, root))),
      [],
    );
  });
});
