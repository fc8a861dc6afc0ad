import { closeSync } from 'node:fs';
import type { Attempt } from '../../client/client.js';
import type { Connection } from '../../client/connection.js';
import { RelctlError } from '../../errors/relctl-error.js';
import { escapeLines } from '../../output/escape.js';
import { createMask } from '../../secrets/mask.js';
import type { Context } from '../../host/context.js';
import { prettyPrint } from '../../xml/tree.js';
import { maskedEnvelope } from './masked-envelope.js';
import { checkToAdd, openToAdd } from '../../files/added-file.js';
import { isPipe } from '../../files/pipes.js';
import { writeAll } from '../../files/durable.js';
import { attempt } from '../../files/failure.js';

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

/** A file that a trace is added to. A call is not undone when it cannot be written: that is told when the command ends. */
class TraceFile {
  readonly #file: string;
  #handle: number | undefined;
  #failure: RelctlError | undefined;
  #isClosed = false;

  /** Throws `local` where it is seen by now that it cannot be written. */
  constructor(file: string) {
    checkToAdd(file);
    this.#file = file;
    // Whether somebody reads it is seen in no other way.
    if (isPipe(file)) this.#handle = openToAdd(file);
  }

  /** Adds a text; the first one makes the file. */
  add(text: string): void {
    // A call that was stopped may end when the command has: the number of the handle may be that of another file then.
    if (this.#isClosed || this.#failure !== undefined) return;
    try {
      const handle = (this.#handle ??= openToAdd(this.#file));
      attempt(this.#file, () => writeAll(handle, Buffer.from(text)));
    } catch (thrown) {
      this.#failure = RelctlError.from(thrown);
    }
  }

  /** Throws why the trace is not complete, if so. */
  close(): void {
    this.#isClosed = true;
    if (this.#handle !== undefined) closeSync(this.#handle);
    if (this.#failure !== undefined)
      throw this.#failure.but({ advice: 'The trace is not complete; the calls were made.' });
  }
}

/** Opens what a trace is added to. Throws `local`. */
function openTarget(context: Context, target: string): (text: string) => void {
  if (stderrNames.has(target)) return (text) => void context.streams.err.write(text);
  const file = new TraceFile(context.environment.pathOf(target));
  context.onClose(() => file.close());
  return (text) => file.add(text);
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
