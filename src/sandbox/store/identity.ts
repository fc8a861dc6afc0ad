import { statSync } from 'node:fs';

/** Tells a file from any other that is put in its place; undefined of none. */
export type FileIdentity = string | undefined;

/** What tells the file at a path from others. */
export function identityOf(file: string): FileIdentity {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
