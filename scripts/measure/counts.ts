import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { manifestCommands } from '../docs/manifest-read.js';
import type { Reaches } from './reach.js';

/** Numbers by what they count. */
export type Counts = Readonly<Record<string, number>>;

const filesBelow = (folder: string, ending: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith(ending))
    .sort();

/** As `wc -l` counts. */
const linesOf = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;

/** As `wc -w` counts. */
const wordsOf = (file: string): number => readFileSync(file, 'utf8').split(/\s+/).filter(Boolean).length;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Lines of src in all and of each of its folders, and its files. */
function sizes(src: string): Counts {
  const files = filesBelow(src, '.ts');
  const lines = files.map((path) => linesOf(join(src, path)));
  const rooms = new Map<string, number>();
  for (const [at, path] of files.entries()) {
    const room = `lines of src/${path.split('/', 1)[0] ?? ''}`;
    rooms.set(room, (rooms.get(room) ?? 0) + (lines[at] ?? 0));
  }
  return { 'lines of src': sum(lines), 'files of src': files.length, ...Object.fromEntries(rooms) };
}

/** Flags that help shows. */
function flags(root: string): Counts {
  const shown = manifestCommands(root).map((command) =>
    Object.values(command.flags).filter(({ hidden }) => hidden !== true),
  );
  return {
    'different flags': new Set(shown.flat().map(({ name }) => name)).size,
    'flags of the largest command': Math.max(...shown.map((each) => each.length)),
  };
}

/**
 * The size of a package.
 * @param root its folder, with a slash at the end
 */
export function countSizes(root: string): Counts {
  const pages = filesBelow(join(root, 'docs'), '.md').filter((path) => !path.startsWith('decisions/'));
  return {
    ...sizes(join(root, 'src')),
    ...flags(root),
    'words of docs': sum(pages.map((path) => wordsOf(join(root, 'docs', path)))),
    'bytes of oclif.manifest.json': statSync(join(root, 'oclif.manifest.json')).size,
  };
}

/** What runs enter, as counts. */
export const countReaches = (reaches: Reaches): Counts =>
  Object.fromEntries(
    Object.entries(reaches).flatMap(([name, { files, functions }]) => [
      [`files entered by ${name}`, files],
      [`functions run by ${name}`, functions],
    ]),
  );
