import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';

/** A run that prints, meets an error that nobody catches, and prints on. */
const script = `
  import { untilDefect } from './src/app/exit.ts';
  const taken = [];
  const sink = { write: async (text) => void taken.push(text) };
  const host = {
    signals: { signal: new AbortController().signal, isWriting: () => false },
    streams: { out: sink, err: sink },
  };
  const run = untilDefect(host, async ({ kind, message }) => {
    const { out, err } = run.host.streams;
    const late = await Promise.allSettled([out.write('late row'), err.write('late note')]);
    const reason = run.host.signals.signal.reason?.kind;
    const ends = late.map(({ status }) => status);
    await host.streams.err.write(kind + ': ' + message);
    console.log(JSON.stringify({ taken, ends, reason, isOver: run.defect.aborted }));
  });
  await run.host.streams.out.write('row');
  setImmediate(() => {
    throw new Error('a mistake');
  });`;

describe('A run until an error that nobody caught', () => {
  it('prints before it, is stopped by it, and prints nothing behind it but what is told of it', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    await new Promise((resolve) => child.on('close', resolve));
    assert.deepEqual(
      JSON.parse(stdout),
      {
        taken: ['row', 'bug: a mistake'],
        ends: ['rejected', 'rejected'],
        reason: 'interrupted',
        isOver: true,
      },
      stderr,
    );
  });
});
