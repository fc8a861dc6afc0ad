import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BulkPlace } from '../../bulk/rows-text.js';
import { usage } from '../../errors/usage.js';
import { unreadableInput } from '../../files/failure.js';
import type { InputFile } from '../../inputs/input.js';
import { checkLinks, type Base } from '../places.js';
import { patternOf, type Matched, type NamePattern } from './pattern.js';

/** A file of a folder, and what its path says of it. */
interface FoundFile extends Matched {
  readonly path: string;
}

const usualPattern = '{id}/*';

type Given = Pick<BulkPlace, 'context' | 'flags'>;

/** Flags that say how a file of rows is read. */
const ofFiles = ['input-format', 'delimiter', 'decimal', 'sheet', 'map', 'null-as'] as const;

/** The files of a folder that a pattern matches, in the order of their names. */
class FolderFiles {
  readonly files: FoundFile[] = [];
  /** Names that match nothing. */
  others = 0;
  readonly #base: Base;

  constructor(base: Base) {
    this.#base = base;
  }

  /** Throws `usage` for a folder that cannot be read, and for one that a link leads out of the folder. */
  take(folder: string, [pattern, ...rest]: readonly NamePattern[], known: Matched = {}): void {
    if (pattern === undefined) return;
    const names = namesIn(folder).sort();
    for (const name of names) {
      const path = join(folder, name);
      const matched = pattern.match(name);
      const isFolder = matched !== undefined && isFolderAt(path);
      if (matched === undefined || isFolder !== rest.length > 0) this.others += 1;
      else if (isFolder) {
        checkLinks(this.#base, path);
        this.take(path, rest, { ...known, ...matched });
      } else this.files.push({ ...known, ...matched, path });
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    const error = unreadableInput(folder, thrown);
    throw error.but({ facts: { ...error.facts, path: '--dir' } });
  }
}

/** False for a file, a link that leads nowhere, and what cannot be looked at: that is told of it when it is checked. */
function isFolderAt(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function checkFlags({ flags }: Given): void {
  if (flags.file !== undefined) throw usage('--dir', '--file and --dir exclude each other');
  const other = ofFiles.find((name) => flags[name] !== undefined);
  if (other !== undefined) throw usage(`--${other}`, `--${other} is for a file of rows, not for --dir`);
}

/** The base of --dir. Throws `usage` for what is no folder. */
function folderOf({ flags, context }: Given, given: string): Base {
  const folder = context.environment.pathOf(given);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return { folder, takesOthers: flags['allow-outside'] === true };
  throw usage('--dir', `${given} is ${found === undefined ? 'not there' : 'no folder'}`);
}

/** What was left out, in words. */
const othersWords = (count: number, pattern: string): string =>
  `${count} ${count === 1 ? 'name does' : 'names do'} not match ${pattern} and ${count === 1 ? 'is' : 'are'} left out`;

function inputOf(folder: string, pattern: string, { files, others }: FolderFiles): InputFile {
  const isNamed = pattern.includes('{name}');
  const hash = createHash('sha256').update(JSON.stringify(pattern));
  for (const { path } of files) hash.update(JSON.stringify(path));
  return {
    name: folder,
    sha256: hash.digest('hex'),
    columns: ['id', 'file', ...(isNamed ? ['name'] : [])],
    said: others === 0 ? [] : [`${folder}: ${othersWords(others, pattern)}`],
    mayHaveCommas: false,
    skipped: 0,
    *rows() {
      for (const [index, { id, path, name }] of files.entries())
        yield { line: index + 1, cells: [id, path, ...(isNamed ? [name] : [])] };
    },
    cellName: () => undefined,
    close: () => undefined,
  };
}

/**
 * The files of the folder of --dir as rows, with the columns id and file, and name where the pattern says it; undefined
 * where there is no such flag. Throws `usage`.
 */
export function folderInput(given: Given): InputFile | undefined {
  const { dir: folder, pattern } = given.flags;
  if (typeof folder !== 'string') {
    if (pattern === undefined) return undefined;
    throw usage('--pattern', '--pattern goes with --dir', '--dir DIR');
  }
  checkFlags(given);
  const text = typeof pattern === 'string' ? pattern : usualPattern;
  const patterns = patternOf(text);
  const base = folderOf(given, folder);
  const found = new FolderFiles(base);
  found.take(base.folder, patterns);
  if (found.files.length === 0) throw usage('--dir', `no file in ${folder} matches ${text}`);
  return inputOf(folder, text, found);
}
