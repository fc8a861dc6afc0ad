import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { python } from '../skip.js';

/** What a program for the Python with these modules prints as JSON when it gets a value as JSON. */
export function askPython(script: string, input: unknown, ...modules: readonly string[]): unknown {
  const { stdout, stderr, status } = spawnSync(python(...modules), ['-c', `import json, sys\n${script}`], {
    input: JSON.stringify(input),
    maxBuffer: 2 ** 28,
    env: { ...process.env, PYTHONIOENCODING: 'utf-8', PYTHONUTF8: '1' },
  });
  assert.equal(status, 0, stderr.toString());
  return JSON.parse(stdout.toString());
}
