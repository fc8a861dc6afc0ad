import assert from 'node:assert/strict';
import { RelctlError } from '../../src/core/errors/relctl-error.js';
import { limitsOfReads, Pace, type PaceLimits } from '../../src/client/pace.js';

const busy = (httpStatus = 429, retryAfterSeconds?: number): RelctlError =>
  new RelctlError('no-answer', 'busy', {
    facts: { httpStatus, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
  });

/** A pace with a clock that only its waits, and the test, move on. */
function paced(
  perSecond = Infinity,
  limits?: PaceLimits,
): {
  readonly pace: Pace;
  readonly told: string[];
  /** Waits for a turn, and gives when it came. */
  readonly turn: () => Promise<number>;
  readonly pass: (ms: number) => number;
} {
  let now = 0;
  const told: string[] = [];
  const pace = new Pace(perSecond, {
    nowMs: () => now,
    pause: (ms) => {
      now += ms;
      return Promise.resolve();
    },
    onSlow: (reason) => told.push(reason),
    ...(limits === undefined ? {} : { limits }),
  });
  const { signal } = new AbortController();
  return {
    pace,
    told,
    turn: async () => {
      await pace.turn(signal);
      return now;
    },
    pass: (ms) => (now += ms),
  };
}

const answer = (
  elapsedMs: number | undefined,
  operation = 'A',
): { operation: string; elapsedMs: number | undefined } => ({
  operation,
  elapsedMs,
});

describe('The pace of calls', () => {
  it('makes nobody wait as long as all is well', async () => {
    const { pace, turn, told } = paced();
    for (let call = 0; call < 100; call += 1) {
      assert.equal(await turn(), 0);
      pace.answered(answer(900));
    }
    assert.deepEqual(told, []);
  });

  it('spreads calls over the second that they are allowed for', async () => {
    const { turn } = paced(4);
    const times: number[] = [];
    for (let call = 0; call < 5; call += 1) times.push(await turn());
    assert.deepEqual(times, [0, 250, 500, 750, 1000]);
  });

  it('is slowed down by one refusal without a word, and recovers by answers', async () => {
    const { pace, turn, told, pass } = paced();
    pace.refused(busy(503), 0);
    assert.equal(await turn(), 100);
    const first = pass(0);
    const second = await turn();
    assert.equal(second - first, 100);
    for (let call = 0; call < 40; call += 1) pace.answered(answer(10));
    const later = pass(1000);
    assert.deepEqual([await turn(), await turn()], [later, later]);
    assert.deepEqual(told, []);
  });

  it('waits twice as long after each refusal that follows, and says so once', async () => {
    const { pace, turn, told, pass } = paced();
    const waits: number[] = [];
    for (let call = 0; call < 10; call += 1) {
      const started = await turn();
      pace.refused(busy(429), started);
      waits.push((await turn()) - started);
      pass(1);
    }
    assert.deepEqual(waits, [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 20_000, 20_000]);
    assert.deepEqual(told, ['relctl calls the service less often from now on: it answered HTTP 429 again']);
  });

  it('waits less long between calls that read', async () => {
    const { pace, turn } = paced(Infinity, limitsOfReads);
    let wait = 0;
    for (let call = 0; call < 10; call += 1) {
      const started = await turn();
      pace.refused(busy(503), started);
      wait = (await turn()) - started;
    }
    assert.equal(wait, 2000);
  });

  it('ends the wait sooner between calls that read', async () => {
    const { pace, turn, pass } = paced(Infinity, limitsOfReads);
    pace.refused(busy(503), 0);
    for (let call = 0; call < 6; call += 1) pace.answered(answer(10));
    const now = pass(1000);
    assert.deepEqual([await turn(), await turn()], [now, now]);
  });

  it('takes the refusals of calls that were under way together for one', async () => {
    const { pace, turn, told, pass } = paced();
    pass(50);
    for (let call = 0; call < 8; call += 1) pace.refused(busy(), call);
    assert.equal(await turn(), 150);
    assert.deepEqual(told, []);
  });

  it('gives the service the time that it asks for, and says so when it is long', async () => {
    const { pace, turn, told } = paced(Infinity, limitsOfReads);
    pace.refused(busy(503, 3), 0);
    assert.equal(await turn(), 3000);
    assert.deepEqual(told, []);
    pace.refused(busy(503, 30), 3000);
    assert.equal(await turn(), 33_000);
    assert.deepEqual(told, ['relctl calls the service less often from now on: it answered HTTP 503 and asks for 30 s']);
  });

  it('does not wait for a service that asks for more than somebody who reads would wait', async () => {
    const { pace, turn } = paced(Infinity, limitsOfReads);
    pace.refused(busy(503, 61), 0);
    assert.equal(await turn(), 100);
    const write = paced();
    write.pace.refused(busy(503, 61), 0);
    assert.equal(await write.turn(), 61_000);
  });

  it('makes one call at a time when answers take four times as long as they did, and says so once', async () => {
    const { pace, turn, told } = paced();
    for (let call = 0; call < 8; call += 1) pace.answered(answer(500));
    for (let call = 0; call < 7; call += 1) pace.answered(answer(3000));
    assert.deepEqual(told, []);
    pace.answered(answer(3000));
    assert.deepEqual(told, ['relctl calls the service less often from now on: its answers have become much slower']);
    const first = await turn();
    assert.equal((await turn()) - first, 3000);
    for (let call = 0; call < 16; call += 1) pace.answered(answer(4000));
    assert.equal(told.length, 1);
  });

  it('compares answers to one operation alone, and none whose time says nothing', async () => {
    const { pace, turn, told } = paced();
    for (let call = 0; call < 8; call += 1) pace.answered(answer(20, 'Short'));
    for (let call = 0; call < 8; call += 1) pace.answered(answer(5000, 'Long'));
    for (let call = 0; call < 8; call += 1) pace.answered(answer(undefined, 'Short'));
    assert.deepEqual([told, await turn(), await turn()], [[], 0, 0]);
  });

  it('takes no time for slow that is below a second', () => {
    const { pace, told } = paced();
    for (let call = 0; call < 8; call += 1) pace.answered(answer(10));
    for (let call = 0; call < 8; call += 1) pace.answered(answer(999));
    assert.deepEqual(told, []);
  });

  it('recovers by answers whose time says nothing', async () => {
    const { pace, turn, pass } = paced();
    pace.refused(busy(), 0);
    for (let call = 0; call < 40; call += 1) pace.answered(answer(undefined));
    const now = pass(1000);
    assert.deepEqual([await turn(), await turn()], [now, now]);
  });
});
