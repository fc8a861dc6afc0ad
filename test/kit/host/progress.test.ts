import assert from 'node:assert/strict';
import type { Context } from '../../../src/kit/host/context.js';
import { openProgress, type Progress, type Total } from '../../../src/kit/host/progress.js';

type Watched = Pick<Context, 'streams' | 'clock' | 'errorShape' | 'onClose'>;

/** A place with a clock that is set by hand; what is written to its stderr is kept. */
function place({
  isTerminal,
  errorShape = 'text',
  width = 80,
}: {
  isTerminal: boolean;
  errorShape?: Context['errorShape'];
  width?: number;
}): {
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
  const pass = isTerminal ? (line: string): Promise<void> => write(`\r\u001b[K${line}`) : undefined;
  const sink = { write, pass, writeBytes: () => Promise.resolve(), isTerminal, isPipe: false, width, hasColor: false };
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
    assert.deepEqual(written, ['\r\u001b[K100 rows, 1 page, 250 rows/s, 0s', '\r\u001b[K']);
  });

  it('is told elsewhere when it was asked for, a line every ten seconds, without control characters', async () => {
    assert.deepEqual(await told(place({ isTerminal: false }), { progress: true }), [
      '400 rows, 4 pages, 38 rows/s, 10s\n',
      '450 rows, 5 pages, 6 rows/s, 1m15s\n',
    ]);
  });

  /** The last line before the wiping one, a thousand milliseconds after the beginning. */
  async function lineOf(total: Total, tell: (progress: Progress) => void, width = 80): Promise<string> {
    const here = place({ isTerminal: true, width });
    const progress = openProgress(here.context, {}, total);
    here.at(1000);
    tell(progress);
    await progress.end();
    return here.written.at(-2)?.replace('\r\u001b[K', '') ?? '';
  }

  it('goes on from what an earlier run wrote, which does not count as fast', async () => {
    const resumed = await lineOf({}, (progress) => {
      progress.kept({ rows: 5000, pages: 5 });
      progress.page(1000);
    });
    assert.equal(resumed, '6000 rows, 6 pages, 1000 rows/s, 1s');
  });

  it('has the share that is done and the time that is left, where the number of rows is known', async () => {
    const page = (progress: Progress): void => progress.page(1000);
    assert.equal(await lineOf({ rows: 4000 }, page), '1000 of 4000 rows (25 %, 3s left), 1 page, 1000 rows/s, 1s');
    assert.equal(await lineOf({ rows: 1000 }, page), '1000 of 1000 rows (100 %), 1 page, 1000 rows/s, 1s');
    // One that turns out to be wrong is not told any more.
    assert.equal(await lineOf({ rows: 999 }, page), '1000 rows, 1 page, 1000 rows/s, 1s');
    const resumed = await lineOf({ rows: 8000 }, (progress) => {
      progress.kept({ rows: 5000, pages: 5 });
      page(progress);
    });
    assert.equal(resumed, '6000 of 8000 rows (75 %, 2s left), 6 pages, 1000 rows/s, 1s');
  });

  it('counts the records that are asked for one by one', async () => {
    const two = await lineOf({ items: 8 }, (progress) => {
      progress.item();
      progress.page(3);
    });
    assert.equal(two, '1 of 8 (12 %, 7s left), 0 rows, 0 pages, 0 rows/s, 1s');
  });

  it('is no longer than a line of the terminal', async () => {
    const line = await lineOf({ rows: 4000 }, (progress) => progress.page(1000), 30);
    assert.equal(line, '1000 of 4000 rows (25 %, 3s …');
  });

  it('is not told when nobody looks, when it is to be quiet, and beside an error that is one JSON object', async () => {
    assert.deepEqual(await told(place({ isTerminal: false }), {}), []);
    assert.deepEqual(await told(place({ isTerminal: true }), { quiet: true }), []);
    assert.deepEqual(await told(place({ isTerminal: true, errorShape: 'json' }), { progress: true }), []);
  });
});
