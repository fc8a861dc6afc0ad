import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSandbox, type Sandbox } from '../../../src/sandbox/sandbox.js';

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
