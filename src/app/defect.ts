import { kinds } from '../core/errors/kinds.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import { watchDefects } from '../kit/host/defects.js';
import { wayToReport } from '../formats/error.js';
import { sinkUntil } from '../formats/sink-until.js';
import type { Host } from './exit.js';

/** What the work under way is told: as after a signal, a request that was sent counts as one whose outcome is unknown. */
const ended = (): RelctlError => new RelctlError('interrupted', 'a defect of relctl ended the run');

/** The error as it is told. Where a write is under way, what its caller has to know is that its outcome is not known. */
function toldAs(thrown: unknown, isWriting: boolean): RelctlError {
  const defect = RelctlError.from(thrown);
  if (!isWriting) return defect;
  const { exitCode } = kinds['outcome-unknown'];
  return defect.but({
    kind: 'outcome-unknown',
    message: `relctl failed while a write was under way, and whether that was carried out is not known: ${defect.message}`,
    facts: { ...defect.facts, code: 'defect', exitCode },
    advice: `Look at what the command changes, before you repeat it. This is a defect in relctl. ${wayToReport}`,
    hint: undefined,
  });
}

/**
 * The host of a run that stops at the first error that nobody caught: what the run would send, print or tell after it stays
 * undone. `tell` gets that error, and ends the process.
 */
export function untilDefect(
  host: Host,
  tell: (failure: RelctlError) => void,
): { readonly host: Host; readonly defect: AbortSignal } {
  const { signals, streams } = host;
  const stopping = new AbortController();
  watchDefects((thrown) => {
    // Stopping ends the write as well.
    const failure = toldAs(thrown, signals.isWriting());
    stopping.abort(ended());
    tell(failure);
  });
  const defect = stopping.signal;
  return {
    defect,
    host: {
      ...host,
      signals: { ...signals, signal: AbortSignal.any([signals.signal, defect]) },
      streams: { ...streams, out: sinkUntil(streams.out, defect), err: sinkUntil(streams.err, defect) },
    },
  };
}
