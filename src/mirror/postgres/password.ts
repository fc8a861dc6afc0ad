import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { unreadableBecause } from '../../state/own-file.js';
import { shellWord } from '../../core/text/shell/command.js';
import type { PostgresAddress } from './address.js';

type Variables = Readonly<Record<string, string | undefined>>;

const largestFile = 1024 * 1024;

/** What a field of a line of the file stands for: `\:` and `\\` are characters of it, and `*` alone is everything. */
const field = /((?:[^\\:]|\\.)*)(:|$)/gsy;

function fieldsOf(line: string): readonly string[] {
  const found: string[] = [];
  for (const [, text = '', end] of line.matchAll(field)) {
    found.push(text);
    if (end === '') break;
  }
  return found;
}

const plain = (text: string): string => text.replace(/\\(.)/gs, '$1');

/** The password is the rest of the line, so that a `:` that nobody escaped is part of it. */
function passwordIn(line: string, wanted: readonly string[]): string | undefined {
  if (line === '' || line.startsWith('#')) return undefined;
  const fields = fieldsOf(line);
  const [password, ...more] = fields.slice(wanted.length);
  if (password === undefined) return undefined;
  const fits = wanted.every((value, at) => fields[at] === '*' || plain(fields[at] ?? '') === value);
  return fits ? plain([password, ...more].join(':')) : undefined;
}

function fileOf({ PGPASSFILE: named, APPDATA: folder }: Variables): string {
  if (named !== undefined) return named;
  return process.platform === 'win32' && folder !== undefined
    ? join(folder, 'postgresql', 'pgpass.conf')
    : join(homedir(), '.pgpass');
}

function unusable(file: string, why: string, hint?: string): RelctlError {
  return new RelctlError('profile', `the password file ${file} ${why}`, { facts: { path: file }, hint });
}

/** None where there is no such file: nobody has to have one. */
function linesOf(file: string): readonly string[] {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isFile()) throw unusable(file, 'is not a regular file');
  if (stats.size > largestFile) throw unusable(file, `is larger than ${largestFile} bytes`);
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    throw unusable(file, 'can be read by other users', `chmod 600 ${shellWord(file)}`);
  }
  return readFileSync(file, 'utf8').split(/\r?\n/);
}

function readLines(file: string): readonly string[] {
  try {
    return linesOf(file);
  } catch (thrown) {
    throw thrown instanceof RelctlError ? thrown : unusable(file, unreadableBecause(thrown).words);
  }
}

/** The password that a file in the form of PostgreSQL's own (`HOST:PORT:DATABASE:USER:PASSWORD`) has for an address. */
function passwordFromFile({ host, port, database, user }: PostgresAddress, file: string): string | undefined {
  const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of readLines(file)) {
    const found = passwordIn(line, wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The password for an address, where none is named: that of PGPASSWORD, else that of the file PGPASSFILE names or of
 * ~/.pgpass; undefined for none. Throws `profile` for a file that others can read, or that cannot be read.
 */
export function findPassword(address: PostgresAddress, variables: Variables): string | undefined {
  return variables['PGPASSWORD'] ?? passwordFromFile(address, fileOf(variables));
}
