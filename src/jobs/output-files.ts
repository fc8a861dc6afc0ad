import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { didYouMean } from './job-file.js';

/** What can stand in braces in the name of an output file. */
export interface Placeholders {
  /** Name of the job. */
  readonly job: string;
  /** Day of the run by the machine's clock and zone: 2026-01-31. */
  readonly date: string;
  /** Time of the run: 093000. */
  readonly time: string;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Day and time of a run, as names of files hold them, by the machine's zone. */
export function runTimes(now: Date): Omit<Placeholders, 'job'> {
  return {
    date: [String(now.getFullYear()).padStart(4, '0'), two(now.getMonth() + 1), two(now.getDate())].join('-'),
    time: [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(''),
  };
}

/** A name with its placeholders filled in, or what is wrong with it. */
export type Filled =
  { readonly kind: 'file'; readonly file: string } | { readonly kind: 'wrong'; readonly words: string };

function wrongName(text: string, known: readonly string[]): string | undefined {
  const braces = text.matchAll(/\{([^{}]*)\}/g);
  for (const [whole, name = ''] of braces) {
    if (known.includes(name)) continue;
    return `unknown placeholder ${whole}; there are ${known.map((each) => `{${each}}`).join(', ')}${didYouMean(name, known)}`;
  }
  if (/[{}]/.test(text.replace(/\{[^{}]*\}/g, ''))) return 'a brace stands alone: placeholders are written {date}';
  if (text === '-') return 'a job writes to a file: stdout holds the summary';
  if (text.trim() === '' || /[/\\]$/.test(text)) return 'output-file takes the name of a file';
  return undefined;
}

/** Fills the placeholders of a file name in, and makes it a path below the folder of the job file unless it is absolute. */
export function outputFile(text: string, values: Placeholders, folder: string): Filled {
  const known = new Map<string, string>(Object.entries(values));
  const words = wrongName(text, [...known.keys()]);
  if (words !== undefined) return { kind: 'wrong', words };
  const filled = text.replace(/\{([^{}]*)\}/g, (_, name: string) => known.get(name) ?? '');
  return { kind: 'file', file: resolve(folder, filled) };
}

/** One name for a file, whichever path leads to it, as long as its folder exists. */
export function trueName(file: string, platform: NodeJS.Platform): string {
  let folder = dirname(file);
  try {
    folder = realpathSync(folder);
  } catch {
    // The job itself reports a folder that is not there.
  }
  const name = join(folder, basename(file));
  return platform === 'win32' || platform === 'darwin' ? name.toLowerCase() : name;
}

/** Files that an export to this file may write: the file itself and those beside it. */
export const namesBeside = (file: string): readonly string[] =>
  ['', '.part', '.journal', '.lock', '.meta.json'].map((ending) => file + ending);
