import { createHash } from 'node:crypto';
import { closeSync, createReadStream, fsyncSync, ftruncateSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { RelctlError } from '../errors/relctl-error.js';
import { putInPlace } from '../files/durable.js';
import { attempt } from '../files/failure.js';

/** The file beside the target that grows page by page. */
export interface PartFile {
  /** Bytes written so far. */
  readonly length: number;
  write(piece: string | Uint8Array): void;
  sync(): void;
  /** Syncs, and puts the file in the place of the target. */
  finish(target: string): void;
  close(): void;
}

/** How a part file begins. */
export interface PartOptions {
  /** Go on behind so many bytes; what stands behind them was torn. */
  readonly keepBytes?: number;
  /** Every piece of text is a gzip member of its own: members behind each other are one gzip file. */
  readonly isGzip: boolean;
  /** Permissions, those of the file that is replaced. */
  readonly mode: number;
}

function opened(file: string, { keepBytes, mode }: PartOptions): number {
  const handle = attempt(file, () => openSync(file, keepBytes === undefined ? 'w' : 'r+', mode));
  const length = attempt(file, () => statSync(file).size);
  if (keepBytes === undefined) return handle;
  if (length < keepBytes) {
    closeSync(handle);
    throw new RelctlError('local', `${file} is shorter than its journal says`, {
      facts: { path: file, code: 'journal' },
      hint: 'add --restart to begin anew',
    });
  }
  attempt(file, () => ftruncateSync(handle, keepBytes));
  return handle;
}

/** Opens a part file, anew or to go on. Throws `local`. */
export function openPart(file: string, options: PartOptions): PartFile {
  const handle = opened(file, options);
  let length = options.keepBytes ?? 0;
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(handle);
    isOpen = false;
  };
  return {
    get length() {
      return length;
    },
    write(piece) {
      if (piece.length === 0) return;
      const plain = typeof piece === 'string' ? Buffer.from(piece) : piece;
      const bytes = options.isGzip ? gzipSync(plain, { level: 6 }) : plain;
      attempt(file, () => {
        // By position, so that a failed write leaves nothing that a later one would stand behind.
        for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at, bytes.length - at, length + at);
      });
      length += bytes.length;
    },
    sync: () => attempt(file, () => fsyncSync(handle)),
    finish(target) {
      attempt(file, () => {
        ftruncateSync(handle, length);
        fsyncSync(handle);
      });
      close();
      putInPlace(file, target);
    },
    close,
  };
}

/** Takes a part file away. */
export function removePart(file: string): void {
  rmSync(file, { force: true });
}

/** The hash of a whole file, in hexadecimal. Throws `local`. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
  } catch (thrown) {
    return attempt(file, () => {
      throw thrown;
    });
  }
  return hash.digest('hex');
}
