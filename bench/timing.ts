import { spawnSync } from 'node:child_process';

/** Median of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Milliseconds that a function takes. */
export function elapsedMs(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** Milliseconds of a whole process; throws when it fails, because a failed run is no figure. */
export function processMs(command: readonly string[], env: NodeJS.ProcessEnv = process.env): number {
  const [program = '', ...args] = command;
  return elapsedMs(() => {
    const { status, stderr } = spawnSync(program, args, { env, maxBuffer: 2 ** 30 });
    if (status !== 0)
      throw new Error(`${command.join(' ')} ended with ${String(status)}: ${stderr.toString().slice(0, 500)}`);
  });
}

/**
 * Runs several candidates in turn, `rounds` times, so that drift of the machine meets all of them alike; gives the median
 * of each.
 */
export function interleaved(
  candidates: Readonly<Record<string, () => number>>,
  rounds: number,
): Record<string, number> {
  const figures: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of Object.entries(candidates)) (figures[name] ??= []).push(measure());
  }
  return Object.fromEntries(Object.entries(figures).map(([name, values]) => [name, median(values)]));
}

/** One row of a table in Markdown. */
export function row(...cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}
