import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';

/** A run that gets SIGTERM while it works, and then ends as it is told: how its process ended, and what it said. */
function ended(failure: string): Promise<{ readonly end: string; readonly stderr: string }> {
  const script = `
    import { RelctlError } from './src/core/errors/relctl-error.ts';
    import { createStreams } from './src/formats/streams.ts';
    import { shutDown } from './src/app/exit.ts';
    import { watchSignals } from './src/kit/host/process.ts';
    // Waiting for a signal keeps no process.
    setInterval(() => undefined, 1000);
    const signals = watchSignals(() => process.exit(99));
    const asked = new Promise((resolve) => signals.signal.addEventListener('abort', resolve));
    process.kill(process.pid, 'SIGTERM');
    await asked;
    const failure = ${failure};
    await shutDown({ streams: createStreams({}, signals.signal), signals, shape: 'text', debug: false, failure, notes: [] });`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ end: signal ?? String(code), stderr }));
  });
}

describe('A run that a signal reached', () => {
  it('ends by that signal when the signal stopped it, so that a script around it sees that', async () => {
    const { end, stderr } = await ended('signals.signal.reason');
    assert.deepEqual([end, stderr], ['SIGTERM', 'Error: ended by SIGTERM\n']);
  });

  it('ends with 0 when its work was done all the same', async () => {
    assert.deepEqual(await ended('undefined'), { end: '0', stderr: '' });
  });

  it('ends with the code of another failure', async () => {
    const { end, stderr } = await ended("new RelctlError('local', 'the disk is full')");
    assert.deepEqual([end, stderr], ['10', 'Error: the disk is full\n']);
  });
});
