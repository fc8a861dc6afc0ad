import { closeSync, openSync, writeSync } from 'node:fs';
import { RelctlError } from '../../errors/relctl-error.js';
import type { LogKeeper } from '../../sandbox/http/log.js';
import type { Context } from '../../host/context.js';
import { codeOf } from '../../errors/code-of.js';

const failed = (file: string, thrown: unknown): RelctlError => {
  const code = codeOf(thrown) ?? String(thrown);
  return new RelctlError('local', `the log ${file} cannot be written: ${code}`, { facts: { path: file, code } });
};

/**
 * Opens the request log of the sandbox: a line of JSON for each request, added at the end of the file, readable by its
 * owner only. It is closed with the command. Throws `local` when it cannot be opened.
 */
export function openLog(context: Context, file: string): LogKeeper {
  const path = context.environment.pathOf(file);
  let handle: number;
  try {
    handle = openSync(path, 'a', 0o600);
  } catch (thrown) {
    throw failed(path, thrown);
  }
  context.onClose(() => closeSync(handle));
  return {
    nowMs: context.clock.nowMs,
    write: (entry) => {
      try {
        writeSync(handle, `${JSON.stringify(entry)}\n`);
      } catch {
        // A full disk must not end the service: the requests are answered, and the log has a gap.
      }
    },
  };
}
