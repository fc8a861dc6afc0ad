import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RelctlError } from '../core/errors/relctl-error.js';
import { orElse } from '../core/values/value.js';
import { readAt, writeAll } from './durable.js';
import { attempt } from './own-file.js';
import { readLines } from './lines.js';
import { ownTag, tagPattern, sweepLitter } from './locks/holder.js';

/** Bytes that are read as one piece. */
export const pieceBytes = 64 * 1024;

/** A file that nobody else can reach, gone with the process: for bytes that are too many for memory. All ways throw `local`. */
export interface TemporaryFile {
  readonly handle: number;
  /** Bytes that were appended. */
  readonly length: number;
  /** Adds bytes behind those that were appended before. */
  append(bytes: Uint8Array): void;
  /** All bytes that were appended, in pieces of one length but for the last, each in memory of its own. */
  pieces(): Generator<Uint8Array>;
  /** Writes bytes at a place. One that failed leaves what was written elsewhere as it is. */
  write(bytes: Uint8Array, at: number): void;
  /** Fills all of `into` from a place on. */
  read(into: Uint8Array, at: number): void;
  close(): void;
}

const ofProcess = new RegExp(`^relctl-(${tagPattern})-\\w{6}$`);

const swept = new Set<string>();

/** Removes what processes left that were killed before the name of their file was taken away; once for a folder. */
function sweepOnce(folder: string): void {
  if (swept.has(folder)) return;
  swept.add(folder);
  sweepLitter(folder, { kind: 'folder', tagIn: (name) => ofProcess.exec(name)?.[1] });
}

/**
 * Opens a file for reading and writing (mode 0600) in a new folder (mode 0700). Where the system allows it, its name is
 * taken away at once, so that a killed process hardly ever leaves it; what one left is taken away by the next. Throws `local`.
 * @param folder where temporary files go
 */
export function openTemporaryFile(folder = tmpdir()): TemporaryFile {
  sweepOnce(folder);
  const temporary = attempt(folder, () => mkdtempSync(join(folder, `relctl-${ownTag()}-`)));
  const path = join(temporary, 'content');
  const handle = attempt(path, () => openSync(path, 'wx+', 0o600));
  // Some systems keep a file that is open; it goes when it is closed.
  const remove = (): void => orElse(() => rmSync(temporary, { recursive: true, force: true }), undefined);
  remove();
  let isOpen = true;
  let length = 0;
  const write = (bytes: Uint8Array, at: number): void => attempt(path, () => writeAll(handle, bytes, at));
  const read = (into: Uint8Array, at: number): void => {
    // Its number may be another file's by now.
    if (!isOpen) throw new RelctlError('local', `${path} was abandoned`, { facts: { path, code: 'closed' } });
    if (attempt(path, () => readAt(handle, into, at)) === into.length) return;
    throw new RelctlError('local', `${path} ends too early`, { facts: { path, code: 'short' } });
  };
  return {
    handle,
    get length() {
      return length;
    },
    append(bytes) {
      write(bytes, length);
      length += bytes.length;
    },
    *pieces() {
      for (let at = 0; at < length; at += pieceBytes) {
        const piece = Buffer.allocUnsafe(Math.min(pieceBytes, length - at));
        read(piece, at);
        yield piece;
      }
    },
    write,
    read,
    close() {
      if (!isOpen) return;
      isOpen = false;
      closeSync(handle);
      remove();
    },
  };
}

const mostCharacters = 1024 * 1024;

/**
 * Opens a store of lines that wait to be read again: in memory while it is small, then in a temporary file.
 * @param most how many characters are kept in memory
 */
export function openLineStore(most = mostCharacters): {
  add(line: string): void;
  lines(): Generator<string>;
  close(): void;
} {
  let held: string[] = [];
  let characters = 0;
  let file: TemporaryFile | undefined;
  return {
    add(line) {
      held.push(line);
      characters += line.length;
      if (characters < most) return;
      (file ??= openTemporaryFile()).append(Buffer.from(`${held.join('\n')}\n`));
      held = [];
      characters = 0;
    },
    *lines() {
      if (file !== undefined) yield* readLines(file.handle);
      yield* held;
    },
    close: () => file?.close(),
  };
}
