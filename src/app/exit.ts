import { kinds, successCode, type Kind } from '../core/errors/kinds.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import { renderError, renderNotes, type ErrorShape, reportAdvice } from '../formats/error.js';
import { widthOfLines, type Streams, sinkUntil } from '../formats/streams.js';
import type { SignalWatch } from '../kit/host/process.js';
import type { Context } from '../kit/host/context.js';
import type { SecretFilter } from '../core/secrets/mask.js';

interface Ending {
  readonly streams: Streams;
  readonly signals: SignalWatch;
  readonly shape: ErrorShape;
  readonly debug: boolean;
  readonly failure: RelctlError | undefined;
  /** Notes that were kept back so that stderr holds one JSON object. */
  readonly notes: readonly string[];
  /** How long it may take to tell, in milliseconds: stderr may be a pipe that nobody reads. */
  readonly mostMs?: number;
}

/**
 * The one way out: prints the error once, drains both streams, then ends the process. A closed stdout is a quiet 0; a
 * signal is raised again, so that a script around us sees it.
 */
export async function shutDown(ending: Ending): Promise<void> {
  const { signals, mostMs } = ending;
  if (mostMs !== undefined) setTimeout(() => process.exit(exitCodeOf(reportableFailure(ending))), mostMs);
  const isInterrupted = reportableFailure(ending)?.kind === 'interrupted';
  const received = signals.received();
  const code = await finish(ending);
  signals.stop();
  if (received !== undefined && isInterrupted) process.kill(process.pid, received);
  // Everything is written; sockets that are kept alive must not keep the process.
  process.exit(code);
}

const reportableFailure = ({ streams, failure }: Ending): RelctlError | undefined =>
  streams.outClosed.aborted ? undefined : failure;

const exitCodeOf = (failure: RelctlError | undefined): number => failure?.exitCode ?? successCode;

/** Prints the error once, drains both streams and gives the exit code; 0 when the reader of stdout ended. */
export async function finish(ending: Ending): Promise<number> {
  const { streams, shape, debug, notes } = ending;
  const failure = reportableFailure(ending);
  const width = widthOfLines(streams.err);
  try {
    if (failure !== undefined) await streams.err.write(renderError(failure, { shape, debug, width, notes }));
    else if (notes.length > 0) await streams.err.write(renderNotes(notes));
    await streams.finish();
    return exitCodeOf(failure);
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    if (streams.outClosed.aborted) return 0;
    // The failure that has been told already is often this one, and stderr gets one error.
    if (failure === undefined)
      await streams.err.write(renderError(error, { shape, debug, width })).catch(() => undefined);
    return exitCodeOf(failure ?? error);
  }
}

/** Ends the process with the exit code of a kind, whatever is under way. */
export function endAtOnce(kind: Kind): never {
  process.exit(kinds[kind].exitCode);
}

/** What a run takes from outside: the process, or what stands for one. */
export interface Host extends Pick<Context, 'environment' | 'streams' | 'clock' | 'collectGarbage' | 'report'> {
  readonly signals: SignalWatch;
  readonly secrets: SecretFilter;
}

/** How a run ended, with the secrets that it came to know. */
export interface RunEnd extends Ending {
  readonly secrets: SecretFilter;
}

function errorOfDefect(thrown: unknown, isWriting: boolean): RelctlError {
  const defect = RelctlError.from(thrown);
  if (!isWriting) return defect;
  const { exitCode } = kinds['outcome-unknown'];
  return defect.but({
    kind: 'outcome-unknown',
    message: `relctl failed while a write was in flight, and does not know whether the service carried it out: ${defect.message}`,
    facts: { ...defect.facts, code: 'defect', exitCode },
    advice: `Check what the command changes before you repeat it. This is a bug in relctl. ${reportAdvice}`,
    hint: undefined,
  });
}

/**
 * The host of a run that stops at the first error that nobody caught, also one of a promise that nobody waits for: what the run
 * would send, print or tell after it stays undone. Node would print the error as it is, with all its members: those of an HTTP
 * library hold the request, with the password. `tell` gets that error, and ends the process.
 */
export function untilDefect(
  host: Host,
  report: (failure: RelctlError) => void,
): { readonly host: Host; readonly defect: AbortSignal } {
  const { signals, streams } = host;
  const stopping = new AbortController();
  process.on('uncaughtException', (thrown: unknown) => {
    // What follows the first is not told, because the process is about to end.
    if (stopping.signal.aborted) return;
    // Stopping ends the write as well.
    const failure = errorOfDefect(thrown, signals.isWriting());
    stopping.abort(new RelctlError('interrupted', 'a bug in relctl ended the run'));
    report(failure);
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
