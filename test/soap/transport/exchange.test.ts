import assert from 'node:assert/strict';
import { startWatchdog, type Watchdog } from '../../../src/soap/transport/exchange.js';
import { secondsOf, type Phase } from '../../../src/soap/transport/http.js';
import { stopClock, type StoppedClock } from '../../support/clock.js';

const limits = { connectMs: 20, tlsMs: 20, firstByteMs: 20, idleMs: 20, wholeMs: 60_000 };

describe('The watchdog', () => {
  let clock: StoppedClock;
  beforeEach(() => (clock = stopClock()));
  afterEach(() => clock.end());

  /** A watch, and the phases that it says were too long. */
  function watching(own = limits): { readonly watchdog: Watchdog; readonly expired: readonly Phase[] } {
    const expired: Phase[] = [];
    return { watchdog: startWatchdog(own, (phase) => expired.push(phase)), expired };
  }

  for (const phase of ['connect', 'tls', 'first-byte', 'idle'] as const) {
    it(`says that the phase ${phase} took too long, once it has, and not before`, () => {
      const { watchdog, expired } = watching();
      watchdog.enter(phase);
      clock.pass(19);
      assert.deepEqual(expired, []);
      clock.pass(1);
      assert.deepEqual(expired, [phase]);
    });
  }

  it('says that the whole took too long while no phase runs', () => {
    const { watchdog, expired } = watching({ ...limits, wholeMs: 30 });
    watchdog.enter('idle');
    watchdog.rest();
    clock.pass(29);
    assert.deepEqual(expired, []);
    clock.pass(1);
    assert.deepEqual(expired, ['whole']);
  });

  it('ends one phase when it enters the next', () => {
    const { watchdog, expired } = watching({ ...limits, tlsMs: 40 });
    watchdog.enter('connect');
    watchdog.enter('tls');
    clock.pass(39);
    assert.deepEqual(expired, []);
    clock.pass(1);
    assert.deepEqual(expired, ['tls']);
  });

  it('starts the phase over when something moves', () => {
    const { watchdog, expired } = watching();
    watchdog.enter('idle');
    for (let count = 0; count < 3; count += 1) {
      clock.pass(19);
      watchdog.touch();
    }
    assert.deepEqual(expired, []);
    clock.pass(20);
    assert.deepEqual(expired, ['idle']);
  });

  it('calls nobody once it is stopped, not even for a phase entered later', () => {
    const { watchdog, expired } = watching({ ...limits, wholeMs: 20 });
    watchdog.enter('connect');
    watchdog.stop();
    watchdog.enter('idle');
    watchdog.touch();
    clock.pass(60);
    assert.deepEqual(expired, []);
  });

  it('calls once, though phases go on', () => {
    const { watchdog, expired } = watching({ ...limits, wholeMs: 30 });
    watchdog.enter('connect');
    clock.pass(60);
    watchdog.enter('idle');
    clock.pass(60);
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
