import assert from 'node:assert/strict';
import type { Context } from '../../src/host/context.js';
import { openProgress } from '../../src/host/progress.js';

type Watched = Pick<Context, 'streams' | 'clock' | 'errorShape' | 'onClose'>;

/** A place with a clock that is set by hand; what is written to its stderr is kept. */
function place({ isTerminal, errorShape = 'text' }: { isTerminal: boolean; errorShape?: Context['errorShape'] }): {
  readonly context: Watched;
  readonly at: (ms: number) => void;
  readonly written: string[];
  readonly close: () => Promise<void>;
} {
  const closers: (() => void | Promise<void>)[] = [];
  const written: string[] = [];
  const write = (text: string): Promise<void> => {
    written.push(text);
    return Promise.resolve();
  };
  const sink = { write, writeBytes: () => Promise.resolve(), isTerminal, isPipe: false, width: 80, hasColor: false };
  let now = 0;
  const streams = {
    out: sink,
    err: sink,
    outClosed: new AbortController().signal,
    prompt: process.stderr,
    finish: () => Promise.resolve(),
  };
  const clock = { nowMs: () => now, date: () => new Date(0), random: () => 0 };
  return {
    context: { streams, clock, errorShape, onClose: (close) => closers.push(close) },
    at: (ms) => (now = ms),
    written,
    close: async () => {
      for (const close of closers) await close();
    },
  };
}

describe('The progress of a list', () => {
  const told = async (
    { context, at, written }: ReturnType<typeof place>,
    flags: Parameters<typeof openProgress>[1],
  ): Promise<string[]> => {
    const progress = openProgress(context, flags);
    for (const [ms, rows] of [
      [100, 100],
      [400, 100],
      [500, 100],
      [10_500, 100],
      [75_000, 50],
    ] as const) {
      at(ms);
      progress.page(rows);
    }
    await progress.end();
    return written;
  };

  it('is told in a terminal, on one line that is wiped', async () => {
    assert.deepEqual(await told(place({ isTerminal: true }), {}), [
      '\r\u001b[K200 rows, 2 pages, 500 rows/s, 0s',
      '\r\u001b[K400 rows, 4 pages, 38 rows/s, 10s',
      '\r\u001b[K450 rows, 5 pages, 6 rows/s, 1m15s',
      '\r\u001b[K',
    ]);
  });

  it('is wiped as well when the list does not come to its end, and once only', async () => {
    const { context, at, written, close } = place({ isTerminal: true });
    const progress = openProgress(context, {});
    await close();
    assert.deepEqual(written, []);
    at(400);
    progress.page(100);
    await close();
    await progress.end();
    assert.deepEqual(written, ['\r\u001b[K100 rows, 1 pages, 250 rows/s, 0s', '\r\u001b[K']);
  });

  it('is told elsewhere when it was asked for, a line every ten seconds, without control characters', async () => {
    assert.deepEqual(await told(place({ isTerminal: false }), { progress: true }), [
      '400 rows, 4 pages, 38 rows/s, 10s\n',
      '450 rows, 5 pages, 6 rows/s, 1m15s\n',
    ]);
  });

  it('is not told when nobody looks, when it is to be quiet, and beside an error that is one JSON object', async () => {
    assert.deepEqual(await told(place({ isTerminal: false }), {}), []);
    assert.deepEqual(await told(place({ isTerminal: true }), { quiet: true }), []);
    assert.deepEqual(await told(place({ isTerminal: true, errorShape: 'json' }), { progress: true }), []);
  });
});
