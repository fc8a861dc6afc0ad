import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { RelctlError } from '../errors/relctl-error.js';
import type { Context } from './context.js';

const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url));
const patienceMs = 120_000;

/**
 * Starts the same command once more in a process of its own, waits until that says where it serves, passes it on and
 * leaves it running. Throws `local` when it ends instead, with what it said.
 */
export async function detach(context: Context, flags: { readonly quiet?: boolean | undefined }): Promise<void> {
  const args = context.environment.argv.filter((argument) => argument !== '--detach');
  const child = spawn(process.execPath, [program, ...args], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let [said, complained] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string): void => {
      reject(new RelctlError('local', `the sandbox did not start: ${reason}`, { facts: { code: 'not-started' } }));
    };
    const timer = setTimeout(() => fail('it took too long'), patienceMs);
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (!said.includes('Ctrl-C')) return;
      clearTimeout(timer);
      resolve();
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      fail(complained.trim().split('\n')[0] ?? `exit code ${String(code)}`);
    });
  });
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
  if (flags.quiet !== true)
    await context.streams.out.write(said.replace('Ctrl-C stops it.', 'relctl sandbox stop stops it.'));
}
