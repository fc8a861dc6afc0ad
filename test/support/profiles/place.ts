import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { RelctlError } from '../../../src/core/errors/relctl-error.js';

/** A folder of a test's own. */
export interface Place {
  readonly folder: string;
  /** Path of a file in it. */
  at(name: string): string;
  /** Writes a file with exactly this mode; gives its path. */
  put(name: string, content: string | Uint8Array, mode?: number): string;
  remove(): void;
}

/** Makes a folder in the temporary folder. */
export function place(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'relctl-profiles-'));
  const at = (name: string): string => join(folder, name);
  return {
    folder,
    at,
    put(name, content, mode = 0o600) {
      writeFileSync(at(name), content, { mode });
      return at(name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Everything that could ever be printed of an error. */
const allOf = (error: RelctlError): string =>
  inspect(error, { depth: 20, showHidden: true }) + JSON.stringify([error, error.message, error.stack]);

/** Asserts the kind and the words of an error, and that none of these secrets is anywhere in it. */
export function assertFailure(
  error: RelctlError,
  {
    kind,
    says,
    hides = [],
  }: { readonly kind: RelctlError['kind']; readonly says: RegExp; readonly hides?: readonly string[] },
): void {
  assert.equal(error.kind, kind, error.message);
  assert.match(error.message, says);
  assert.equal(error.cause, undefined);
  for (const secret of hides) assert.ok(!allOf(error).includes(secret), `the error shows ${secret}`);
}

const rooms = { store: '../../../src/profiles/store/store.ts', lock: '../../../src/state/locks/lock.ts' } as const;

/** Starts Node on a script that sees one of these modules as `room`. */
export function child(script: string, module: keyof typeof rooms, ...args: readonly string[]): ChildProcess {
  const room = new URL(rooms[module], import.meta.url).href;
  const source = `import * as room from ${JSON.stringify(room)}; const args = process.argv.slice(1); ${script}`;
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** How a process ends. */
export const endOf = (started: ChildProcess): Promise<number | NodeJS.Signals | null> =>
  new Promise((resolve) => started.on('close', (code, signal) => resolve(signal ?? code)));
