import type { Headers } from '../../../soap/transport/http.js';
import type { Around } from '../../context.js';
import type { Random } from '../../dataset/random.js';
import type { Rate } from './forms.js';

/** An answer that is whole in memory, on its way out. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Where an answer ends before its end. */
export type Place = 'request' | 'before' | 'head' | 'amid' | 'after';

/** How a connection ends before its time; `stall` keeps it and sends nothing more. */
export interface Cut {
  readonly how: 'reset' | 'close' | 'stall';
  readonly place: Place;
}

/**
 * What a fault does to one call, at each station of its way. What takes a stream of numbers gets one that depends on the
 * seed of the fault and the number of the call only.
 */
export interface Effects {
  /** Milliseconds to hold the answer back. */
  readonly waitMs?: (random: Random) => number;
  /** Answers in place of the service; the call is not carried out. */
  readonly instead?: () => WholeAnswer;
  /** Stands around the carrying out. */
  readonly around?: (random: Random) => Around;
  /** Changes the bytes of the answer, or what is said of them. */
  readonly rewrite?: (answer: WholeAnswer) => WholeAnswer;
  /** Ends the connection before the end of the answer. */
  readonly cut?: Cut;
  /** Sends the body in small pieces. */
  readonly drip?: Rate;
}
