import { gzipSync } from 'node:zlib';

/** True when the name of a file says that it is compressed. */
export const isGzipName = (file: string): boolean => file.toLowerCase().endsWith('.gz');

/** Bytes that become one member: each has a head, and finds repeats only within itself. */
const memberBytes = 1024 * 1024;

/** Opens a compression into gzip members, which one after the other are one gzip file. The same bytes give the same members. */
export function openGzip(write: (bytes: Uint8Array) => void): { write(bytes: Uint8Array): void; end(): void } {
  let held: Uint8Array[] = [];
  let length = 0;
  let hasStarted = false;
  const flush = (): void => {
    write(gzipSync(Buffer.concat(held), { level: 6 }));
    hasStarted = true;
    held = [];
    length = 0;
  };
  return {
    write(bytes) {
      held.push(bytes);
      length += bytes.length;
      if (length >= memberBytes) flush();
    },
    // Writes the rest: a file of no bytes would be no gzip file.
    end() {
      if (length > 0 || !hasStarted) flush();
    },
  };
}
