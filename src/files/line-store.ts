import { tmpdir } from 'node:os';
import { writeAll } from './durable.js';
import { attempt } from './failure.js';
import { readLines } from './lines.js';
import { openTemporaryFile, type TemporaryFile } from './temporary-file.js';

/** Lines that wait to be read again. */
export interface LineStore {
  /** Adds a line, which has no line feed in it. Throws `local`. */
  add(line: string): void;
  /** The lines as they were added. */
  lines(): Generator<string>;
  close(): void;
}

/** How many characters are kept in memory before they are written to a file. */
const mostCharacters = 1024 * 1024;

/**
 * Opens a store: in memory while it is small, then in a temporary file that only its owner can read.
 * @param most how many characters are kept in memory
 */
export function openLineStore(most = mostCharacters): LineStore {
  let held: string[] = [];
  let characters = 0;
  let temporary: TemporaryFile | undefined;
  const flush = (): void => {
    const file = (temporary ??= openTemporaryFile(tmpdir()));
    attempt(file.path, () => writeAll(file.handle, Buffer.from(`${held.join('\n')}\n`)));
    held = [];
    characters = 0;
  };
  return {
    add(line) {
      held.push(line);
      characters += line.length;
      if (characters >= most) flush();
    },
    *lines() {
      if (temporary !== undefined) yield* readLines(temporary.handle);
      yield* held;
    },
    close: () => temporary?.close(),
  };
}
