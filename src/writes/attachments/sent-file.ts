import { createHash, type Hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, statSync, type Stats } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import type { RowFile } from '../rows/rows-text.js';
import { usage } from '../../core/errors/relctl-error.js';
import { unreadableInput } from '../../state/own-file.js';
import type { StreamedContent } from '../../soap/wire/content/placed.js';
import { base64Length, bounded, changedFile, piecesOf } from './source.js';

/** A file whose content is known by its hash. */
export interface KnownFile extends RowFile {
  readonly size: number;
  readonly sha256: string;
}

const piecesAtOnce = 64;

/** Not to wait for the writer of a pipe that was put in the place of a file. */
const { O_NONBLOCK, O_RDONLY } = constants;

function checkFile(path: string, stats: Stats): void {
  if (stats.isDirectory()) throw usage('file', `${path} is a folder`);
  if (!stats.isFile()) throw usage('file', `${path} is no file but a pipe or a device`);
  bounded(path, stats.size);
}

/** Size of a file that is to be sent. Throws `usage` for what is no file, cannot be read or is too large, and `local`. */
export function sizeOfFile(path: string): number {
  try {
    const found = statSync(path);
    checkFile(path, found);
    // Whether it may be read is known when it was opened.
    closeSync(openSync(path, O_RDONLY | O_NONBLOCK));
    return found.size;
  } catch (thrown) {
    throw unreadableInput(path, thrown);
  }
}

async function hashOf(pieces: Iterable<Buffer>, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  let count = 0;
  for (const piece of pieces) {
    hash.update(piece);
    count += 1;
    if (count % piecesAtOnce !== 0) continue;
    await breathe();
    signal.throwIfAborted();
  }
  return hash.digest('hex');
}

/** Reads a file to its end. Throws `usage` as `sizeOfFile`, and `local` when it changes meanwhile. */
export async function knownFile(path: string, signal: AbortSignal): Promise<KnownFile> {
  try {
    const handle = openSync(path, O_RDONLY | O_NONBLOCK);
    try {
      const found = fstatSync(handle);
      checkFile(path, found);
      return { path, size: found.size, sha256: await hashOf(piecesOf(path, handle, found), signal) };
    } finally {
      closeSync(handle);
    }
  } catch (thrown) {
    throw unreadableInput(path, thrown);
  }
}

/** The pieces of a file as base64; the last one only when all of them together have the hash. */
function* checkedBase64({ path, size, sha256 }: KnownFile): Generator<Buffer> {
  const handle = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    const found = fstatSync(handle);
    if (!found.isFile() || found.size !== size) throw changedFile(path);
    const hash: Hash = createHash('sha256');
    let read = 0;
    for (const piece of piecesOf(path, handle, found)) {
      hash.update(piece);
      read += piece.length;
      if (read === size && hash.digest('hex') !== sha256) throw changedFile(path);
      yield Buffer.from(piece.toString('base64'), 'latin1');
    }
  } finally {
    closeSync(handle);
  }
}

/** What is sent in the place of a member: the content of a file, as long as it is the one that is known. */
export function contentOfFile(member: string, file: KnownFile): StreamedContent {
  return {
    member,
    length: base64Length(file.size),
    *open() {
      try {
        yield* checkedBase64(file);
      } catch (thrown) {
        throw unreadableInput(file.path, thrown);
      }
    },
  };
}
