import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const changedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function filesOf(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/**
 * Why what was built is not what its sources are, in one line; undefined when it is.
 * @param built a file that every build writes
 * @param sources files and folders that it is made of
 */
export function whyStale(built: string, sources: readonly string[]): string | undefined {
  const builtMs = changedMs(built);
  if (builtMs === 0) return `${built} is not there. Try: npm run build`;
  const newer = sources.flatMap(filesOf).find((file) => changedMs(file) > builtMs);
  return newer === undefined ? undefined : `${newer} is newer than ${built}. Try: npm run build`;
}
