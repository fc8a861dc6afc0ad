import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const maker = fileURLToPath(new URL('maker.ts', import.meta.url));

/** Starts a process that opens the database, and makes it with so many relations where there is none. */
export function startMaker(file: string, relations: number): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', maker, file, String(relations)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** All that such a process said, once it has ended. */
export async function saidBy(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  return text;
}
