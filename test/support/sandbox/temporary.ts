import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSandbox, type Sandbox } from '../../../src/sandbox/sandbox.js';

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

/** A folder of its own for a test. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'relctl-sandbox-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** An open sandbox in a folder of its own, which goes with it. */
export async function temporarySandbox(relations = 250, seed = 1): Promise<Sandbox> {
  const folder = temporaryFolder();
  const sandbox = await openSandbox({ file: join(folder.path, 'sandbox.db'), relations, seed });
  return {
    ...sandbox,
    close: () => {
      sandbox.close();
      folder.remove();
    },
  };
}

/** How many relations a database holds, made where it is not there; fails when it is damaged. */
export async function relationsIn(file: string): Promise<number> {
  const sandbox = await openSandbox({ file });
  const [check] = sandbox.store.statement('PRAGMA integrity_check').first() ?? [];
  assert.equal(check, 'ok');
  const [count] = sandbox.store.statement('SELECT count(*) FROM "PvRelationData"').first() ?? [];
  sandbox.close();
  return Number(count);
}
