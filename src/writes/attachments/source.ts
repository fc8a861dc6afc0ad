import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { readAt } from '../../state/durable.js';
import { unreadableInput } from '../../state/own-file.js';
import { isPipe, readBounded } from '../../state/given-file.js';
import type { Context } from '../../kit/host/context.js';
import { readStdinBytes, openGiven } from '../../kit/host/environment.js';

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

/** The size of a file. Throws `usage` for one that is too large. */
export function bounded(file: string, size: number): number {
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

/** The error for a file that is not as it was when it was opened, or hashed. */
export const changedFile = (file: string): RelctlError =>
  new RelctlError('local', `${file} changed while it was read; nothing was attached`, {
    facts: { code: 'changed', path: file },
  });

/** The bytes of an open file in pieces, each valid until the next. Throws `local` where it is not as before. */
export function* piecesOf(file: string, handle: number, before: Stats): Generator<Buffer> {
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
  const bytes = await readBounded(openGiven(context, file), mostBytes);
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
