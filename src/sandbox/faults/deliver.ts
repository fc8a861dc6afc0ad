import type { HttpResponse } from '../../soap/transport/http.js';
import { once } from '../answers.js';
import { BrokenOff } from '../http/broken-off.js';
import type { Cut, WholeAnswer } from './kinds/effects.js';
import type { Rate } from './kinds/forms.js';

/** Waits so many milliseconds; alone it does not keep the process. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/** Ends the connection, or keeps it for ever. */
export function cutOff({ how }: Cut): Promise<never> {
  // Nobody waits for it once the caller has gone: a promise without a timer goes with its last reader.
  if (how === 'stall') return new Promise<never>(() => undefined);
  return Promise.reject(new BrokenOff(how));
}

/** How an answer goes out otherwise than at once and whole. */
export interface Delivery {
  readonly cut: Cut | undefined;
  readonly drip: Rate | undefined;
}

const sentBytes = (length: number, cut: Cut | undefined): number => {
  if (cut?.place === 'head') return 0;
  return cut?.place === 'amid' ? Math.floor(length / 2) : length;
};

async function* pieces(body: Uint8Array, { cut, drip }: Delivery): AsyncGenerator<Uint8Array> {
  const until = sentBytes(body.length, cut);
  const step = drip?.bytes ?? Math.max(until, 1);
  for (let at = 0; at < until; at += step) {
    if (at > 0 && drip !== undefined) await pause(drip.everyMs);
    yield body.subarray(at, Math.min(at + step, until));
  }
  if (cut !== undefined) await cutOff(cut);
}

/** An answer as a stream that is cut or drips; one with neither is left to the server to measure and compress. */
export function delivered({ status, headers, body }: WholeAnswer, delivery: Delivery): HttpResponse {
  if (delivery.cut === undefined && delivery.drip === undefined) return { status, headers, body: once(body) };
  return {
    status,
    headers: { ...headers, 'content-length': String(body.length) },
    body: pieces(body, delivery),
  };
}
