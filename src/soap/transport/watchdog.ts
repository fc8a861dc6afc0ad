import type { PhaseLimits } from './http.js';

/** Phases of an exchange that have a time limit of their own. */
export type Phase = 'connect' | 'tls' | 'first-byte' | 'idle' | 'whole';

/** Limits the time of the phases of one exchange. */
export interface Watchdog {
  /** Ends the present phase and starts another. Does nothing after `stop` or an expired limit. */
  enter(phase: Exclude<Phase, 'whole'>): void;
  /** Restarts the time of the present phase, because there was progress. */
  touch(): void;
  /** Ends the present phase without another, while relctl works; the limit of the whole exchange stays. */
  rest(): void;
  stop(): void;
}

/** Seconds that a phase may take, for messages. */
export function secondsOf(phase: Phase, limits: PhaseLimits): number {
  return limits[limitOf[phase]] / 1000;
}

const limitOf: Readonly<Record<Phase, keyof PhaseLimits>> = {
  connect: 'connectMs',
  tls: 'tlsMs',
  'first-byte': 'firstByteMs',
  idle: 'idleMs',
  whole: 'wholeMs',
};

/** Starts the limit of the whole exchange; calls `expired` at most once, with the phase that took too long. */
export function startWatchdog(limits: PhaseLimits, expired: (phase: Phase) => void): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  let watching = true;
  const rest = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const stop = (): void => {
    watching = false;
    rest();
    clearTimeout(whole);
  };
  const end = (late: Phase): void => {
    stop();
    expired(late);
  };
  const whole = setTimeout(() => end('whole'), limits.wholeMs);
  return {
    enter: (next) => {
      rest();
      if (watching) timer = setTimeout(() => end(next), limits[limitOf[next]]);
    },
    touch: () => void timer?.refresh(),
    rest,
    stop,
  };
}
