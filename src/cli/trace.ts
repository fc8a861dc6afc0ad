import { closeSync } from 'node:fs';
import type { Attempt } from '../client/client.js';
import type { Connection } from '../client/connection.js';
import { RelctlError } from '../errors/relctl-error.js';
import { escapeLines } from '../output/escape.js';
import { createMask } from '../secrets/mask.js';
import type { Context } from '../host/context.js';
import { prettyPrint } from '../xml/tree.js';
import { maskedEnvelope } from './masked-envelope.js';
import { openToAdd } from '../files/added-file.js';
import { writeAll } from '../files/durable.js';
import { attempt } from '../files/failure.js';

/** Where a trace goes and what must not be in it. */
export interface TraceOptions {
  /** A file, or `-` for stderr. */
  readonly target: string;
  readonly secrets: readonly string[];
}

function outcomeText({ outcome, elapsedMs }: Attempt): string {
  const time = `${elapsedMs.toFixed(0)} ms`;
  if (outcome.kind === 'error') return `< failed after ${time}: ${outcome.error.kind}: ${outcome.error.message}`;
  const { version, notes } = outcome.reply;
  return `< SOAP ${version} after ${time}${notes.length === 0 ? '' : `, ${notes.length} oddities`}\n${JSON.stringify(outcome.reply.result)}`;
}

/** Names of stderr, which is written in its turn. */
const stderrNames: ReadonlySet<string> = new Set(['-', '/dev/stderr', '/dev/fd/2', '/proc/self/fd/2']);

/** Opens what a trace is added to. A call is not undone when its trace cannot be written: that is told when the command ends. */
function openTarget(context: Context, target: string): (text: string) => void {
  if (stderrNames.has(target)) return (text) => void context.streams.err.write(text);
  const file = context.environment.pathOf(target);
  const handle = openToAdd(file);
  let failure: RelctlError | undefined;
  context.onClose(() => {
    closeSync(handle);
    if (failure !== undefined) throw failure.but({ advice: 'The trace is not complete; the calls were made.' });
  });
  return (text) => {
    try {
      if (failure === undefined) attempt(file, () => writeAll(handle, Buffer.from(text)));
    } catch (thrown) {
      failure = RelctlError.from(thrown);
    }
  };
}

/**
 * Tells each attempt: the envelope with its secrets left out, and what came of it with secrets masked in every form that a
 * service may echo them in. Throws `local` when the target cannot be written, before anything is called.
 */
export function openTrace(context: Context, connection: Connection, options: TraceOptions): (attempt: Attempt) => void {
  const mask = createMask(options.secrets);
  const write = openTarget(context, options.target);
  return (attempt) => {
    const { operation, number } = attempt;
    const envelope = maskedEnvelope(connection, attempt, prettyPrint);
    write(escapeLines(mask(`> ${operation.name}, attempt ${number}\n${envelope}${outcomeText(attempt)}\n`)));
  };
}
