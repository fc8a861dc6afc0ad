import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';

const isNameless = (handle: string): boolean => {
  try {
    return /\/relctl-\d+-[0-9a-f]{16}-\w{6}\/content \(deleted\)$/.test(readlinkSync(`/proc/self/fd/${handle}`));
  } catch {
    return false;
  }
};

/** How many temporary files this process has open; only Linux tells. */
export const openBodyFiles = (): number =>
  process.platform === 'linux' ? readdirSync('/proc/self/fd').filter(isNameless).length : 0;

/**
 * Waits until this process has no more of them open than a number. Who asked gets an answer before the file of the request
 * is closed, and other tests of the same process may have had some open.
 */
export async function bodyFilesClosed(most: number): Promise<void> {
  const until = performance.now() + 5000;
  while (openBodyFiles() > most && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(openBodyFiles() <= most, 'a body file is open');
}
