import type { Context } from '../host/context.js';
import type { KeptOut } from '../secrets/kept-out.js';
import type { SignalWatch } from '../host/signals.js';

/** What a run takes from outside: the process, or what stands for one. */
export interface Host extends Pick<Context, 'environment' | 'streams' | 'clock' | 'collectGarbage' | 'report'> {
  readonly signals: SignalWatch;
  /** Gets the secrets that runs come to know. */
  readonly secrets: KeptOut;
}
