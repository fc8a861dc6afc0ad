import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { readAt } from '../../state/durable.js';
import { unreadableInput } from '../../state/own-file.js';
import { isPipe, readBounded } from '../../state/input-file.js';
import type { StreamedContent } from '../../soap/wire/content.js';
import type { RowFile } from '../rows/rows-text.js';
import type { Context } from '../../kit/host/context.js';
import { readStdinBytes, streamInput } from '../../kit/host/environment.js';

const mostBytes = 256 * 1024 * 1024;

/** Bytes read at a time: a multiple of three, so that no piece of base64 but the last needs padding. */
const blockBytes = 48 * 1024;

/** A file to send. */
export interface Source {
  readonly size: number;
  /**
   * The bytes in pieces of a multiple of three, except the last one. A piece is valid until the next is read. Throws `local`
   * when the file has changed since it was opened.
   */
  pieces(): Iterable<Buffer>;
}

const tooLarge = (file: string): RelctlError => usage('FILE', `${file} is larger than ${mostBytes / 1024 / 1024} MiB`);

function bounded(file: string, size: number): number {
  if (size <= mostBytes) return size;
  throw tooLarge(file);
}

function held(bytes: Buffer): Source {
  return {
    size: bytes.length,
    *pieces() {
      for (let at = 0; at < bytes.length; at += blockBytes) yield bytes.subarray(at, at + blockBytes);
    },
  };
}

const changedFile = (file: string): RelctlError =>
  new RelctlError('local', `${file} changed while relctl read it; nothing was attached`, {
    facts: { code: 'changed', path: file },
  });

/** The bytes of an open file in pieces, each valid until the next. Throws `local` where it is not as before. */
function* piecesOf(file: string, handle: number, before: Stats): Generator<Buffer> {
  const block = Buffer.allocUnsafe(blockBytes);
  for (let at = 0; at < before.size;) {
    const length = readAt(handle, block, at);
    at += length;
    const now = fstatSync(handle);
    const isSame = now.size === before.size && now.mtimeMs === before.mtimeMs;
    if (!isSame || (at < before.size && length < blockBytes)) throw changedFile(file);
    yield block.subarray(0, length);
  }
}

/** All bytes of a device, or of a file that the system makes while it is read: their size is not known before. */
function whole(file: string, handle: number): Buffer {
  const pieces: Buffer[] = [];
  const block = Buffer.allocUnsafe(blockBytes);
  let size = 0;
  for (let length = -1; length !== 0; size = bounded(file, size + length)) {
    length = readSync(handle, block, 0, block.length, null);
    pieces.push(Buffer.from(block.subarray(0, length)));
  }
  return Buffer.concat(pieces, size);
}

function opened(context: Context, file: string): Source {
  const handle = openSync(file, 'r');
  context.onClose(() => closeSync(handle));
  const stats = fstatSync(handle);
  if (!stats.isFile() || stats.size === 0) return held(whole(file, handle));
  return {
    size: bounded(file, stats.size),
    *pieces() {
      try {
        yield* piecesOf(file, handle, stats);
      } catch (thrown) {
        throw unreadableInput(file, thrown);
      }
    },
  };
}

async function ofPipe(context: Context, file: string): Promise<Source> {
  const bytes = await readBounded(streamInput(context, file), mostBytes);
  if (bytes === undefined) throw tooLarge(file);
  return held(bytes);
}

/** Opens a file, or reads a pipe, or stdin for `-`. Throws `usage` for what cannot be read or is too large. */
export async function openSource(context: Context, file: string): Promise<Source> {
  try {
    if (file === '-') return held(await readStdinBytes(context.environment, context.signal, mostBytes));
    return isPipe(file) ? await ofPipe(context, file) : opened(context, file);
  } catch (thrown) {
    context.signal.throwIfAborted();
    throw unreadableInput(file, thrown);
  }
}

/** SHA-256 of all bytes, in hexadecimal. Throws `local`. */
export function hashOf(source: Source): string {
  const hash = createHash('sha256');
  for (const piece of source.pieces()) hash.update(piece);
  return hash.digest('hex');
}

/** Length in base64 of so many bytes. */
export const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** All bytes as base64, in pieces. Throws `local`. */
export function* base64Of(source: Source): Generator<Buffer> {
  for (const piece of source.pieces()) yield Buffer.from(piece.toString('base64'), 'latin1');
}

const units = ['kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes in words, by powers of 1024: `812 bytes`, `1.5 MB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  let [size, unit] = [bytes / 1024, 0];
  for (; size >= 1023.95 && unit < units.length - 1; unit += 1) size /= 1024;
  return `${size.toFixed(1)} ${units[unit] ?? ''}`;
}

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
  if (!stats.isFile()) throw usage('file', `${path} is a pipe or a device, not a file`);
  bounded(path, stats.size);
}

/** Size of a file that is to be sent. Throws `usage` for what is no file, cannot be read or is too large, and `local`. */
export function sizeOfFile(path: string): number {
  try {
    const stats = statSync(path);
    checkFile(path, stats);
    // Whether it may be read is known when it was opened.
    closeSync(openSync(path, O_RDONLY | O_NONBLOCK));
    return stats.size;
  } catch (thrown) {
    throw unreadableInput(path, thrown);
  }
}

async function hashOfPieces(pieces: Iterable<Buffer>, signal: AbortSignal): Promise<string> {
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
      const stats = fstatSync(handle);
      checkFile(path, stats);
      return { path, size: stats.size, sha256: await hashOfPieces(piecesOf(path, handle, stats), signal) };
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
    const stats = fstatSync(handle);
    if (!stats.isFile() || stats.size !== size) throw changedFile(path);
    const hash = createHash('sha256');
    let read = 0;
    for (const piece of piecesOf(path, handle, stats)) {
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
