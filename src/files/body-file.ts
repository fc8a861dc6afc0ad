import { tmpdir } from 'node:os';
import { openOverflowFile } from './overflow-file.js';

const pieceBytes = 64 * 1024;

/** Bytes that come once and are read as often as they are needed, from a temporary file. */
export interface BodyFile {
  readonly length: number;
  /** Adds bytes at the end. Throws `local`. */
  write(bytes: Uint8Array): void;
  /** All bytes in pieces, each in memory of its own. Throws `local`. */
  open(): Generator<Uint8Array>;
  /** Gives the file up; may be called more than once. */
  close(): void;
}

/** Opens an empty body file. Throws `local`. */
export function openBodyFile(): BodyFile {
  const file = openOverflowFile(tmpdir());
  let length = 0;
  return {
    get length() {
      return length;
    },
    write(bytes) {
      file.write(bytes, length);
      length += bytes.length;
    },
    *open() {
      for (let at = 0; at < length; at += pieceBytes) {
        const piece = Buffer.allocUnsafe(Math.min(pieceBytes, length - at));
        file.read(piece, at);
        yield piece;
      }
    },
    close: () => file.close(),
  };
}

/** Sizes in bytes. */
interface Bounds {
  /** Most that stays in memory. */
  readonly held: number;
  readonly most: number;
}

/**
 * All bytes of a stream, in memory or in a body file, which the caller closes; undefined when there are more than allowed,
 * of which no more is read then. Throws `local`, and what the stream throws.
 */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  { held: mostHeld, most }: Bounds,
): Promise<Buffer | BodyFile | undefined> {
  let held: Uint8Array[] = [];
  let length = 0;
  let file: BodyFile | undefined;
  let isWhole = false;
  try {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > most) return undefined;
      held.push(chunk);
      if (length <= mostHeld) continue;
      file ??= openBodyFile();
      for (const each of held) file.write(each);
      held = [];
    }
    isWhole = true;
    return file ?? Buffer.concat(held, length);
  } finally {
    if (!isWhole) file?.close();
  }
}
