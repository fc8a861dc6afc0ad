import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { RelctlError } from '../errors/relctl-error.js';
import { writeWhole } from '../files/durable.js';
import { attempt } from '../files/failure.js';

/** How a file looked when we had written it. */
interface Trace {
  readonly size: number;
  readonly modifiedMs: number;
}

function traceFile(folder: string, file: string): string {
  return join(folder, `${createHash('sha256').update(realpathSync(file)).digest('hex').slice(0, 32)}.json`);
}

function traceOf(file: string): Trace {
  const { size, mtimeMs } = statSync(file);
  return { size, modifiedMs: mtimeMs };
}

/** Remembers that a file is ours, so that the next run may replace it unasked. Does nothing where that cannot be kept. */
export function remember(folder: string, file: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWhole(traceFile(folder, file), JSON.stringify(traceOf(file)));
  } catch {
    // Without the trace the next run asks for --force, which loses nothing.
  }
}

function isOurs(folder: string, file: string): boolean {
  try {
    const kept = JSON.parse(readFileSync(traceFile(folder, file), 'utf8')) as Partial<Trace>;
    const now = traceOf(file);
    return kept.size === now.size && kept.modifiedMs === now.modifiedMs;
  } catch {
    return false;
  }
}

/**
 * Makes sure that a file may be replaced: it is not there, we wrote it and nobody changed it since, or it is forced.
 * Throws `local`.
 * @param folder where it is remembered which files are ours
 */
export function checkReplaceable(
  file: string,
  { folder, force }: { readonly folder: string; readonly force: boolean },
): void {
  const found = attempt(file, () => statSync(file, { throwIfNoEntry: false }));
  if (found === undefined) return;
  if (found.isDirectory()) {
    throw new RelctlError('local', `${file} cannot be written: it is a folder`, {
      facts: { code: 'EISDIR', path: file },
    });
  }
  if (force || isOurs(folder, file)) return;
  throw new RelctlError('local', `${file} exists already, and relctl did not write it as it is`, {
    facts: { code: 'EEXIST', path: file },
    hint: 'Add --force to replace it.',
  });
}
