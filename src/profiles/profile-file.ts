import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { RelctlError, type Remedy } from '../errors/relctl-error.js';
import { unreadableBecause } from '../files/failure.js';
import { shellWord } from '../lexical/shell.js';
import { jsonDamage } from './json-damage.js';
import { codeOf } from '../errors/code-of.js';
import { isObject } from '../plain/object.js';

/** The profile file as it is kept: what this version does not know stays where it is. */
export interface ProfileFile {
  readonly version: number;
  /** Profile in use when none is named. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [unknown: string]: unknown;
}

const maxBytes = 1024 * 1024;

/** An empty store. */
export const emptyFile: ProfileFile = { version: 1, profiles: {} };

function unusable(file: string, reason: string, remedy: Remedy = {}): RelctlError {
  return new RelctlError('profile', `the profile file ${file} ${reason}`, {
    facts: { path: file },
    hint: `ls -l ${shellWord(file)}`,
    ...remedy,
  });
}

function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch (thrown) {
    const code = codeOf(thrown) ?? '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unusable(file, unreadableBecause(thrown).words);
  }
}

function checkStats(file: string, stats: Stats): void {
  if (!stats.isFile())
    throw unusable(file, 'is not a regular file', { advice: 'Move it away, or put a regular file in its place.' });
  if (stats.size > maxBytes) throw unusable(file, `is larger than ${maxBytes} bytes`);
  const uid = process.getuid?.();
  if (uid !== undefined && stats.uid !== uid && uid !== 0) throw unusable(file, 'belongs to another user');
  // Windows has no such bits.
  if (uid !== undefined && (stats.mode & 0o077) !== 0) {
    throw unusable(file, 'can be read by other users', { hint: `chmod 600 ${shellWord(file)}` });
  }
}

/** Where the JSON stops making sense, in line and column; its content is never shown, because it may be a secret. */
function positionIn(text: string): string {
  const offset = jsonDamage(text) ?? text.length;
  if (offset === text.length) return 'at its end';
  const before = text.slice(0, offset).split('\n');
  return `at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

const mend = (file: string): Remedy => ({
  advice: 'Mend it by hand, or move it away and add the profiles again.',
  hint: process.platform === 'win32' ? undefined : `\${EDITOR:-vi} ${shellWord(file)}`,
});

/** The text of the file. Strict: a byte that is read as something else would be written back as something else. */
function textOf(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (thrown) {
    throw unusable(file, unreadableBecause(thrown).words);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unusable(file, 'is damaged: it is not UTF-8; it was left as it is', mend(file));
  }
}

function parse(file: string): unknown {
  const text = textOf(file);
  try {
    return JSON.parse(text);
  } catch {
    throw unusable(file, `is damaged ${positionIn(text)}; it was left as it is`, mend(file));
  }
}

function holdsProfiles(content: unknown): content is Record<string, unknown> {
  if (!isObject(content)) return false;
  const { profiles, current } = content;
  if (current !== undefined && typeof current !== 'string') return false;
  return isObject(profiles) && Object.values(profiles).every(isObject);
}

/** Reads the profile file; one that is not there is empty. Throws `profile` and never changes or shows what is in it. */
export function readProfileFile(file: string): ProfileFile {
  const stats = statsOf(file);
  if (stats === undefined) return emptyFile;
  checkStats(file, stats);
  const content = parse(file);
  if (!holdsProfiles(content)) {
    throw unusable(file, 'does not hold profiles; it was left as it is', {
      advice: 'Move it away and add the profiles again.',
    });
  }
  if (content['version'] !== 1) throw unusable(file, 'was written by another version of relctl; it was left as it is');
  // Everything that is used below was checked; what is unknown passes through.
  return content as unknown as ProfileFile;
}
