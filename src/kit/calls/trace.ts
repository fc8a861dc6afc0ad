import { closeSync } from 'node:fs';
import type { Attempt } from '../../client/call.js';
import type { Connection } from '../../client/connection.js';
import { RelctlError } from '../../core/errors/relctl-error.js';
import { escapeLines } from '../../formats/escape.js';
import { createMask } from '../../core/secrets/mask.js';
import type { Context } from '../host/context.js';
import { prettyPrint } from '../../xml/tree.js';
import { recordOfRow } from '../../client/rows/row.js';
import { isList, isRecord, type RecordValue, type Value } from '../../core/values/value.js';
import { maskedEnvelope } from './masked-envelope.js';
import { checkToAdd, openToAdd } from '../../state/added-file.js';
import { isPipe } from '../../state/input-file.js';
import { writeAll } from '../../state/durable.js';
import { attempt } from '../../state/own-file.js';

const pieceCharacters = 256 * 1024;

function* partsOf(value: Value): Generator<string> {
  let before = '';
  if (isList(value)) {
    yield '[';
    for (const item of value) {
      yield `${before}${JSON.stringify(isRecord(item) ? recordOfRow(item) : item)}`;
      before = ',';
    }
    yield ']';
  } else if (isRecord(value)) {
    yield '{';
    for (const name of Object.keys(value)) {
      const member = value[name];
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* partsOf(member);
      before = ',';
    }
    yield '}';
  } else yield JSON.stringify(value);
}

/** A result as JSON.stringify writes it, in pieces cut between values: as one text it takes more memory. Throws `local`. */
export function* jsonPieces(result: RecordValue): Generator<string> {
  let piece = '';
  for (const part of partsOf(result)) {
    piece += part;
    if (piece.length < pieceCharacters) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** What came of an attempt. In pieces, as an answer may be long. */
function* outcomeText({ outcome, elapsedMs }: Attempt): Generator<string> {
  const time = `${elapsedMs.toFixed(0)} ms`;
  if (outcome.kind === 'error') {
    yield `< failed after ${time}: ${outcome.error.kind}: ${outcome.error.message}`;
    return;
  }
  const { version, notes, result } = outcome.reply;
  yield `< SOAP ${version} after ${time}${notes.length === 0 ? '' : `, ${notes.length} oddities`}\n`;
  yield* jsonPieces(result);
}

const shortText = 64 * 1024;

const stderrNames: ReadonlySet<string> = new Set(['-', '/dev/stderr', '/dev/fd/2', '/proc/self/fd/2']);

/** A file that a trace is added to. A call is not undone when it cannot be written: the command reports that at its end. */
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
      throw this.#failure.but({ advice: 'The trace is incomplete. relctl made the calls.' });
  }
}

type Report = (texts: Iterable<string>) => Promise<void> | undefined;

/** Writes to stderr, where texts about attempts that end at the same time must not mix. */
function reportToStderr({ streams, signal }: Context): Report {
  let pending = Promise.resolve();
  const report = async (texts: Iterable<string>): Promise<void> => {
    let written: Promise<unknown> | undefined;
    // A short text is not waited for: a write has been made by then, which is to be remembered.
    for (const text of texts) {
      await written;
      // Whoever stops the run does not wait for the rest of a long answer.
      if (written !== undefined && signal.aborted) return;
      written = streams.err.write(text).catch(() => undefined);
    }
  };
  return (texts) => (pending = pending.catch(() => undefined).then(() => report(texts)));
}

function openTarget(context: Context, target: string): Report {
  if (stderrNames.has(target)) return reportToStderr(context);
  const file = new TraceFile(context.environment.pathOf(target));
  context.onClose(() => file.close());
  return (texts) => {
    for (const text of texts) file.add(text);
    return undefined;
  };
}

/** Tells each attempt, without secrets in any form. Throws `local` before anything is called when it cannot be written. */
export function openTrace(
  context: Context,
  connection: Connection,
  options: { readonly target: string; readonly secrets: readonly string[] },
): (attempt: Attempt) => Promise<void> | undefined {
  const mask = createMask(options.secrets);
  const report = openTarget(context, options.target);
  function* textsOf(attempt: Attempt): Generator<string> {
    const { operation, number } = attempt;
    const envelope = maskedEnvelope(connection, attempt, prettyPrint);
    let text = `> ${operation.name}, attempt ${number}\n${envelope}`;
    // Each piece ends behind a value: no secret is cut.
    for (const piece of outcomeText(attempt)) {
      text += piece;
      if (text.length < shortText) continue;
      yield escapeLines(mask(text));
      text = '';
    }
    yield escapeLines(mask(`${text}\n`));
  }
  return (attempt) => report(textsOf(attempt));
}
