import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { secondsOf, startWatchdog, type Phase, type Watchdog } from '../../src/soap/watchdog.js';

const limits = { connectMs: 20, tlsMs: 20, firstByteMs: 20, idleMs: 20, wholeMs: 60_000 };

/** Starts a watch and gives the phase that expires; time runs through real timers. */
function watched(steps: (watchdog: Watchdog) => void, own = limits): Promise<Phase> {
  return new Promise((resolve) => {
    const watchdog = startWatchdog(own, (phase) => {
      watchdog.stop();
      resolve(phase);
    });
    steps(watchdog);
  });
}

describe('The watchdog', () => {
  for (const phase of ['connect', 'tls', 'first-byte', 'idle'] as const) {
    it(`says that the phase ${phase} took too long`, async () => {
      assert.equal(await watched((watchdog) => watchdog.enter(phase)), phase);
    });
  }

  it('says that the whole took too long while no phase runs', async () => {
    assert.equal(await watched((watchdog) => watchdog.rest(), { ...limits, wholeMs: 20 }), 'whole');
  });

  it('ends one phase when it enters the next', async () => {
    const late = await watched((watchdog) => {
      watchdog.enter('connect');
      watchdog.enter('tls');
    });
    assert.equal(late, 'tls');
  });

  it('calls nobody once it is stopped, not even for a phase entered later', async () => {
    const expired: Phase[] = [];
    const watchdog = startWatchdog({ ...limits, wholeMs: 20 }, (phase) => expired.push(phase));
    watchdog.enter('connect');
    watchdog.stop();
    watchdog.enter('idle');
    watchdog.touch();
    await wait(60);
    assert.deepEqual(expired, []);
  });

  it('calls once, though phases go on', async () => {
    const expired: Phase[] = [];
    const watchdog = startWatchdog({ ...limits, wholeMs: 30 }, (phase) => expired.push(phase));
    watchdog.enter('connect');
    await wait(60);
    watchdog.enter('idle');
    await wait(60);
    assert.deepEqual(expired, ['connect']);
  });

  it('knows the limit of each phase in seconds', () => {
    const own = { connectMs: 1000, tlsMs: 2000, firstByteMs: 3000, idleMs: 4000, wholeMs: 5000 };
    const phases = ['connect', 'tls', 'first-byte', 'idle', 'whole'] as const;
    assert.deepEqual(
      phases.map((phase) => secondsOf(phase, own)),
      [1, 2, 3, 4, 5],
    );
  });
});
