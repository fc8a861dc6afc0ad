import { closeSync, writeSync } from 'node:fs';
import { openToAdd } from '../../files/added-file.js';
import type { LogKeeper } from '../../sandbox/http/log.js';
import type { Context } from '../../host/context.js';

/**
 * Opens the request log of the sandbox: a line of JSON for each request, added at the end of the file, readable by its
 * owner only. It is closed with the command. Throws `local` when it cannot be opened.
 */
export function openLog(context: Context, file: string): LogKeeper {
  const handle = openToAdd(context.environment.pathOf(file));
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
