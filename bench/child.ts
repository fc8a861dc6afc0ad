import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What a process took. */
export interface Cost {
  readonly ms: number;
  /** Most memory that it held; NaN where the system does not tell. */
  readonly peakMebibytes: number;
}

/** The built program, behind a Node. */
export const relctl: readonly string[] = [process.execPath, fileURLToPath(new URL('../bin/run.js', import.meta.url))];

/** The most memory so far, as Linux counts it. */
function peakOf(child: ChildProcess): number {
  try {
    const status = readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Runs a process to its end; throws when it fails, because a failed run is no figure. */
export async function costOf(command: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Cost> {
  const [program = '', ...args] = command;
  const started = performance.now();
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let peakMebibytes = Number.NaN;
  let complaint = '';
  child.stderr.on('data', (text: Buffer) => (complaint += text.toString()));
  // The figure only grows, so the last look is the highest.
  const looking = setInterval(() => {
    const peak = peakOf(child);
    if (!Number.isNaN(peak)) peakMebibytes = peak;
  }, 10);
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  clearInterval(looking);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${String(code)}: ${complaint.slice(0, 500)}`);
  return { ms: performance.now() - started, peakMebibytes };
}

/** Runs candidates in turn, so that drift of the machine meets all of them alike; the costs of each. */
export async function costsOf<Name extends string>(
  candidates: ReadonlyMap<Name, () => Promise<Cost>>,
  rounds: number,
): Promise<ReadonlyMap<Name, readonly Cost[]>> {
  const costs = new Map<Name, Cost[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of candidates) costs.set(name, [...(costs.get(name) ?? []), await run()]);
  }
  return costs;
}

/** True when a command can be run here and says yes. */
export function isThere(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
