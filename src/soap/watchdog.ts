import type { PhaseLimits } from './http.js';

/** Phases of an exchange that have a time limit of their own. */
export type Phase = 'connect' | 'tls' | 'first-byte' | 'idle' | 'whole';

/** Watches the phases of one exchange. */
export interface Watchdog {
  /** Ends the running phase and starts another. */
  enter(phase: Exclude<Phase, 'whole'>): void;
  /** Starts the running phase over, because something moved. */
  touch(): void;
  stop(): void;
}

/** Seconds that a phase may take, for messages. */
export function secondsOf(phase: Phase, limits: PhaseLimits): number {
  return limitOf(phase, limits) / 1000;
}

function limitOf(phase: Phase, limits: PhaseLimits): number {
  switch (phase) {
    case 'connect':
      return limits.connectMs;
    case 'tls':
      return limits.tlsMs;
    case 'first-byte':
      return limits.firstByteMs;
    case 'idle':
      return limits.idleMs;
    case 'whole':
      return limits.wholeMs;
  }
}

/** Starts watching; `expired` is called once, with the phase that took too long. */
export function startWatchdog(limits: PhaseLimits, expired: (phase: Phase) => void): Watchdog {
  let phase: Phase | undefined;
  let timer: NodeJS.Timeout | undefined;
  const whole = setTimeout(() => end('whole'), limits.wholeMs);
  const stop = (): void => {
    clearTimeout(timer);
    clearTimeout(whole);
    phase = undefined;
  };
  const end = (late: Phase): void => {
    stop();
    expired(late);
  };
  const enter = (next: Phase): void => {
    clearTimeout(timer);
    phase = next;
    timer = setTimeout(() => end(next), limitOf(next, limits));
  };
  return {
    enter,
    touch: () => {
      if (phase !== undefined) timer?.refresh();
    },
    stop,
  };
}
