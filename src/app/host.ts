import type { Context } from '../host/context.js';
import type { KeptOut } from '../secrets/kept-out.js';
import type { SignalWatch } from '../host/signals.js';
import type { Ending } from './exit.js';

/** What a run takes from outside: the process, or what stands for one. */
export interface Host extends Pick<Context, 'environment' | 'streams' | 'clock' | 'collectGarbage' | 'report'> {
  readonly signals: SignalWatch;
  /** Gets the secrets that runs come to know. */
  readonly secrets: KeptOut;
}

/** How a run ended, with the secrets that it came to know. */
export interface RunEnd extends Ending {
  readonly secrets: KeptOut;
}
