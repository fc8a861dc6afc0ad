import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What is measured, and where. */
export interface Origin {
  /** The commit; `unknown` outside a repository. */
  readonly commit: string;
  /** Files that differ from the commit, but for the page of figures itself. */
  readonly changed: readonly string[];
  readonly machine: string;
  /** Processes that wanted a processor in the last minute, on average. */
  readonly load: number;
}

function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

/** Finds out what is measured now. */
export function readOrigin(): Origin {
  const status = git('status', '--porcelain') ?? '';
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  return {
    commit: git('rev-parse', 'HEAD')?.trim() ?? 'unknown',
    changed: status
      .split('\n')
      .map((line) => line.slice(3))
      .filter((path) => path !== '' && path !== 'docs/benchmarks.md'),
    machine: `Node ${process.version}, ${process.platform}, ${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), ${gibibytes} GiB`,
    load: loadavg()[0] ?? Number.NaN,
  };
}
