import assert from 'node:assert/strict';
import { ServerClock } from '../../../src/export/since/server-clock.js';

const hour = Date.parse('2026-03-01T10:00:00Z');

/** An answer that the service gave at a time, of which this machine's clock then showed another one. */
function heard(clock: ServerClock, serverMs: number, { tookMs = 0, aheadMs = 0 } = {}): boolean {
  return clock.hear({ date: new Date(serverMs).toUTCString(), tookMs }, serverMs - aheadMs);
}

describe("The service's clock", () => {
  it('is that of the earliest time that it was asked at', () => {
    const clock = new ServerClock();
    const before = clock.mark;
    assert.equal(before, undefined);
    assert.equal(heard(clock, hour, { tookMs: 30_000 }), true);
    assert.equal(heard(clock, hour + 5000), false);
    assert.deepEqual(clock.mark, { serverMs: hour - 30_000, aheadMs: 0 });
    assert.equal(heard(clock, hour + 5000, { tookMs: 40_000 }), true);
    assert.equal(clock.mark.serverMs, hour - 35_000);
  });

  it('finds out how far it was set back or forward since a run before, by the clock of this machine', () => {
    const clock = new ServerClock();
    heard(clock, hour, { aheadMs: -7_200_000 });
    assert.deepEqual([clock.backSince({ aheadMs: 0 }), clock.forwardSince({ aheadMs: 0 })], [7_200_000, 0]);
    assert.deepEqual(
      [clock.backSince({ aheadMs: -8_200_000 }), clock.forwardSince({ aheadMs: -8_200_000 })],
      [0, 1_000_000],
    );
    // What was not kept says nothing, nor does what a Date header cannot tell.
    assert.deepEqual([clock.backSince({ aheadMs: undefined }), clock.forwardSince({ aheadMs: undefined })], [0, 0]);
    assert.deepEqual([clock.backSince({ aheadMs: -7_199_000 }), clock.backSince({ aheadMs: -7_198_999 })], [0, 1001]);
    const slow = new ServerClock();
    heard(slow, hour, { tookMs: 20_000, aheadMs: -20_000 });
    assert.equal(slow.backSince({ aheadMs: 0 }), 0, 'the header may be as old as the call took');
  });

  it('counts as earlier when it is set back while a list is read, also behind an interruption', () => {
    const clock = new ServerClock();
    heard(clock, hour);
    assert.equal(heard(clock, hour + 60_000 - 7_200_000, { aheadMs: -7_200_000 }), true);
    assert.deepEqual(clock.mark, { serverMs: hour - 7_200_000, aheadMs: -7_200_000 });
    const resumed = new ServerClock();
    resumed.goOn({ serverMs: hour, aheadMs: 0 });
    heard(resumed, hour + 3_600_000, { aheadMs: -7_200_000 });
    assert.equal(resumed.mark?.serverMs, hour - 7_200_000);
    resumed.takeBack(1000);
    assert.equal(resumed.mark.serverMs, hour - 7_201_000);
  });

  it('is asked for by the first answer, and later ones may tell no time', () => {
    const clock = new ServerClock();
    assert.throws(() => clock.hear({ date: undefined, tookMs: 0 }, hour), { kind: 'bad-answer' });
    heard(clock, hour);
    assert.equal(clock.hear({ date: undefined, tookMs: 0 }, hour), false);
  });
});
