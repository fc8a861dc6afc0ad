import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { relctl } from './child.js';
import { databaseIn, startService } from './service.js';

/** A mirror of the embedded service with relations of many names, and their telephone numbers. */
export interface BenchMirror {
  readonly file: string;
  /** Environment in which relctl has that mirror. The service does not run any longer. */
  readonly env: NodeJS.ProcessEnv;
}

/** Runs relctl to its end. Throws an Error when it fails. */
function run(args: readonly string[], env: NodeJS.ProcessEnv): void {
  const [program = '', ...before] = relctl;
  const { status, stderr } = spawnSync(program, [...before, ...args], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`relctl ${args.join(' ')} ended with ${String(status)}: ${stderr.slice(-300)}`);
}

async function make(count: number): Promise<BenchMirror> {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-bench-mirror-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, 'data');
  mkdirSync(data);
  const made = ['sandbox', 'reset', '--yes', '--db', databaseIn(data), '--relations', String(count), '--quiet'];
  run(made, { ...process.env, HOME: folder, XDG_STATE_HOME: join(folder, 'made') });
  const service = await startService(data);
  const env = { ...service.env, XDG_STATE_HOME: join(folder, 'state') };
  try {
    run(['mirror', 'sync', 'relations', 'telephone_book', '--quiet'], env);
  } finally {
    await service.stop();
  }
  rmSync(databaseIn(data));
  return { file: join(folder, 'state', 'relctl', 'mirrors', 'environment.db'), env };
}

const kept = new Map<number, Promise<BenchMirror>>();

/** The mirror of so many relations, made when it is first asked for and removed at the end of this process. */
export function mirrorOf(count: number): Promise<BenchMirror> {
  const made = kept.get(count) ?? make(count);
  kept.set(count, made);
  return made;
}
