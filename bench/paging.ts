import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, row } from './timing.js';

const program = fileURLToPath(new URL('../bin/run.js', import.meta.url));

function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ milliseconds: number; bytes: number }> {
  const started = performance.now();
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => (bytes += chunk.length));
  return new Promise((resolve, reject) => {
    child.on('close', (code) =>
      code === 0
        ? resolve({ milliseconds: performance.now() - started, bytes })
        : reject(new Error(`relctl ended with ${String(code)}`)),
    );
  });
}

/** Pages a second of `relation list` against a sandbox in another process, over real HTTP. */
export async function paging(rounds: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-bench-'));
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder };
  const relations = 20_000;
  const server = spawn(
    process.execPath,
    [program, 'sandbox', 'start', '--port', '0', '--relations', String(relations)],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    await new Promise((resolve) => server.stdout.once('data', resolve));
    const empty: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      empty.push(
        (await run(['relation', 'list', '-p', 'sandbox', '-o', 'csv', '--limit', '1', '-q'], env)).milliseconds,
      );
    }
    const lines: string[] = [];
    for (const pageSize of [100, 1000]) {
      const whole: number[] = [];
      let bytes = 0;
      for (let round = 0; round < rounds; round += 1) {
        const result = await run(
          ['relation', 'list', '-p', 'sandbox', '-o', 'csv', '--page-size', String(pageSize)],
          env,
        );
        whole.push(result.milliseconds);
        bytes = result.bytes;
      }
      const seconds = (median(whole) - median(empty)) / 1000;
      lines.push(
        row(
          String(pageSize),
          Math.round(relations / pageSize / seconds),
          Math.round(relations / seconds),
          (bytes / 1e6 / seconds).toFixed(1),
          Math.round(median(whole)),
        ),
      );
    }
    return [
      '## Reading a list to its end',
      '',
      `\`relation list -o csv\` of ${relations.toLocaleString('en')} relations, embedded service in another process. The time of a run with one row is taken off for the rates.`,
      '',
      row('page size', 'pages/s', 'rows/s', 'CSV MB/s', 'whole run, ms'),
      '|---|---|---|---|---|',
      ...lines,
    ];
  } finally {
    server.kill('SIGINT');
    await new Promise((resolve) => server.on('close', resolve));
    rmSync(folder, { recursive: true, force: true });
  }
}
