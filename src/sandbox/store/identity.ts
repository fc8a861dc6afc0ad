import { statSync } from 'node:fs';

/** Tells a file from any other that is put in its place. */
export type FileIdentity = string;

/** What tells the file at a path from others. Throws as statSync does. */
export function identityOf(file: string): FileIdentity {
  const { dev, ino } = statSync(file, { bigint: true });
  return `${dev} ${ino}`;
}
