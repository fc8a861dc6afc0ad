import { openTemporaryFile, type TemporaryFile } from '../state/temporary-file.js';
import type { Context } from '../kit/host/context.js';

/** A file for what does not fit into memory; closed with the list, or at the latest when the program ends. Throws `local`. */
export function overflowFor(context: Context): TemporaryFile {
  const overflow = openTemporaryFile();
  context.onClose(() => overflow.close());
  return overflow;
}
