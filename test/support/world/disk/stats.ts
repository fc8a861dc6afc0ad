import type { Stats } from 'node:fs';
import type { File } from './platter.js';

const own = process.getuid?.() ?? 0;

/** As much of what the system tells of a file as is asked for here. */
export function statsOf(file: File): Stats {
  const { inode, mode, links, bytes, modifiedMs } = file;
  const facts = { ino: inode, mode: 0o100000 | mode, nlink: links, size: bytes.length, mtimeMs: modifiedMs, uid: own };
  const no = (): boolean => false;
  const kind = { isFile: () => true, isDirectory: no, isSymbolicLink: no, isCharacterDevice: no, isFIFO: no };
  return Object.assign(Object.create(null) as Stats, facts, kind);
}

/** The same of a folder. */
export const folderStats: Stats = Object.assign(Object.create(null) as Stats, {
  ...{ mode: 0o40700, nlink: 2, size: 0, uid: own },
  ...{ isFile: () => false, isDirectory: () => true, isSymbolicLink: () => false, isFIFO: () => false },
});
