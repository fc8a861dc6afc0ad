import { kinds, type Kind } from '../core/errors/kinds.js';
import { RelctlError } from '../core/errors/relctl-error.js';
import { renderError, renderNotes, type ErrorShape } from '../formats/error.js';
import type { Streams } from '../formats/streams.js';
import type { SignalWatch } from '../kit/host/signals.js';
import type { Context } from '../kit/host/context.js';
import type { KeptOut } from '../core/secrets/kept-out.js';

/** How a run ended. */
interface Ending {
  readonly streams: Streams;
  readonly signals: SignalWatch;
  readonly shape: ErrorShape;
  /** Show the stack of a defect (RELCTL_DEBUG). */
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
  if (mostMs !== undefined) setTimeout(() => process.exit(codeOf(toReport(ending))), mostMs);
  const isInterrupted = toReport(ending)?.kind === 'interrupted';
  const received = signals.received();
  const code = await finish(ending);
  signals.stop();
  if (received !== undefined && isInterrupted) process.kill(process.pid, received);
  // Everything is written; sockets that are kept alive must not keep the process.
  process.exit(code);
}

/** The failure; undefined when the reader of stdout has gone, which is none. */
const toReport = ({ streams, failure }: Ending): RelctlError | undefined =>
  streams.outClosed.aborted ? undefined : failure;

/** Columns of the terminal that errors go to. */
const widthOf = ({ err }: Streams): number | undefined => (err.isTerminal ? err.width : undefined);

/** The exit code. */
const codeOf = (failure: RelctlError | undefined): number => failure?.exitCode ?? 0;

/** Prints the error once, drains both streams and gives the exit code; 0 when the reader of stdout has gone. */
export async function finish(ending: Ending): Promise<number> {
  const { streams, shape, debug, notes } = ending;
  const failure = toReport(ending);
  const width = widthOf(streams);
  try {
    if (failure !== undefined) await streams.err.write(renderError(failure, { shape, debug, width, notes }));
    else if (notes.length > 0) await streams.err.write(renderNotes(notes));
    await streams.finish();
    return codeOf(failure);
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    if (streams.outClosed.aborted) return 0;
    // The failure that has been told already is often this one, and stderr gets one error.
    if (failure === undefined)
      await streams.err.write(renderError(error, { shape, debug, width })).catch(() => undefined);
    return codeOf(failure ?? error);
  }
}

/** Ends the process with the exit code of a kind, whatever is under way. */
export function endAtOnce(kind: Kind): never {
  process.exit(kinds[kind].exitCode);
}

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
