import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

/** Whether this machine has Python, with the modules named. */
export function hasPython(...modules: readonly string[]): boolean {
  const script = modules.map((name) => `import ${name}`).join('\n');
  return spawnSync('python3', ['-c', script]).status === 0;
}

/** What a Python program prints as JSON when it gets a value as JSON. */
export function askPython(script: string, input: unknown): unknown {
  const { stdout, stderr, status } = spawnSync('python3', ['-c', `import json, sys\n${script}`], {
    input: JSON.stringify(input),
    maxBuffer: 2 ** 28,
    env: { ...process.env, PYTHONIOENCODING: 'utf-8', PYTHONUTF8: '1' },
  });
  assert.equal(status, 0, stderr.toString());
  return JSON.parse(stdout.toString());
}
