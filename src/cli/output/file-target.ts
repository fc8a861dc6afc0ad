import { openPartFile } from '../../files/part-file.js';
import type { Context } from '../../host/context.js';

/** Somewhere that text goes, and that is complete or not there. */
export interface FileTarget {
  write(text: string): Promise<void>;
  writeBytes(bytes: Uint8Array): Promise<void>;
  finish(): Promise<void>;
}

/**
 * Writes beside the file and renames when complete, so that the file is never half there. Throws `local` when it cannot be
 * written; what was there before is untouched then. Whether it may be replaced is for the caller to say.
 */
export function openFileTarget(context: Context, file: string): FileTarget {
  const part = openPartFile(file);
  context.onClose(() => part.discard());
  const writeBytes = (bytes: Uint8Array): Promise<void> => {
    part.write(bytes);
    return Promise.resolve();
  };
  return {
    write: (text) => writeBytes(Buffer.from(text)),
    writeBytes,
    finish() {
      part.putAs(file);
      return Promise.resolve();
    },
  };
}
