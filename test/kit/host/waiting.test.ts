import assert from 'node:assert/strict';
import { setTimeout as passed } from 'node:timers/promises';
import { RelctlError } from '../../../src/core/errors/relctl-error.js';
import { reasonToWait, showSlow, showWait } from '../../../src/kit/host/progress.js';
import type { Context } from '../../../src/kit/host/context.js';

type Watched = Parameters<typeof showWait>[0];

/** What a wait of some seconds writes; over at once. */
async function written(
  facts: { isTerminal?: boolean; isPipe?: boolean; errorShape?: Context['errorShape'] },
  flags: Parameters<typeof showWait>[1],
  ms = 5000,
): Promise<string[]> {
  const told: string[] = [];
  const write = (text: string): Promise<void> => {
    told.push(text);
    return Promise.resolve();
  };
  const { isTerminal = true, isPipe = false, errorShape = 'text' } = facts;
  const pass = isTerminal ? (line: string): Promise<void> => write(`\r\u001b[K${line}`) : undefined;
  const sink = { write, pass, writeBytes: () => Promise.resolve(), isTerminal, isPipe, width: 30, hasColor: false };
  const streams = { out: sink, err: sink } as unknown as Watched['streams'];
  const closers: (() => void | Promise<void>)[] = [];
  const over = showWait({ streams, errorShape, onClose: (close) => closers.push(close) }, flags, {
    reason: 'as the service \u001b[2Jasks (HTTP 429)',
    ms,
  });
  await over();
  for (const close of closers) await close();
  return told;
}

describe('A wait', () => {
  it('is shown in a terminal with its reason, on one line that is wiped once', async () => {
    assert.deepEqual(await written({}, {}), ['\r\u001b[Kwaiting 5s as the service ␛[…', '\r\u001b[K']);
  });

  it('says what failed, and who asks for it', () => {
    const refused = (facts: RelctlError['facts']): string =>
      reasonToWait(new RelctlError('no-answer', 'crm refused the connection', { facts }));
    assert.equal(refused({ httpStatus: 503, retryAfterSeconds: 5 }), 'as the service asks (HTTP 503)');
    assert.equal(refused({ httpStatus: 503 }), 'before relctl retries the call (HTTP 503)');
    assert.equal(refused({ code: 'refused' }), 'before relctl retries the call (crm refused the connection)');
  });

  it('is not shown when it is short, nobody looks, or something else has the terminal', async () => {
    for (const told of [
      await written({}, {}, 999),
      await written({ isTerminal: false }, {}),
      await written({}, { quiet: true }),
      await written({ errorShape: 'json' }, {}),
      await written({ isPipe: true }, {}),
    ])
      assert.deepEqual(told, []);
  });
});

describe('What is slow', () => {
  it('is told after two seconds, each second, but for the time of a wait that has a reason', async () => {
    const told: string[] = [];
    const soFar = (): readonly string[] => [...told];
    let nowMs = 0;
    const pass = (line: string): Promise<void> => {
      told.push(line);
      return Promise.resolve();
    };
    const sink = { pass, isTerminal: true, isPipe: false, width: 60 };
    const streams = { out: sink, err: sink } as unknown as Watched['streams'];
    const clock = { nowMs: () => nowMs } as unknown as Context['clock'];
    const watched = { streams, clock, errorShape: 'text', onClose: () => undefined } as const;
    const over = showSlow(watched, {}, 'the first page');
    const waits = async (count: number): Promise<void> => {
      while (told.length < count) await passed(10);
    };
    await passed(1100);
    assert.deepEqual(soFar(), []);
    nowMs = 2500;
    await waits(1);
    const known = showWait(watched, {}, { reason: 'as the service asks', ms: 60_000 });
    nowMs = 3500;
    await waits(4);
    await known();
    nowMs = 9000;
    await waits(6);
    await over();
    assert.equal(told[0], 'waiting for the first page, 2s');
    assert.deepEqual(
      told.slice(1, 4).map((line) => line.replace(/\d+m?\d*s?/, 'N')),
      ['waiting N as the service asks', 'waiting N as the service asks', 'waiting N as the service asks'],
    );
    assert.deepEqual(told.slice(-2), ['waiting for the first page, 9s', '']);
  }).timeout(30_000);
});
