import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skip } from './skip.js';

/** Lets a program tell the most memory that it took, all of it: heap, buffers and code. */
export interface PeakMeter {
  /** The environment for a run of the program. */
  readonly env: NodeJS.ProcessEnv;
  /** Bytes of the run that ended last. */
  take(): number;
}

/** Makes a meter with files in a folder. Skips where the system does not tell. */
export function peakMeter(context: Mocha.Context, folder: string, env: NodeJS.ProcessEnv): PeakMeter {
  if (!existsSync('/proc/self/status')) skip(context, 'there is no /proc here');
  const file = join(folder, 'peak');
  const preload = join(folder, 'peak.cjs');
  // Not process.resourceUsage(), which counts what took the process that started this one.
  writeFileSync(
    preload,
    `const { readFileSync, writeFileSync } = require('node:fs');
process.on('exit', () => {
  const [, kilobytes] = /VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'));
  writeFileSync(${JSON.stringify(file)}, String(kilobytes * 1024));
});
`,
  );
  return {
    env: { ...env, NODE_OPTIONS: `--require ${preload}` },
    take: () => {
      const peak = Number(readFileSync(file, 'utf8'));
      rmSync(file);
      return peak;
    },
  };
}
